// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Little-endian encoding, byte by byte, so that files are the same on every machine.
//
//   ByteWriter out(buffer);  out.u32(version);  out.u64(generation);
//   ByteReader in(buffer);   version = in.u32();  generation = in.u64();  if (!in.ok()) ...
//
// Neither ever touches memory outside its span: a writer drops what does not fit, a reader gives
// zeros, and ok() is false from then on.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "jackdaw/span.hpp"

namespace jackdaw::state {

class ByteWriter {
 public:
  explicit ByteWriter(Span<std::byte> out) noexcept : out_(out) {}

  void u8(std::uint8_t value) noexcept { integer(value, 1); }
  void u32(std::uint32_t value) noexcept { integer(value, 4); }
  void u64(std::uint64_t value) noexcept { integer(value, 8); }
  void bytes(Span<const std::byte> data) noexcept {
    if (!fits(data.size())) return;
    if (!data.empty()) std::memcpy(out_.data() + at_, data.data(), data.size());
    at_ += data.size();
  }
  void zeros(std::size_t count) noexcept {
    if (!fits(count)) return;
    if (count != 0) std::memset(out_.data() + at_, 0, count);
    at_ += count;
  }

  std::size_t written() const noexcept { return at_; }
  bool ok() const noexcept { return ok_; }

 private:
  bool fits(std::size_t count) noexcept {
    ok_ = ok_ && count <= out_.size() - at_;
    return ok_;
  }
  void integer(std::uint64_t value, std::size_t count) noexcept {
    if (!fits(count)) return;
    for (std::size_t i = 0; i < count; ++i, value >>= 8U) {
      out_[at_++] = static_cast<std::byte>(value & 0xFFU);
    }
  }

  Span<std::byte> out_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

class ByteReader {
 public:
  explicit ByteReader(Span<const std::byte> in) noexcept : in_(in) {}

  std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(integer(1)); }
  std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(integer(4)); }
  std::uint64_t u64() noexcept { return integer(8); }
  void bytes(Span<std::byte> out) noexcept {
    if (!fits(out.size())) return;
    if (!out.empty()) std::memcpy(out.data(), in_.data() + at_, out.size());
    at_ += out.size();
  }
  std::size_t position() const noexcept { return at_; }
  bool ok() const noexcept { return ok_; }

 private:
  bool fits(std::size_t count) noexcept {
    ok_ = ok_ && count <= in_.size() - at_;
    return ok_;
  }
  std::uint64_t integer(std::size_t count) noexcept {
    if (!fits(count)) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value |= std::to_integer<std::uint64_t>(in_[at_++]) << (8U * i);
    }
    return value;
  }

  Span<const std::byte> in_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

inline bool all_zero(Span<const std::byte> data) noexcept {
  for (const std::byte b : data) {
    if (b != std::byte{0}) return false;
  }
  return true;
}

}  // namespace jackdaw::state
