// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one core can do with the same bytes when it does nothing else: the limits to compare with.

#include <cstddef>
#include <cstdint>

#include "jackdaw/span.hpp"

namespace jackdaw::bench {

// Reads every byte once.
std::uint64_t read_all(Span<const std::byte> bytes);

// Reads, changes and writes every byte once.
void update_all(Span<std::byte> bytes);

// sum of x[i % x.size()] * row[i], as fast as the compiler can make it (in any order).
float bare_dot(Span<const float> x, Span<const std::int16_t> rows);
float bare_dot(Span<const float> x, Span<const float> rows);

// Memory like the learner's own: zeroed, in large pages where there are any.
class Block {
 public:
  explicit Block(std::size_t bytes);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  Span<std::byte> bytes() const { return {data_, size_}; }
  Span<std::byte> part(std::size_t offset, std::size_t size) const {
    return {data_ + offset, size};
  }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace jackdaw::bench
