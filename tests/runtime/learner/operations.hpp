// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random things to do with a learner. Operation i of a stream is always the same, and what it does
// depends on the learner's state only, so a twin that does the same operations is in the same
// state.
//
//   Operations operations(seed(), 24);
//   for (std::uint64_t i = 0; i < 100; ++i) operations.apply(i, learner);

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/learner.hpp"

namespace jackdaw::testing {

class Operations {
 public:
  Operations(std::uint64_t seed, std::size_t dimensions) : seed_(seed), dimensions_(dimensions) {}

  // Any number of records, also none.
  Status apply(std::uint64_t index, Learner& learner) const {
    std::mt19937_64 random = random_for(index);
    const std::string a = some_label(random);
    const std::string b = some_label(random);
    const auto few = static_cast<std::uint32_t>(1 + random() % 4);
    const std::uint64_t last = learner.statistics().last_sequence;
    const std::uint64_t first = last - std::min<std::uint64_t>(last, random() % 12);
    return repeat([&, kind = random() % 20]() {
      switch (kind) {
        case 0:
          return learner.undo(few);
        case 1:
          return learner.undo_range(first, first + few);
        case 2:
          return learner.move(few, a);
        case 3:
          return learner.move_range(first, first + few, a);
        case 4:
          return learner.forget(a);
        case 5:
          return learner.rename(a, b);
        case 6:
          return learner.add_class(a);
        default:
          return learner.teach(embedding(index), a);
      }
    });
  }

  // At most one record.
  Status apply_small(std::uint64_t index, Learner& learner) const {
    std::mt19937_64 random = random_for(index);
    const std::string a = some_label(random);
    const std::string b = some_label(random);
    const bool known = has(learner, a);
    return repeat([&, kind = random() % 16]() {
      if (!known) return learner.add_class(a);
      switch (kind) {
        case 0:
          return learner.undo(1);
        case 1:
          return learner.move(1, a);
        case 2:
          return learner.forget(a);
        case 3:
          return learner.rename(a, b);
        default:
          return learner.teach(embedding(index), a);
      }
    });
  }

 private:
  std::mt19937_64 random_for(std::uint64_t index) const {
    return std::mt19937_64(seed_ * 0x9E3779B97F4A7C15U + index);
  }

  static std::string some_label(std::mt19937_64& random) {
    return "thing " + std::to_string(random() % 8);  // more than there is room for
  }

  static bool has(const Learner& learner, const std::string& label) {
    for (const ClassInfo& info : learner.classes()) {
      if (info.label.text() == label) return true;
    }
    return false;
  }

  std::vector<float> embedding(std::uint64_t index) const {
    std::mt19937_64 random = random_for(~index);
    std::normal_distribution<float> normal;
    std::vector<float> values(dimensions_);
    for (float& value : values) value = normal(random);
    return values;
  }

  template <class Change>
  static Status repeat(const Change& change) {
    for (;;) {
      const Status status = change();
      if (status != Status::kJournalBehind) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
  }

  std::uint64_t seed_;
  std::size_t dimensions_;
};

}  // namespace jackdaw::testing
