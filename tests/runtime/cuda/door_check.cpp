// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The door on the device against the door on the CPU, which is the specification.

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/door.hpp"
#include "core/store_view.hpp"
#include "cuda/door.cuh"
#include "emulation/emulated_launcher.hpp"
#include "emulation/global_memory.hpp"
#include "emulation/report.hpp"
#include "scenarios.hpp"

namespace jackdaw {
namespace {

using Embedding = std::vector<float>;

class DoorRig {
 public:
  explicit DoorRig(const EnsembleSettings& s)
      : settings_(s),
        bytes_(s.profile == Profile::kSeed ? sizeof(float) : 1),
        embedding_(s.dimensions),
        example_(padded(s.dimensions) * bytes_),
        square_(1) {
    store_.view.shape = shape_of(s);
    store_.rule = cuda::rule_of(s);
    store_.profile = s.profile;
    query_.examples = example_.data();
    query_.square = square_.data();
  }

  void check(const Embedding& z) {
    embedding_.assign(z);
    example_.fill(std::byte{0x5A});
    square_[0] = -1.0;
    (void)emulation::take_reports();
    emulation::EmulatedLauncher launcher;
    cuda::launch_door(launcher, store_, query_, embedding_.data());
    for (const emulation::Report& r : emulation::take_reports()) faults.push_back(r.text);

    std::vector<std::byte> expected(example_.size());  // zero: padding, and what is refused
    const Status status = admit(z, expected);
    const double square = dot(z.data(), z.data(), z.size());
    expect(check_square(square_[0]) == status, "status");
    if (!std::isnan(square)) expect(std::memcmp(&square, square_.data(), 8) == 0, "square");
    expect(std::memcmp(expected.data(), example_.data(), expected.size()) == 0, "example");
  }

  Faults faults;

 private:
  Status admit(const Embedding& z, std::vector<std::byte>& example) const {
    if (settings_.profile == Profile::kSeed)
      return normalise(z, {reinterpret_cast<float*>(example.data()), z.size()});
    return quantise(z, settings_.default_rule.levels,
                    {reinterpret_cast<std::int8_t*>(example.data()), z.size()});
  }

  void expect(bool same, const char* what) {
    if (!same) faults.push_back(std::string("door: another ") + what);
  }

  EnsembleSettings settings_;
  std::size_t bytes_;
  emulation::Buffer<float> embedding_;
  emulation::Buffer<std::byte> example_;
  emulation::Buffer<double> square_;
  cuda::DeviceStore store_;
  cuda::Query query_;
};

}  // namespace

Faults check_door(const EnsembleSettings& settings, std::uint64_t seed) {
  emulation::set_schedule(seed);
  std::mt19937_64 source(seed);
  std::normal_distribution<float> normal;
  const auto random = [&](float scale) {
    Embedding z(settings.dimensions);
    for (float& value : z) value = normal(source) * scale;
    return z;
  };
  DoorRig rig(settings);
  for (const float scale : {1.0F, 1e-30F, 1e-44F, 1e30F}) rig.check(random(scale));
  Embedding spread = random(1.0F);  // small elements beside large ones: the order of the sum shows
  for (std::size_t i = 0; i < spread.size(); ++i) spread[i] *= i % 3 == 0 ? 1e8F : 1.0F;
  rig.check(spread);
  rig.check(Embedding(settings.dimensions, 0.3F));  // all on one level
  Embedding tall(settings.dimensions, 0.0F);        // all in one element
  tall[source() % tall.size()] = -3.0F;
  rig.check(tall);

  rig.check(Embedding(settings.dimensions, 0.0F));
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Embedding z = random(1.0F);
    z[source() % z.size()] = bad;
    rig.check(z);
  }

  EnsembleSettings finer = settings;  // levels that end between two whole numbers, and beyond int8
  for (const float levels : {2.5F, 3.5F, 100.0F}) {
    finer.default_rule.levels = levels;
    DoorRig other(finer);
    other.check(Embedding(settings.dimensions, -0.7F));
    other.check(Embedding(settings.dimensions, 0.25F));
    other.check(tall);
    other.check(random(1.0F));
    rig.faults.insert(rig.faults.end(), other.faults.begin(), other.faults.end());
  }
  return rig.faults;
}

}  // namespace jackdaw
