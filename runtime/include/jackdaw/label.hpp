// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The name of a class: UTF-8, 1 to 63 bytes, no control characters. Kept in place, so that labels
// can be copied on the frame path without allocating.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jackdaw {

class Label {
 public:
  static constexpr std::size_t kMostBytes = 63;

  Label() noexcept = default;
  // Empty if the text is no valid label.
  explicit Label(std::string_view text) noexcept;

  bool empty() const noexcept { return size_ == 0; }
  std::string_view text() const noexcept { return {text_.data(), size_}; }

  friend bool operator==(const Label& a, const Label& b) noexcept { return a.text() == b.text(); }
  friend bool operator!=(const Label& a, const Label& b) noexcept { return !(a == b); }

 private:
  std::array<char, kMostBytes> text_{};
  std::uint8_t size_ = 0;
};

}  // namespace jackdaw
