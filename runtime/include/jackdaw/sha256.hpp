// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 (FIPS 180-4).
//
//   Sha256 hash;
//   hash.add(bytes);
//   std::array<std::uint8_t, 32> digest = hash.finish();

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "jackdaw/span.hpp"

namespace jackdaw {

class Sha256 {
 public:
  void add(Span<const std::byte> bytes) noexcept;
  void add(std::string_view text) noexcept;
  std::array<std::uint8_t, 32> finish() noexcept;  // once

 private:
  void block(const std::uint8_t* bytes) noexcept;

  std::array<std::uint32_t, 8> state_{0x6A09E667U, 0xBB67AE85U, 0x3C6EF372U, 0xA54FF53AU,
                                      0x510E527FU, 0x9B05688CU, 0x1F83D9ABU, 0x5BE0CD19U};
  std::array<std::uint8_t, 64> pending_{};
  std::uint64_t bytes_ = 0;
};

std::string to_hex(Span<const std::uint8_t> bytes);
std::string sha256_hex(std::string_view text);

}  // namespace jackdaw
