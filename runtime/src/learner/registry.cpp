// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "learner/registry.hpp"

#include <algorithm>

#include "jackdaw/error.hpp"
#include "state/bytes.hpp"
#include "state/persistent.hpp"

namespace jackdaw {
namespace {

constexpr std::size_t kEntryBytes = 4 + 8 + 1 + Label::kMostBytes;

template <class Match>
std::uint32_t find_if(const std::vector<Registry::Entry>& entries, const Match& match) noexcept {
  const auto found = std::find_if(entries.begin(), entries.end(), match);
  return found == entries.end() ? Registry::kNone
                                : static_cast<std::uint32_t>(found - entries.begin());
}

}  // namespace

std::uint32_t Registry::find(const Label& label) const noexcept {
  return label.empty() ? kNone
                       : find_if(entries_, [&](const Entry& e) { return e.label == label; });
}

std::uint32_t Registry::find(std::uint64_t uid) const noexcept {
  return find_if(entries_, [&](const Entry& e) { return !e.label.empty() && e.uid == uid; });
}

std::uint32_t Registry::free_slot() const noexcept {
  return find_if(entries_, [](const Entry& e) { return e.label.empty(); });
}

void Registry::clear() noexcept { std::fill(entries_.begin(), entries_.end(), Entry{}); }

std::size_t Registry::most_bytes() const noexcept { return 4 + entries_.size() * kEntryBytes; }

std::size_t Registry::save(Span<std::byte> out) const noexcept {
  state::ByteWriter writer(out);
  writer.u32(static_cast<std::uint32_t>(std::count_if(
      entries_.begin(), entries_.end(), [](const Entry& e) { return !e.label.empty(); })));
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    if (!used(slot)) continue;
    const std::string_view text = entries_[slot].label.text();
    writer.u32(slot);
    writer.u64(entries_[slot].uid);
    writer.u8(static_cast<std::uint8_t>(text.size()));
    writer.bytes({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  }
  return writer.written();
}

void Registry::load(Span<const std::byte> bytes) {
  clear();
  state::ByteReader reader(bytes);
  const std::uint32_t count = reader.u32();
  if (count > entries_.size()) {
    throw state::DoesNotFit("the state holds " + std::to_string(count) + " classes, but only " +
                            std::to_string(entries_.size()) +
                            " are planned for; start with more classes");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t slot = reader.u32();
    const std::uint64_t uid = reader.u64();
    char text[UINT8_MAX];
    const std::size_t size = reader.u8();
    reader.bytes({reinterpret_cast<std::byte*>(text), size});
    const Label label = reader.ok() ? Label({text, size}) : Label();
    if (label.empty()) throw StateError("the list of classes holds a broken name");
    if (slot >= entries_.size()) {
      throw state::DoesNotFit("class '" + std::string(label.text()) + "' has slot " +
                              std::to_string(slot) + ", but only " +
                              std::to_string(entries_.size()) +
                              " classes are planned for; start with more classes");
    }
    if (used(slot) || find(label) != kNone)
      throw StateError("the list of classes repeats an entry");
    set(slot, label, uid);
  }
  if (!reader.ok() || reader.position() != bytes.size()) {
    throw StateError("the list of classes is not of the size it says");
  }
}

}  // namespace jackdaw
