// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The last examples that were taught, in memory of a fixed size: what undo and move work on.
// When it is full, the oldest example is let go (it stays taught).

#include <cstdint>

#include "jackdaw/span.hpp"

namespace jackdaw {

class UndoRing {
 public:
  struct Entry {
    std::uint64_t sequence = 0;
    std::uint32_t slot = 0;
    Span<const std::byte> example;
  };

  UndoRing(Span<std::byte> memory, std::uint32_t depth, std::size_t example_bytes) noexcept;

  std::uint32_t size() const noexcept { return size_; }
  Entry at(std::uint32_t age) const noexcept;  // 0: the newest

  void push(std::uint64_t sequence, std::uint32_t slot, Span<const std::byte> example) noexcept;
  void remove(std::uint32_t age) noexcept;
  void relabel(std::uint32_t age, std::uint32_t slot) noexcept;
  void remove_slot(std::uint32_t slot) noexcept;  // every example of a class that is forgotten
  void clear() noexcept { size_ = 0; }
  // Age of the example with that sequence number; size() if there is none.
  std::uint32_t find(std::uint64_t sequence) const noexcept;

  std::size_t most_bytes() const noexcept { return 4 + depth_ * (12 + example_bytes_); }
  std::size_t save(Span<std::byte> out) const noexcept;
  void load(Span<const std::byte> bytes);  // throws StateError

 private:
  std::byte* entry(std::uint32_t age) const noexcept;

  Span<std::byte> memory_;
  std::uint32_t depth_;
  std::size_t example_bytes_;
  std::size_t entry_bytes_;
  std::uint32_t newest_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace jackdaw
