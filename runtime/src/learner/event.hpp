// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the journal says: every change of the learner, complete in itself, so that replaying needs
// nothing but the records (recovery applies the parts of a record that a snapshot does not hold).

#include <cstdint>

#include "jackdaw/label.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

enum class EventKind : std::uint8_t {
  kTeach = 1,      // slot, example
  kUnteach = 2,    // slot, sequence of the teaching, example
  kMove = 3,       // slot, sequence of the teaching, target slot, example
  kOpen = 4,       // slot, uid, label
  kClose = 5,      // slot, count, class sums: what the shared statistics lose
  kRename = 6,     // slot, label
  kTakenOver = 7,  // what was learned before came from another state; only a snapshot holds it
};

struct Event {
  EventKind kind = EventKind::kTeach;
  std::uint32_t slot = 0;
  std::uint32_t target = 0;
  std::uint64_t taught = 0;  // sequence number
  std::uint64_t uid = 0;
  std::int32_t count = 0;
  Label label;
  Span<const std::byte> example;
  Span<const std::byte> sums;  // int32, little-endian
};

// Largest payload for these sizes.
std::size_t most_event_bytes(std::size_t example_bytes, std::size_t sums_bytes) noexcept;

// Bytes written.
std::size_t encode(const Event& event, Span<std::byte> out) noexcept;

// Throws StateError when the payload is not one of ours. Spans point into the payload.
Event decode(std::uint8_t kind, Span<const std::byte> payload, std::size_t example_bytes,
             std::size_t sums_bytes);

}  // namespace jackdaw
