// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/record_ring.hpp"

#include "state/bytes.hpp"

namespace jackdaw::state {
namespace {

// Each item: u32 payload bytes, u32 kind, payload, rounded up to 8. Items are contiguous; where one
// does not fit before the end of the buffer, a marker sends the reader to the beginning.
constexpr std::size_t kHead = 8;
constexpr std::uint32_t kWrap = 0xFFFFFFFFU;

constexpr std::size_t round_up(std::size_t bytes) noexcept { return (bytes + 7) / 8 * 8; }

}  // namespace

RecordRing::RecordRing(std::size_t bytes) : buffer_(round_up(bytes)) {}

bool RecordRing::can_hold(std::size_t payload_bytes) const noexcept {
  return payload_bytes <= buffer_.size() && kHead + round_up(payload_bytes) <= buffer_.size();
}

bool RecordRing::push(std::uint8_t kind, Span<const std::byte> payload) noexcept {
  if (!can_hold(payload.size())) return false;
  if (used() == 0 && head_ % buffer_.size() != 0) {
    // Empty: begin at the front again, or a large record might never fit behind the middle.
    head_ += buffer_.size() - head_ % buffer_.size();
    tail_ = head_;
  }
  const std::size_t need = kHead + round_up(payload.size());
  const auto at = static_cast<std::size_t>(head_ % buffer_.size());
  const std::size_t to_end = buffer_.size() - at;
  const std::size_t skip = need <= to_end ? 0 : to_end;
  if (skip + need > buffer_.size() - used()) return false;
  const Span<std::byte> all(buffer_);
  if (skip != 0) ByteWriter(all.subspan(at)).u32(kWrap);
  ByteWriter writer(all.subspan(skip == 0 ? at : 0, need));
  writer.u32(static_cast<std::uint32_t>(payload.size()));
  writer.u32(kind);
  writer.bytes(payload);
  head_ += skip + need;
  return true;
}

RecordRing::Item RecordRing::read(Cursor& cursor) const noexcept {
  const Span<const std::byte> all(buffer_);
  auto at = static_cast<std::size_t>(cursor.position % buffer_.size());
  if (ByteReader(all.subspan(at)).u32() == kWrap) {
    cursor.position += buffer_.size() - at;
    at = 0;
  }
  ByteReader reader(all.subspan(at));
  const std::uint32_t bytes = reader.u32();
  const std::uint32_t kind = reader.u32();
  cursor.position += kHead + round_up(bytes);
  return {static_cast<std::uint8_t>(kind), all.subspan(at + kHead, bytes)};
}

}  // namespace jackdaw::state
