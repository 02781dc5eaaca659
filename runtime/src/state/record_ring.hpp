// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A queue of records in a buffer of fixed size: what has been appended to the journal and is not
// durable yet.
//
//   if (!ring.push(kind, payload)) return Status::kJournalBehind;
//   RecordRing::Cursor at = ring.oldest();
//   RecordRing::Item item = ring.read(at);    // moves the cursor to the next record
//   ring.release(at);                         // forgets everything before the cursor
//
// The owner's lock guards push(), oldest() and release(). read() needs none as long as only records
// pushed before the last locked look are read and one thread alone releases: a pushed record does
// not change until it is released. Nothing allocates after construction.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw::state {

class RecordRing {
 public:
  struct Cursor {
    std::uint64_t position = 0;  // counts bytes since the beginning of time, so it never repeats
  };
  struct Item {
    std::uint8_t kind = 0;
    Span<const std::byte> payload;
  };

  // Rounded up to a multiple of 8.
  explicit RecordRing(std::size_t bytes);

  // Whether such a record fits when the ring is empty.
  bool can_hold(std::size_t payload_bytes) const noexcept;
  bool push(std::uint8_t kind, Span<const std::byte> payload) noexcept;
  Item read(Cursor& cursor) const noexcept;
  Cursor oldest() const noexcept { return {tail_}; }
  void release(Cursor up_to) noexcept { tail_ = up_to.position; }

  std::size_t used() const noexcept { return static_cast<std::size_t>(head_ - tail_); }
  std::size_t capacity() const noexcept { return buffer_.size(); }

 private:
  std::vector<std::byte> buffer_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
};

}  // namespace jackdaw::state
