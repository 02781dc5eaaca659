// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The kernel's source, run in the emulation, against the CPU: every bit the same, for every format
// and awkward size, in any schedule, without an access outside of a buffer. Then every named fault
// of the kernel has to be noticed by the same checks.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "emulation/emulated_launcher.hpp"
#include "emulation/global_memory.hpp"
#include "emulation/mutant.hpp"
#include "emulation/report.hpp"
#include "engines/preprocess_pictures.hpp"
#include "preprocess/preprocess.cuh"
#include "preprocess/preprocess.hpp"

namespace jackdaw::testing {
namespace {

using Faults = std::vector<std::string>;

// A batch in the emulated device's memory, every buffer of its exact size.
class Rig {
 public:
  explicit Rig(const Manifest& manifest) : manifest_(manifest), target_(target_of(manifest)) {}

  void add(const Picture& picture) {
    const FrameView frame = picture.view();
    columns_.reset(frame.width, target_.width);
    rows_.reset(frame.height, target_.height);
    const auto& tables = buffers_.emplace_back(cuda::table_bytes(columns_, rows_));
    cuda::write_tables(columns_, rows_, tables.data());
    FrameView in_device = frame;
    const std::size_t rows = frame.height - 1;
    in_device.data = upload(frame.data, rows * frame.stride + row_bytes(frame));
    if (frame.colour != nullptr) {
      in_device.colour =
          upload(frame.colour, rows / 2 * frame.colour_stride + (frame.width + 1) / 2 * 2);
    }
    frames_.push_back(cuda::device_frame(in_device, columns_, rows_, tables.data()));
    Preprocess preprocess(manifest_);
    expected_.emplace_back(target_.size());
    REQUIRE(preprocess.run(frame, expected_.back()) == Status::kOk);
  }

  Faults run(std::uint64_t schedule) const {
    const emulation::Buffer<cuda::DeviceFrame> frames(frames_.size());
    frames.assign(frames_);
    const emulation::Buffer<float> input(frames_.size() * target_.size());
    emulation::set_schedule(schedule);
    (void)emulation::take_reports();
    emulation::EmulatedLauncher launcher;
    cuda::launch_preprocess(launcher, target_, frames.data(), static_cast<unsigned>(frames_.size()),
                            input.data());
    Faults faults;
    for (const emulation::Report& r : emulation::take_reports())
      faults.push_back(std::string(emulation::name_of(r.fault)) + ": " + r.text);
    for (std::size_t b = 0; b < expected_.size(); ++b) {
      const float* got = input.data() + b * target_.size();
      for (std::size_t i = 0; i < target_.size(); ++i) {
        if (std::memcmp(got + i, &expected_[b][i], sizeof(float)) == 0) continue;
        faults.push_back("frame " + std::to_string(b) + " float " + std::to_string(i) + ": " +
                         std::to_string(got[i]) + ", not " + std::to_string(expected_[b][i]));
        break;
      }
    }
    return faults;
  }

 private:
  static std::size_t row_bytes(const FrameView& frame) {
    const bool colours = frame.format == PixelFormat::kBgr || frame.format == PixelFormat::kRgb;
    return frame.width * (colours ? 3 : 1);
  }

  const std::byte* upload(const std::byte* from, std::size_t bytes) {
    const auto& buffer = buffers_.emplace_back(bytes);
    std::memcpy(buffer.data(), from, bytes);
    return buffer.data();
  }

