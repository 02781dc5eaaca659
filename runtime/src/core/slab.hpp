// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One allocation, laid out by a memory plan.

#include <cstddef>
#include <memory>
#include <string>

#include "jackdaw/memory_plan.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

class Slab {
 public:
  // Zeroed. Throws CapacityError, with the number of bytes, when the system has no more.
  explicit Slab(const MemoryPlan& plan);

  // Empty if the plan has no such section.
  Span<std::byte> section(const char* name) const noexcept;

  template <class T>
  T* at(const char* name) const noexcept {
    return reinterpret_cast<T*>(section(name).data());
  }

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };

  const MemoryPlan& plan_;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace jackdaw
