// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU backend and the CUDA backend on an emulated GPU, given the same calls.
//
//   Pair pair(settings, seed);
//   pair.both([&](Ensemble& e) { return e.teach(example, 3, Part::kBoth); });
//   pair.compare_stores();

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cpu/cpu_ensemble.hpp"
#include "cuda/gpu_ensemble.hpp"
#include "emulation/emulated_gpu.hpp"
#include "emulation/machine.hpp"

namespace jackdaw {

inline std::vector<std::byte> section_of(Ensemble& e, std::uint32_t slot) {
  std::vector<std::byte> bytes(e.class_section_bytes());
  REQUIRE(e.export_class(slot, bytes) == Status::kOk);
  return bytes;
}

inline std::vector<std::byte> shared_of(Ensemble& e) {
  std::vector<std::byte> bytes(e.shared_section_bytes());
  REQUIRE(e.export_shared(bytes) == Status::kOk);
  return bytes;
}

class Pair {
 public:
  Pair(const EnsembleSettings& settings, std::uint64_t seed)
      : source_(seed), cpu_(make_cpu_ensemble(settings, kPlainPrimitives)) {
    emulation::set_schedule(seed);
    auto gpu = std::make_unique<emulation::EmulatedGpu>(seed);
    emulated = gpu.get();
    gpu_ = cuda::make_gpu_ensemble(settings, {}, std::move(gpu));
    const std::size_t keys = cpu_->keys().size();
    REQUIRE(gpu_->keys().size() == keys);
    CHECK(std::memcmp(gpu_->keys().data(), cpu_->keys().data(), keys) == 0);
  }

  // Examples of a few clusters, so that classes mean something.
  std::vector<std::byte> example(std::uint64_t cluster) {
    std::mt19937_64 centre(cluster);
    std::vector<float> embedding(cpu_->settings().dimensions);
    for (float& value : embedding) {
      value = static_cast<float>(centre() % 2001) - 1000.0F + static_cast<float>(source_() % 2001) -
              1000.0F;
    }
    embedding[0] += 0.5F;  // never all zero
    std::vector<std::byte> bytes(cpu_->example_bytes());
    std::vector<std::byte> ours(gpu_->example_bytes());
    CHECK(cpu_->admit(embedding, bytes) == gpu_->admit(embedding, ours));
    CHECK(bytes == ours);
    return bytes;
  }

  template <class Call>
  void both(const Call& call) {
    last = call(*cpu_);
    CHECK(static_cast<int>(call(*gpu_)) == static_cast<int>(last));
  }

  void compare_answers(std::uint32_t context, std::size_t batch) {
    std::vector<std::byte> examples;
    for (std::size_t b = 0; b < batch; ++b) {
      const auto one = example(source_() % 6);
      examples.insert(examples.end(), one.begin(), one.end());
    }
    const std::size_t size = batch * cpu_->settings().max_classes;
    std::vector<ClassScore> expected(size);
    std::vector<ClassScore> scores(size);
    CHECK(static_cast<int>(cpu_->predict_batch(context, examples, expected)) ==
          static_cast<int>(gpu_->predict_batch(context, examples, scores)));
    CHECK(std::memcmp(scores.data(), expected.data(), size * sizeof(ClassScore)) == 0);
    std::vector<std::uint32_t> nearest(cpu_->settings().nearest);
    auto expected_nearest = nearest;
    const Span<const std::byte> first =
        Span<const std::byte>(examples).first(cpu_->example_bytes());
    CHECK(cpu_->nearest(context, first, expected_nearest) ==
          gpu_->nearest(context, first, nearest));
    CHECK(nearest == expected_nearest);
  }

  void compare_stores() {
    for (std::uint32_t slot = 0; slot < cpu_->settings().max_classes; ++slot) {
      CHECK(cpu_->class_count(slot) == gpu_->class_count(slot));
      CHECK(cpu_->class_clipped(slot) == gpu_->class_clipped(slot));
      if (cpu_->class_count(slot) >= 0) CHECK(section_of(*cpu_, slot) == section_of(*gpu_, slot));
    }
    CHECK(shared_of(*cpu_) == shared_of(*gpu_));
  }

  // One call that might come up, chosen at random.
  void random_call() {
    const std::uint32_t classes = cpu_->settings().max_classes;
    const auto slot =
        static_cast<std::uint32_t>(source_() % (classes + 1));  // one too many, at times
    const auto x = example(slot);
    switch (source_() % 15) {
      case 0:
        both([&](Ensemble& e) {
          std::uint32_t opened = 0;
          return e.open_class(opened);
        });
        break;
      case 1:
        both([&](Ensemble& e) { return e.open_slot(slot); });
        break;
      case 2:
        if (source_() % 4 == 0) both([&](Ensemble& e) { return e.close_class(slot); });
        break;
      case 3:
        both([&](Ensemble& e) { return e.refresh(); });
        break;
      case 4:
        teach_and_take_back(slot);
        break;
      case 5:
        move_class(slot);
        break;
      case 6:
        both([&](Ensemble& e) { return e.teach(x, slot, Part::kClass); });
        break;
      case 7:
        both([&](Ensemble& e) { return e.teach(x, slot, Part::kShared); });
        break;
      case 8:
        teach_some();
        break;
      case 11:
        both([&](Ensemble& e) { return e.check(x, slot); });
        break;
      case 9:
        compare_answers(0, 3);
        break;
      case 10:
        compare_answers(1, 1);
        break;
      default:
        both([&](Ensemble& e) { return e.teach(x, slot, Part::kBoth); });
        break;
    }
    const auto faults = emulated->faults();
    for (const std::string& fault : faults) FAIL_CHECK(fault);
  }

  emulation::EmulatedGpu* emulated = nullptr;
  Status last = Status::kOk;  // of both()
  Ensemble& gpu() { return *gpu_; }
  Ensemble& cpu() { return *cpu_; }

 private:
  void teach_and_take_back(std::uint32_t slot) {
    const auto x = example(slot);
    both([&](Ensemble& e) { return e.teach(x, slot, Part::kBoth); });
    if (last == Status::kOk) both([&](Ensemble& e) { return e.unteach(x, slot, Part::kBoth); });
  }

  // Out of one backend, into the other and back.
  void move_class(std::uint32_t slot) {
    if (cpu_->class_count(slot) < 0) return;
    const auto section = section_of(*gpu_, slot);
    const auto shared = shared_of(*cpu_);
    const auto to = static_cast<std::uint32_t>(source_() % cpu_->settings().max_classes);
    both([&](Ensemble& e) { return e.import_class(to, section); });
    both([&](Ensemble& e) { return e.import_shared(shared); });
  }

  void teach_some() {
    std::vector<std::byte> examples;
    std::vector<std::uint32_t> slots;
    for (std::uint64_t b = 0; b < 1 + source_() % 5; ++b) {
      slots.push_back(static_cast<std::uint32_t>(source_() % cpu_->settings().max_classes));
      const auto one = example(slots.back());
      examples.insert(examples.end(), one.begin(), one.end());
    }
    both([&](Ensemble& e) { return e.teach_batch(examples, slots); });
  }

  std::mt19937_64 source_;
  std::unique_ptr<Ensemble> cpu_;
  std::unique_ptr<Ensemble> gpu_;
};

}  // namespace jackdaw
