// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which slot has which name. Looked up on the frame path: fixed size, no allocation after set-up.

#include <cstdint>
#include <vector>

#include "jackdaw/label.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

class Registry {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Entry {
    Label label;            // empty: the slot is free
    std::uint64_t uid = 0;  // stays with a class through renaming and copying
  };

  explicit Registry(std::uint32_t slots) : entries_(slots) {}

  std::uint32_t find(const Label& label) const noexcept;  // kNone if there is none
  std::uint32_t find(std::uint64_t uid) const noexcept;
  std::uint32_t free_slot() const noexcept;
  const Entry& at(std::uint32_t slot) const noexcept { return entries_[slot]; }
  bool used(std::uint32_t slot) const noexcept {
    return slot < entries_.size() && !entries_[slot].label.empty();
  }
  std::uint32_t slots() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }

  void set(std::uint32_t slot, const Label& label, std::uint64_t uid) noexcept {
    entries_[slot] = {label, uid};
  }
  void clear(std::uint32_t slot) noexcept { entries_[slot] = {}; }
  void clear() noexcept;

  // As bytes, for a snapshot.
  std::size_t most_bytes() const noexcept;
  std::size_t save(Span<std::byte> out) const noexcept;
  void load(Span<const std::byte> bytes);  // throws StateError

 private:
  std::vector<Entry> entries_;
};

}  // namespace jackdaw
