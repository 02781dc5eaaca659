// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "onnx/wire.hpp"

namespace jackdaw::onnx {
namespace {

constexpr std::uint32_t kVarint = 0, kEight = 1, kBytes = 2, kFour = 5;  // kinds of value

}  // namespace

std::string_view WireReader::take(std::uint64_t size) {
  if (size > rest_.size()) throw WireError("a field is longer than the file");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  throw WireError("a number has too many bytes");
}

bool WireReader::next() {
  if (rest_.empty()) return false;
  const std::string_view before = rest_;
  const std::uint64_t tag = varint();
  field_ = static_cast<std::uint32_t>(tag >> 3U);
  if (field_ == 0) throw WireError("a field has number 0");
  number_ = 0;
  bytes_ = {};
  switch (tag & 7U) {
    case kVarint:
      number_ = varint();
      break;
    case kEight:
      take(8);
      break;
    case kBytes:
      bytes_ = take(varint());
      break;
    case kFour:
      take(4);
      break;
    default:
      throw WireError("a field is of an unknown kind");
  }
  written_ = before.substr(0, before.size() - rest_.size());
  return true;
}

void WireWriter::varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) out_.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
  out_.push_back(static_cast<char>(value));
}

void WireWriter::number(std::uint32_t field, std::uint64_t value) {
  varint(std::uint64_t{field} << 3U | kVarint);
  varint(value);
}

void WireWriter::bytes(std::uint32_t field, std::string_view value) {
  varint(std::uint64_t{field} << 3U | kBytes);
  varint(value.size());
  out_.append(value);
}

}  // namespace jackdaw::onnx
