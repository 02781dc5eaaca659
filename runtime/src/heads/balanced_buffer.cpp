// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "heads/balanced_buffer.hpp"

namespace jackdaw {

std::uint32_t BalancedBuffer::place_for(std::uint32_t slot) noexcept {
  ClassState& state = classes_[slot];
  ++state.seen;
  if (size_ < owners_.size()) {
    ++state.held;
    owners_[size_] = slot;
    return size_++;
  }
  const std::uint32_t giver = largest();
  if (state.held == classes_[giver].held) state.was_largest = 1;
  if (state.was_largest != 0) {  // the reservoir: keep with probability held/seen
    if (random_.below(state.seen) >= state.held) return kNone;
    return random_place_of(slot);
  }
  const std::uint32_t place = random_place_of(giver);
  classes_[giver].was_largest = 1;
  --classes_[giver].held;
  ++state.held;
  owners_[place] = slot;
  return place;
}

// Of several, one at random: else the first classes would always be the ones to give.
std::uint32_t BalancedBuffer::largest() noexcept {
  std::uint32_t most = 0;
  std::uint32_t count = 0;
  std::uint32_t found = 0;
  for (std::uint32_t c = 0; c < classes_.size(); ++c) {
    if (classes_[c].held < most || classes_[c].held == 0) continue;
    count = classes_[c].held > most ? 1 : count + 1;
    most = classes_[c].held;
    if (random_.below(count) == 0) found = c;
  }
  return found;
}

// A walk over the owners costs far less than the answers that the same buffer is made for, and
// needs no list of places for each class.
std::uint32_t BalancedBuffer::random_place_of(std::uint32_t slot) noexcept {
  std::uint64_t left = random_.below(classes_[slot].held);
  for (std::uint32_t place = 0; place < size_; ++place) {
    if (owners_[place] == slot && left-- == 0) return place;
  }
  return kNone;  // not reached: held counts the owners
}

}  // namespace jackdaw
