// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers at places in a file that may end anywhere: what is behind the end reads as 0. Ask has()
// where it matters.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "jackdaw/span.hpp"

namespace jackdaw {

class Bytes {
 public:
  explicit Bytes(Span<const std::byte> all, bool little_endian = false) noexcept
      : all_(all), little_endian_(little_endian) {}

  std::uint64_t size() const noexcept { return all_.size(); }
  bool has(std::uint64_t at, std::uint64_t count) const noexcept {
    return at <= size() && count <= size() - at;
  }
  bool is(std::uint64_t at, std::string_view text) const noexcept {
    return has(at, text.size()) &&
           std::string_view(reinterpret_cast<const char*>(all_.data()) + at, text.size()) == text;
  }
  std::uint8_t u8(std::uint64_t at) const noexcept {
    return at < size() ? std::to_integer<std::uint8_t>(all_[at]) : std::uint8_t{0};
  }
  std::uint32_t u16(std::uint64_t at) const noexcept {
    return little_endian_ ? u8(at) | std::uint32_t{u8(at + 1)} << 8U
                          : u8(at + 1) | std::uint32_t{u8(at)} << 8U;
  }
  std::uint32_t u32(std::uint64_t at) const noexcept {
    return little_endian_ ? u16(at) | u16(at + 2) << 16U : u16(at + 2) | u16(at) << 16U;
  }
  Bytes part(std::uint64_t at, std::uint64_t count) const noexcept {
    return has(at, count) ? Bytes(all_.subspan(at, count), little_endian_)
                          : Bytes({}, little_endian_);
  }
  Bytes little_endian(bool yes = true) const noexcept { return Bytes(all_, yes); }

 private:
  Span<const std::byte> all_;
  bool little_endian_;
};

}  // namespace jackdaw
