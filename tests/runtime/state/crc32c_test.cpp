// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/crc32c.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

namespace jackdaw::state {
namespace {

std::vector<std::byte> bytes_of(const char* text) {
  std::vector<std::byte> out(std::strlen(text));
  std::memcpy(out.data(), text, out.size());
  return out;
}

}  // namespace

TEST_CASE("state: CRC-32C gives the published values") {
  // RFC 3720, appendix B.4, and the check value of the catalogue of CRC algorithms.
  std::vector<std::byte> data(32, std::byte{0});
  CHECK(crc32c(data) == 0x8A9136AAU);
  data.assign(32, std::byte{0xFF});
  CHECK(crc32c(data) == 0x62A8AB43U);
  for (std::size_t i = 0; i < 32; ++i) data[i] = static_cast<std::byte>(i);
  CHECK(crc32c(data) == 0x46DD794EU);
  for (std::size_t i = 0; i < 32; ++i) data[i] = static_cast<std::byte>(31 - i);
  CHECK(crc32c(data) == 0x113FDB5CU);
  CHECK(crc32c(bytes_of("123456789")) == 0xE3069283U);
  CHECK(crc32c(Span<const std::byte>()) == 0U);
}

TEST_CASE("state: the CRC instruction, the table and any split agree") {
  std::vector<std::byte> data(300);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 131 + 7);
  const Span<const std::byte> all(data);
  for (std::size_t offset = 0; offset < 9; ++offset) {
    for (std::size_t size = 0; size + offset <= data.size(); ++size) {
      const auto part = all.subspan(offset, size);
      const std::uint32_t whole = crc32c_portable(part);
      REQUIRE(crc32c(part) == whole);
      const std::size_t cut = size / 3;
      REQUIRE(crc32c(part.subspan(cut), crc32c_portable(part.first(cut))) == whole);
    }
  }
  MESSAGE("instruction in use: " << crc32c_in_hardware());
}

}  // namespace jackdaw::state
