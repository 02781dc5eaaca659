// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where every byte of the learner lies, known before the first one is allocated.
//
//   MemoryPlan plan = plan_memory(settings);      // throws CapacityError over the budget
//   for (const PlannedSection& s : plan.sections) print(s.name, s.purpose, s.offset, s.bytes);

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/settings.hpp"

namespace jackdaw {

inline constexpr std::size_t kSlabAlignment = 256;  // bytes; of every section's offset

struct PlannedSection {
  std::string name;     // "rows", "keys", ...
  std::string purpose;  // "weights", "keys", "statistics", "scratch", "undo"
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct MemoryPlan {
  std::vector<PlannedSection> sections;  // in the order of their offsets
  std::uint64_t total_bytes = 0;

  // Throws CapacityError if there is none of that name.
  const PlannedSection& section(const std::string& name) const;
};

// Validates the settings. Throws CapacityError, naming the numbers, when a product overflows or
// the total is over settings.budget_bytes.
MemoryPlan plan_memory(const EnsembleSettings& settings);

// Bytes of what scales with the number of classes (rows, counts, class statistics): what other
// heads are given to be compared at equal memory.
std::uint64_t store_bytes(const EnsembleSettings& settings);

}  // namespace jackdaw
