// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Compiled with -mavx2 -mfma -mf16c; called only where the CPU has them.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.hpp"
#include "cpu/x86_lanes.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

struct V16 {
  __m256 low, high;  // lanes 0-7, 8-15

  static V16 zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
  static V16 all(float value) { return {_mm256_set1_ps(value), _mm256_set1_ps(value)}; }
  static V16 load(const float* p) { return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)}; }
  static V16 load(const Half* p) {
    return {_mm256_cvtph_ps(load128(p)), _mm256_cvtph_ps(load128(p + 8))};
  }
  static V16 load(const std::int16_t* p) {
    return {_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load128(p))),
            _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load128(p + 8)))};
  }
  static V16 load(const std::int32_t* p) {
    return {_mm256_cvtepi32_ps(load256(p)), _mm256_cvtepi32_ps(load256(p + 8))};
  }
  static V16 load(const std::int8_t* p) {
    const __m128i bytes = load128(p);
    return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)),
            _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8)))};
  }

  static __m128i load128(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
  static __m256i load256(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  }
};

inline V16 fma(V16 a, V16 b, V16 c) {
  return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
}

inline V16 add(V16 a, V16 b) {
  return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}

inline __m128 four_lanes(V16 v) {
  const __m256 eight = _mm256_add_ps(v.low, v.high);
  return _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
}

inline float reduce(V16 v) { return reduce_four(four_lanes(v)); }

inline void reduce4(V16 a, V16 b, V16 c, V16 d, float* out) {
  reduce_four_by_four(four_lanes(a), four_lanes(b), four_lanes(c), four_lanes(d), out);
}

inline V16 clamp(V16 v, float limit) {
  const __m256 most = _mm256_set1_ps(limit);
  const __m256 least = _mm256_set1_ps(-limit);
  return {_mm256_max_ps(_mm256_min_ps(v.low, most), least),
          _mm256_max_ps(_mm256_min_ps(v.high, most), least)};
}

// Lane by lane the larger of a, which is not negative, and |b|.
inline V16 larger_size(V16 a, V16 b) {
  const __m256 sign = _mm256_set1_ps(-0.0F);
  return {_mm256_max_ps(a.low, _mm256_andnot_ps(sign, b.low)),
          _mm256_max_ps(a.high, _mm256_andnot_ps(sign, b.high))};
}

inline bool differ(V16 a, V16 b) {
  const __m256 low = _mm256_cmp_ps(a.low, b.low, _CMP_NEQ_UQ);
  const __m256 high = _mm256_cmp_ps(a.high, b.high, _CMP_NEQ_UQ);
  return _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0;
}

inline void store(float* p, V16 v) {
  _mm256_storeu_ps(p, v.low);
  _mm256_storeu_ps(p + 8, v.high);
}

inline void store(Half* p, V16 v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtps_ph(v.low, _MM_FROUND_TO_NEAREST_INT));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 8),
                   _mm256_cvtps_ph(v.high, _MM_FROUND_TO_NEAREST_INT));
}

// Bit i: values[i] >= bound, of 16. By movemask also where there are mask registers: where GCC 12
// spills one of 16 bits it reads 32 back (seen with -O2 -fsanitize=thread), and rubbish above bit
// 15 loses winners.
inline std::uint32_t mask_at_least(const std::int32_t* values, std::int32_t bound) {
  const auto below = [&](const std::int32_t* eight) {
    const __m256i loaded = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(eight));
    const __m256i less = _mm256_cmpgt_epi32(_mm256_set1_epi32(bound), loaded);
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(less)));
  };
  return ~(below(values) | below(values + 8) << 8U) & 0xFFFFU;
}

// out[i] += the sum over pairs p of x[p][2*i]*factors[2*p] + x[p][2*i + 1]*factors[2*p + 1], for
// i < end, a multiple of 16.
template <std::size_t Pairs>
inline void add_products(std::int32_t* out, std::size_t end, const std::int16_t* x, std::size_t row,
                         const std::int16_t* factors) {
  __m256i factor[Pairs];
  for (std::size_t p = 0; p < Pairs; ++p) {
    int both = 0;
    __builtin_memcpy(&both, factors + 2 * p, 4);
    factor[p] = _mm256_set1_epi32(both);
  }
  for (std::size_t i = 0; i < end; i += 8) {
    __m256i sum = V16::load256(out + i);
    for (std::size_t p = 0; p < Pairs; ++p) {
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(V16::load256(x + p * row + 2 * i), factor[p]));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), sum);
  }
}

// E examples against four keys: out[e*row + k].
template <std::size_t E>
inline void dot_bytes(const std::int8_t* const* key, const std::int8_t* examples,
                      std::size_t stride, const std::int32_t* /*example_sums*/, std::int32_t* out,
                      std::size_t row) {
  __m256i sum[E][4];
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t k = 0; k < 4; ++k) sum[e][k] = _mm256_setzero_si256();
  }
  for (std::size_t i = 0; i < stride; i += 16) {
    __m256i v[E];
    for (std::size_t e = 0; e < E; ++e) {
      v[e] = _mm256_cvtepi8_epi16(V16::load128(examples + e * stride + i));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const __m256i wide = _mm256_cvtepi8_epi16(V16::load128(key[k] + i));
      for (std::size_t e = 0; e < E; ++e) {
        sum[e][k] = _mm256_add_epi32(sum[e][k], _mm256_madd_epi16(v[e], wide));
      }
    }
  }
  for (std::size_t e = 0; e < E; ++e) {
    sum_four_by_four(fold(sum[e][0]), fold(sum[e][1]), fold(sum[e][2]), fold(sum[e][3]),
                     _mm_setzero_si128(), out + e * row);
  }
}

constexpr std::size_t kBlockExamples = 2;

}  // namespace
}  // namespace jackdaw

#include "cpu/append_by_mask.hpp"
#include "cpu/key_rows_fast.hpp"
#include "cpu/primitives_fast.hpp"

namespace jackdaw {
const Primitives kAvx2Primitives =
    fast_primitives("avx2", fast_similarities, keep_keys, fast_split);
}  // namespace jackdaw
