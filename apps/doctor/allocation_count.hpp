// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often this program has called operator new, in all threads. The program that links this has
// its operator new replaced by one that counts while it is asked to; that is what C++ allows a
// program to do. Plain malloc, as C libraries use it, is not seen.
//
//   const AllocationCount count;
//   learner.predict(embedding, answer);
//   CHECK(count.so_far() == 0);

#include <cstdint>

namespace jackdaw::doctor {

// One at a time.
class AllocationCount {
 public:
  AllocationCount() noexcept;
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  std::uint64_t so_far() const noexcept;
};

}  // namespace jackdaw::doctor
