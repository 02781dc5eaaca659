// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace jackdaw::state {
namespace {

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Table make_table() {
  Table table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1U) != 0 ? (value >> 1U) ^ 0x82F63B78U : value >> 1U;
    }
    table[0][i] = value;
  }
  for (std::size_t slice = 1; slice < 8; ++slice) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t value = table[slice - 1][i];
      table[slice][i] = (value >> 8U) ^ table[0][value & 0xFFU];
    }
  }
  return table;
}

constexpr Table kTable = make_table();

std::uint32_t load_u32(const std::byte* p) noexcept {
  return std::to_integer<std::uint32_t>(p[0]) | std::to_integer<std::uint32_t>(p[1]) << 8U |
         std::to_integer<std::uint32_t>(p[2]) << 16U | std::to_integer<std::uint32_t>(p[3]) << 24U;
}

using Function = std::uint32_t (*)(Span<const std::byte>, std::uint32_t) noexcept;

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) std::uint32_t crc32c_instruction(Span<const std::byte> data,
                                                                   std::uint32_t before) noexcept {
  const std::byte* p = data.data();
  std::size_t left = data.size();
  std::uint64_t crc = ~before;
  for (; left >= 8; left -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    crc = _mm_crc32_u64(crc, word);
  }
  auto crc32 = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++p) crc32 = _mm_crc32_u8(crc32, std::to_integer<std::uint8_t>(*p));
  return ~crc32;
}

bool has_instruction() noexcept {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0;
}

#elif defined(__aarch64__) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

// Assembly rather than <arm_acle.h>, which g++ and clang guard differently when the file is not
// compiled for +crc as a whole.
std::uint32_t crc32c_instruction(Span<const std::byte> data, std::uint32_t before) noexcept {
  const std::byte* p = data.data();
  std::size_t left = data.size();
  std::uint32_t crc = ~before;
  for (; left >= 8; left -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    asm(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  }
  for (; left > 0; --left, ++p) {
    const auto byte = std::to_integer<std::uint32_t>(*p);
    asm(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(byte));
  }
  return ~crc;
}

bool has_instruction() noexcept {
  constexpr unsigned long kHwcapCrc32 = 1UL << 7U;
  return (getauxval(AT_HWCAP) & kHwcapCrc32) != 0;
}

#else

std::uint32_t crc32c_instruction(Span<const std::byte> data, std::uint32_t before) noexcept {
  return crc32c_portable(data, before);
}

bool has_instruction() noexcept { return false; }

#endif

}  // namespace

std::uint32_t crc32c_portable(Span<const std::byte> data, std::uint32_t before) noexcept {
  const std::byte* p = data.data();
  std::size_t left = data.size();
  std::uint32_t crc = ~before;
  for (; left >= 8; left -= 8, p += 8) {
    const std::uint32_t low = load_u32(p) ^ crc;
    const std::uint32_t high = load_u32(p + 4);
    crc = kTable[7][low & 0xFFU] ^ kTable[6][(low >> 8U) & 0xFFU] ^
          kTable[5][(low >> 16U) & 0xFFU] ^ kTable[4][low >> 24U] ^ kTable[3][high & 0xFFU] ^
          kTable[2][(high >> 8U) & 0xFFU] ^ kTable[1][(high >> 16U) & 0xFFU] ^
          kTable[0][high >> 24U];
  }
  for (; left > 0; --left, ++p) {
    crc = (crc >> 8U) ^ kTable[0][(crc ^ std::to_integer<std::uint32_t>(*p)) & 0xFFU];
  }
  return ~crc;
}

bool crc32c_in_hardware() noexcept {
  static const bool answer = has_instruction();
  return answer;
}

std::uint32_t crc32c(Span<const std::byte> data, std::uint32_t before) noexcept {
  static const Function function = crc32c_in_hardware() ? &crc32c_instruction : &crc32c_portable;
  return function(data, before);
}

}  // namespace jackdaw::state
