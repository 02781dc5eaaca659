// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/half.hpp"

#include <cstddef>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// The fast versions convert as many elements as fit their vectors and return how many that were;
// the scalar code of half.hpp, which is the specification, does the rest.

namespace jackdaw {
namespace {

#if defined(__x86_64__)

// The instructions are enabled for these functions alone (not for the file), so that no inline
// function of a header is compiled with AVX here and then shared with the rest of the program.
#define JACKDAW_F16C __attribute__((target("avx,f16c")))

constexpr const char* kName = "f16c";

// clang 14 refuses __builtin_cpu_supports("f16c"), so that bit is read from CPUID.
// "avx" also asks whether the operating system saves the registers.
bool cpu_has_it() noexcept {
  static const bool has = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0 &&
           __builtin_cpu_supports("avx") != 0;
  }();
  return has;
}

// The rounding mode is in the instruction, and both instructions ignore MXCSR's flush-to-zero and
// denormals-are-zero bits, except that a subnormal float may be read as zero: as a half it is zero
// in any case. NaNs are made quiet and their payload is cut at the bottom, as in half.hpp.
JACKDAW_F16C std::size_t vectors_to_half(const float* from, Half* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), halves);
  }
  return i;
}

JACKDAW_F16C std::size_t vectors_to_float(const Half* from, float* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  return i;
}

#elif defined(__aarch64__)

constexpr const char* kName = "neon";

// Every aarch64 CPU has the instructions, but they obey FPCR: in any mode other than the one that
// programs start with (alternative half format, default NaN, flush to zero, rounding) the scalar
// code answers instead.
bool cpu_has_it() noexcept {
  constexpr std::uint64_t kModes = (1U << 26) | (1U << 25) | (1U << 24) | (3U << 22) | (1U << 19);
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return (fpcr & kModes) == 0;
}

std::size_t vectors_to_half(const float* from, Half* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float16x4_t halves = vcvt_f16_f32(vld1q_f32(from + i));
    vst1_u16(reinterpret_cast<std::uint16_t*>(to + i), vreinterpret_u16_f16(halves));
  }
  return i;
}

std::size_t vectors_to_float(const Half* from, float* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const uint16x4_t bits = vld1_u16(reinterpret_cast<const std::uint16_t*>(from + i));
    vst1q_f32(to + i, vcvt_f32_f16(vreinterpret_f16_u16(bits)));
  }
  return i;
}

#else

constexpr const char* kName = "portable";

bool cpu_has_it() noexcept { return false; }
std::size_t vectors_to_half(const float*, Half*, std::size_t) noexcept { return 0; }
std::size_t vectors_to_float(const Half*, float*, std::size_t) noexcept { return 0; }

#endif

}  // namespace

Status to_half(Span<const float> from, Span<Half> to) noexcept {
  if (from.size() != to.size()) return Status::kWrongSize;
  std::size_t i = cpu_has_it() ? vectors_to_half(from.data(), to.data(), from.size()) : 0;
  for (; i < from.size(); ++i) to[i] = to_half(from[i]);
  return Status::kOk;
}

Status to_float(Span<const Half> from, Span<float> to) noexcept {
  if (from.size() != to.size()) return Status::kWrongSize;
  std::size_t i = cpu_has_it() ? vectors_to_float(from.data(), to.data(), from.size()) : 0;
  for (; i < from.size(); ++i) to[i] = to_float(from[i]);
  return Status::kOk;
}

const char* half_conversion() noexcept { return cpu_has_it() ? kName : "portable"; }

}  // namespace jackdaw
