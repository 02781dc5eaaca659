// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "learner/undo_ring.hpp"

#include <cstring>
#include <vector>

#include "jackdaw/error.hpp"
#include "state/bytes.hpp"

namespace jackdaw {
namespace {

// An entry: sequence number, slot, then the example.
constexpr std::size_t kHeader = 16;

}  // namespace

UndoRing::UndoRing(Span<std::byte> memory, std::uint32_t depth, std::size_t example_bytes) noexcept
    : memory_(memory),
      depth_(depth),
      example_bytes_(example_bytes),
      entry_bytes_(depth == 0 ? 0 : memory.size() / depth) {}

std::byte* UndoRing::entry(std::uint32_t age) const noexcept {
  return memory_.data() + (newest_ + depth_ - age) % depth_ * entry_bytes_;
}

UndoRing::Entry UndoRing::at(std::uint32_t age) const noexcept {
  Entry result;
  std::memcpy(&result.sequence, entry(age), 8);
  std::memcpy(&result.slot, entry(age) + 8, 4);
  result.example = {entry(age) + kHeader, example_bytes_};
  return result;
}

void UndoRing::push(std::uint64_t sequence, std::uint32_t slot,
                    Span<const std::byte> example) noexcept {
  if (depth_ == 0) return;
  newest_ = (newest_ + 1) % depth_;
  size_ = size_ < depth_ ? size_ + 1 : depth_;
  std::memcpy(entry(0), &sequence, 8);
  std::memcpy(entry(0) + 8, &slot, 4);
  std::memcpy(entry(0) + kHeader, example.data(), example_bytes_);
}

void UndoRing::remove(std::uint32_t age) noexcept {
  // Newer ones move back by one place.
  for (; age > 0; --age) std::memcpy(entry(age), entry(age - 1), entry_bytes_);
  newest_ = (newest_ + depth_ - 1) % depth_;
  --size_;
}

void UndoRing::relabel(std::uint32_t age, std::uint32_t slot) noexcept {
  std::memcpy(entry(age) + 8, &slot, 4);
}

void UndoRing::remove_slot(std::uint32_t slot) noexcept {
  for (std::uint32_t age = size_; age-- > 0;) {
    if (at(age).slot == slot) remove(age);
  }
}

std::uint32_t UndoRing::find(std::uint64_t sequence) const noexcept {
  std::uint32_t age = 0;
  while (age < size_ && at(age).sequence != sequence) ++age;
  return age;
}

std::size_t UndoRing::save(Span<std::byte> out) const noexcept {
  state::ByteWriter writer(out);
  writer.u32(size_);
  for (std::uint32_t age = size_; age-- > 0;) {
    const Entry e = at(age);
    writer.u64(e.sequence);
    writer.u32(e.slot);
    writer.bytes(e.example);
  }
  return writer.written();
}

void UndoRing::load(Span<const std::byte> bytes) {
  clear();
  state::ByteReader reader(bytes);
  const std::uint32_t count = reader.u32();
  if (bytes.size() < 4 || (bytes.size() - 4) / (12 + example_bytes_) != count ||
      (bytes.size() - 4) % (12 + example_bytes_) != 0) {
    throw StateError("the list of the last examples is not of the size it says");
  }
  std::vector<std::byte> example(example_bytes_);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t sequence = reader.u64();
    const std::uint32_t slot = reader.u32();
    reader.bytes(example);
    push(sequence, slot, example);
  }
}

}  // namespace jackdaw
