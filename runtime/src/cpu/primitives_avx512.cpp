// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Compiled with -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mfma -mf16c; called only
// where the CPU has them (Ice Lake, Zen 4 and later).
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.hpp"
#include "cpu/x86_lanes.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

struct V16 {
  __m512 v;

  static V16 zero() { return {_mm512_setzero_ps()}; }
  static V16 all(float value) { return {_mm512_set1_ps(value)}; }
  static V16 load(const float* p) { return {_mm512_loadu_ps(p)}; }
  static V16 load(const Half* p) { return {_mm512_cvtph_ps(load256(p))}; }
  static V16 load(const std::int16_t* p) {
    return {_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(load256(p)))};
  }
  static V16 load(const std::int32_t* p) { return {_mm512_cvtepi32_ps(_mm512_loadu_si512(p))}; }
  static V16 load(const std::int8_t* p) {
    return {_mm512_cvtepi32_ps(
        _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))))};
  }

  static __m256i load256(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
};

inline V16 fma(V16 a, V16 b, V16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }

inline __m128 four_lanes(V16 a) {
  const __m256 eight = _mm256_add_ps(_mm512_castps512_ps256(a.v), _mm512_extractf32x8_ps(a.v, 1));
  return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
}

inline float reduce(V16 a) { return reduce_four(four_lanes(a)); }

inline void reduce4(V16 a, V16 b, V16 c, V16 d, float* out) {
  reduce_four_by_four(four_lanes(a), four_lanes(b), four_lanes(c), four_lanes(d), out);
}

inline V16 clamp(V16 a, float limit) {
  return {_mm512_max_ps(_mm512_min_ps(a.v, _mm512_set1_ps(limit)), _mm512_set1_ps(-limit))};
}

inline bool differ(V16 a, V16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_NEQ_UQ) != 0; }

inline void store(float* p, V16 a) { _mm512_storeu_ps(p, a.v); }
inline void store(Half* p, V16 a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT));
}

inline __m128i fold(__m512i v) {
  return fold(_mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1)));
}

// Four keys against one example. The instruction multiplies unsigned with signed bytes, so the keys
// are raised by 128 and 128 times the example's sum is taken off again. Whole numbers: exact in any
// order.
inline void dot_i8_4(const std::int8_t* const* key, const std::int8_t* x, std::size_t stride,
                     std::int32_t* out) {
  const __m512i raise = _mm512_set1_epi8(-128);
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i sum[4] = {};
  __m512i of_example = _mm512_setzero_si512();
  for (std::size_t i = 0; i < stride; i += 64) {
    // stride is a multiple of 32: the last step may be half.
    const __mmask64 lanes = i + 64 <= stride ? ~__mmask64{0} : __mmask64{0xFFFFFFFF};
    const __m512i v = _mm512_maskz_loadu_epi8(lanes, x + i);
    of_example = _mm512_dpbusd_epi32(of_example, ones, v);
    for (std::size_t k = 0; k < 4; ++k) {
      const __m512i raised = _mm512_xor_si512(_mm512_maskz_loadu_epi8(lanes, key[k] + i), raise);
      sum[k] = _mm512_dpbusd_epi32(sum[k], raised, v);
    }
  }
  const __m128i raised_by = _mm_slli_epi32(_mm_set1_epi32(_mm512_reduce_add_epi32(of_example)), 7);
  sum_four_by_four(fold(sum[0]), fold(sum[1]), fold(sum[2]), fold(sum[3]), raised_by, out);
}

constexpr std::size_t kBlockExamples = 6;
constexpr std::size_t kBlockKeys = 4;

}  // namespace
}  // namespace jackdaw

#include "cpu/primitives_fast.hpp"

namespace jackdaw {
const Primitives kAvx512Primitives = fast_primitives("avx512");
}  // namespace jackdaw