  Manifest manifest_;
  Target target_;
  Resampling columns_, rows_;
  std::deque<emulation::RawBuffer> buffers_;
  std::vector<cuda::DeviceFrame> frames_;
  std::vector<std::vector<float>> expected_;
};

struct Size {
  std::uint32_t width, height;
};

// One batch with a frame of each format, all of one size, or each of a size of its own.
Faults check_batch(ColourOrder order, Size to, const std::vector<Size>& from, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  Rig rig(manifest_for(order, to.width, to.height));
  for (std::size_t i = 0; i < 4; ++i) {
    const Size& size = from[i % from.size()];
    rig.add(Picture(kFormats[i], size.width, size.height, rng() % 4, rng));
  }
  return rig.run(seed);
}

struct Scenario {
  const char* name;
  std::function<Faults(std::uint64_t seed)> run;
};

std::vector<Scenario> scenarios() {
  const std::vector<Size> mixed = {{7, 5}, {23, 31}, {16, 3}, {9, 40}};
  std::vector<Scenario> all;
  for (const ColourOrder order : kOrders) {
    all.push_back({"shrinks", [=](std::uint64_t seed) {
                     return check_batch(order, {11, 7}, {{37, 29}}, seed);
                   }});
    all.push_back({"grows", [=](std::uint64_t seed) {
                     return check_batch(order, {17, 13}, {{5, 6}}, seed);
                   }});
    all.push_back({"sizes of their own", [=](std::uint64_t seed) {
                     return check_batch(order, {12, 19}, mixed, seed);
                   }});
  }
  return all;
}

const char* const kMutants[] = {
    "preprocess.batch",        "preprocess.channel",       "preprocess.chroma_column",
    "preprocess.chroma_order", "preprocess.chroma_row",    "preprocess.clamp",
    "preprocess.colour_order", "preprocess.column_weight", "preprocess.fused",
    "preprocess.grey",         "preprocess.last_row",      "preprocess.normalise",
    "preprocess.plane",        "preprocess.row_order",     "preprocess.row_weight",
    "preprocess.stride",       "preprocess.tail",          "preprocess.transposed",
};

std::string catch_mutant(const std::string& name) {
  const emulation::ActiveMutant active(name);
  for (const Scenario& scenario : scenarios()) {
    const Faults faults = scenario.run(1);
    if (!faults.empty()) return std::string(scenario.name) + ": " + faults.front().substr(0, 70);
  }
  return {};
}

}  // namespace

TEST_CASE("cuda preprocess: the CPU's bits, at every odd size") {
  std::uint64_t seed = 1;
  for (const Size& from : {Size{1, 1}, Size{1, 9}, Size{9, 1}, Size{3, 5}, Size{2, 2}, Size{33, 17},
                           Size{64, 48}, Size{16, 16}}) {
    for (const Size& to : {Size{1, 1}, Size{4, 2}, Size{16, 16}, Size{13, 1}, Size{8, 20}}) {
      for (const ColourOrder order : kOrders) {
        INFO("seed ", seed, " order ", static_cast<int>(order), " ", from.width, "x", from.height,
             " -> ", to.width, "x", to.height);
        for (const std::string& fault : check_batch(order, to, {from}, seed)) FAIL_CHECK(fault);
        ++seed;
      }
    }
  }
}

TEST_CASE("cuda preprocess: frames of several sizes in one batch, any schedule") {
  for (const Scenario& scenario : scenarios()) {
    for (std::uint64_t seed = 100; seed < 105; ++seed) {
      INFO(scenario.name, " seed ", seed);
      for (const std::string& fault : scenario.run(seed)) FAIL_CHECK(fault);
    }
  }
}

TEST_CASE("cuda preprocess: tables fit into what is reserved for them") {
  Resampling columns, rows;
  for (std::uint32_t side = 1; side <= 300; ++side) {
    columns.reset(side, 100);
    rows.reset(301 - side, 64);
    CHECK(cuda::table_bytes(columns, rows) <= cuda::most_table_bytes(300, 100, 64));
  }
}

TEST_CASE("cuda preprocess: every mutant is caught") {
  const std::set<std::string> asked_for = emulation::record_mutants([&] {
    for (const Scenario& scenario : scenarios()) {
      INFO(scenario.name);
      for (const std::string& fault : scenario.run(1)) FAIL_CHECK(fault);
    }
  });
  CHECK(asked_for == std::set<std::string>(std::begin(kMutants), std::end(kMutants)));
  for (const char* name : kMutants) {
    const std::string how = catch_mutant(name);
    std::printf("  %-32s %s\n", name, how.empty() ? "NOT CAUGHT" : how.c_str());
    INFO(std::string(name));
    CHECK(!how.empty());
  }
}

}  // namespace jackdaw::testing
