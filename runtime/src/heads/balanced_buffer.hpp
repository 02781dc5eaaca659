// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which examples to keep when not all can be kept: class-balancing reservoir sampling (Chrysakis &
// Moens 2020). While there is room everything is kept. Then an example of a small class takes the
// place of a random one of the largest class; a class that is or was the largest holds a uniform
// sample of its own examples. So rare classes keep all they have, and the others share the rest.
//
//   std::uint32_t place = buffer.place_for(slot);
//   if (place != BalancedBuffer::kNone) { ...write the example at `place`... }

#include <cstdint>

#include "core/random.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

class BalancedBuffer {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  struct ClassState {
    std::uint64_t seen = 0;
    std::uint32_t held = 0;
    std::uint32_t was_largest = 0;  // 1: has given up or turned away an example
  };

  // Both are kept by the caller, who zeroes classes. owners: [capacity], at least one for each
  // class; then no class ever loses its last example.
  BalancedBuffer(Span<std::uint32_t> owners, Span<ClassState> classes, std::uint64_t seed) noexcept
      : owners_(owners), classes_(classes), random_(seed) {}

  // Takes note of an example of a class: where to put it, over what is there, or kNone.
  std::uint32_t place_for(std::uint32_t slot) noexcept;

  std::uint32_t size() const noexcept { return size_; }
  std::uint32_t owner(std::uint32_t place) const noexcept { return owners_[place]; }
  const ClassState& state(std::uint32_t slot) const noexcept { return classes_[slot]; }

 private:
  std::uint32_t largest() noexcept;
  std::uint32_t random_place_of(std::uint32_t slot) noexcept;

  Span<std::uint32_t> owners_;
  Span<ClassState> classes_;
  std::uint32_t size_ = 0;
  Random random_;
};

}  // namespace jackdaw
