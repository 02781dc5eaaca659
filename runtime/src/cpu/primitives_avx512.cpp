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

inline V16 add(V16 a, V16 b) { return {_mm512_add_ps(a.v, b.v)}; }

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

// Lane by lane the larger of a, which is not negative, and |b|.
inline V16 larger_size(V16 a, V16 b) { return {_mm512_max_ps(a.v, _mm512_abs_ps(b.v))}; }

inline bool differ(V16 a, V16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_NEQ_UQ) != 0; }

inline void store(float* p, V16 a) { _mm512_storeu_ps(p, a.v); }
inline void store(Half* p, V16 a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT));
}

inline __m128i fold(__m512i v) {
  return fold(_mm256_add_epi32(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1)));
}

// Lists those of 16 values, the first of which has index `first`, that reach `bound`; how many.
inline std::size_t append_reached(const std::int32_t* values, std::int32_t bound,
                                  std::uint32_t first, std::uint32_t* indices) {
  const __m512i counting = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __mmask16 reached =
      _mm512_cmpge_epi32_mask(_mm512_loadu_si512(values), _mm512_set1_epi32(bound));
  const auto count = static_cast<unsigned>(__builtin_popcount(reached));
  const __m512i all = _mm512_add_epi32(counting, _mm512_set1_epi32(static_cast<int>(first)));
  _mm512_mask_storeu_epi32(indices, static_cast<__mmask16>((1U << count) - 1U),
                           _mm512_maskz_compress_epi32(reached, all));
  return count;
}

// out[i] += the sum over pairs p of x[p][2*i]*factors[2*p] + x[p][2*i + 1]*factors[2*p + 1], for
// i < end, a multiple of 16.
template <std::size_t Pairs>
inline void add_products(std::int32_t* out, std::size_t end, const std::int16_t* x, std::size_t row,
                         const std::int16_t* factors) {
  __m512i factor[Pairs];
  for (std::size_t p = 0; p < Pairs; ++p) {
    int both = 0;
    __builtin_memcpy(&both, factors + 2 * p, 4);
    factor[p] = _mm512_set1_epi32(both);
  }
  for (std::size_t i = 0; i < end; i += 16) {
    __m512i sum = _mm512_loadu_si512(out + i);
#pragma GCC unroll 8
    for (std::size_t p = 0; p < Pairs; ++p) {
      sum = _mm512_dpwssd_epi32(sum, _mm512_loadu_si512(x + p * row + 2 * i), factor[p]);
    }
    _mm512_storeu_si512(out + i, sum);
  }
}

// E examples against four keys: out[e*row + k]. The instruction multiplies unsigned with signed
// bytes, so the keys are raised by 128 and 128 times the example's sum is taken off again.
template <std::size_t E>
__attribute__((noinline)) void dot_bytes(const std::int8_t* const* key, const std::int8_t* examples,
                                         std::size_t stride, const std::int32_t* example_sums,
                                         std::int32_t* out, std::size_t row) {
  const __m512i raise = _mm512_set1_epi8(-128);
  __m512i sum[E][4] = {};
  for (std::size_t i = 0; i < stride; i += 64) {
    // stride is a multiple of 32: the last step may be half.
    const __mmask64 lanes = i + 64 <= stride ? ~__mmask64{0} : __mmask64{0xFFFFFFFF};
    __m512i raised[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      raised[k] = _mm512_xor_si512(_mm512_maskz_loadu_epi8(lanes, key[k] + i), raise);
    }
#pragma GCC unroll 4
    for (std::size_t e = 0; e < E; ++e) {
      const __m512i v = _mm512_maskz_loadu_epi8(lanes, examples + e * stride + i);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) sum[e][k] = _mm512_dpbusd_epi32(sum[e][k], raised[k], v);
    }
  }
#pragma GCC unroll 4
  for (std::size_t e = 0; e < E; ++e) {
    sum_four_by_four(fold(sum[e][0]), fold(sum[e][1]), fold(sum[e][2]), fold(sum[e][3]),
                     _mm_set1_epi32(example_sums[e] * 128), out + e * row);
  }
}

}  // namespace
}  // namespace jackdaw

#include "cpu/primitives_fast.hpp"

namespace jackdaw {
namespace {

// Sixty-four keys side by side: [n/64][stride/4][64 keys][4 elements], raised by 128. Four elements
// of an example, in every lane, meet those of sixteen keys; no sum runs across a register.
constexpr std::size_t kSideBySide = 64;

void pack_keys(const std::int8_t* keys, std::size_t n, std::size_t stride, std::int8_t* packed) {
  for (std::size_t j = 0; j < (n + kSideBySide - 1) / kSideBySide * kSideBySide; ++j) {
    std::int8_t* group = packed + j / kSideBySide * kSideBySide * stride + j % kSideBySide * 4;
    for (std::size_t i = 0; i < stride; ++i) {
      const int key = j < n ? keys[j * stride + i] : 0;
      group[i / 4 * 4 * kSideBySide + i % 4] = static_cast<std::int8_t>(key ^ -128);
    }
  }
}

// E examples against one group: out[e*row + key].
template <std::size_t E>
__attribute__((noinline)) void dot_group(const std::int8_t* group, const std::int8_t* examples,
                                         std::size_t stride, const std::int32_t* example_sums,
                                         std::int32_t* out, std::size_t row) {
  __m512i sum[E][4];
#pragma GCC unroll 8
  for (std::size_t e = 0; e < E; ++e) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) sum[e][k] = _mm512_set1_epi32(-128 * example_sums[e]);
  }
  for (std::size_t i = 0; i < stride; i += 4) {
    __m512i keys[4];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) {
      keys[k] = _mm512_loadu_si512(group + i * kSideBySide + 64 * k);
    }
#pragma GCC unroll 8
    for (std::size_t e = 0; e < E; ++e) {
      int four = 0;
      __builtin_memcpy(&four, examples + e * stride + i, 4);
      const __m512i v = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) sum[e][k] = _mm512_dpbusd_epi32(sum[e][k], keys[k], v);
    }
  }
#pragma GCC unroll 8
  for (std::size_t e = 0; e < E; ++e) {
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) _mm512_storeu_si512(out + e * row + 16 * k, sum[e][k]);
  }
}

void group_similarities(const std::int8_t* packed, std::size_t n, std::size_t stride,
                        const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                        std::size_t row) {
  constexpr std::size_t E = 6;
  constexpr std::size_t kPart = 10 * E;  // of the batch, to stay in the first-level cache
  for (std::size_t start = 0; start < batch; start += kPart) {
    const std::size_t count = start + kPart < batch ? kPart : batch - start;
    const std::int8_t* part = examples + start * stride;
    std::int32_t sums[kPart];
    for (std::size_t b = 0; b < count; ++b) sums[b] = sum_of_bytes(part + b * stride, stride);
    for (std::size_t j = 0; j < n; j += kSideBySide) {
      const std::int8_t* group = packed + j * stride;
      std::int32_t rest[E][kSideBySide];  // where a whole group does not fit
      for (std::size_t b = 0; b < count; b += E) {
        const std::size_t now = b + E < count ? E : count - b;
        const bool whole = j + kSideBySide <= n;
        std::int32_t* to = whole ? out + (start + b) * row + j : rest[0];
        const std::size_t to_row = whole ? row : kSideBySide;
        if (now == E) {
          dot_group<E>(group, part + b * stride, stride, sums + b, to, to_row);
        } else {
          for (std::size_t e = 0; e < now; ++e) {
            dot_group<1>(group, part + (b + e) * stride, stride, sums + b + e, to + e * to_row,
                         to_row);
          }
        }
        if (whole) continue;
        for (std::size_t e = 0; e < now; ++e) {
          for (std::size_t k = 0; j + k < n; ++k) out[(start + b + e) * row + j + k] = rest[e][k];
        }
      }
    }
  }
}

// As fast_split, sixteen elements at a time.
void split(const float* x, std::size_t stride, SplitExample& example) {
  const __m512 one = _mm512_set1_ps(kFixedPointOne);
  const auto whole_at = [&](std::size_t i) {
    const __m512 inside = clamp(V16::load(x + i), 1.0F).v;
    return _mm512_cvtps_epi32(_mm512_mul_ps(inside, one));
  };
  __m512i most = _mm512_setzero_si512();
  for (std::size_t i = 0; i < stride; i += 16) {
    most = _mm512_max_epi32(most, _mm512_abs_epi32(whole_at(i)));
  }
  const std::int32_t largest = _mm512_reduce_max_epi32(most);
  example.multiplier = largest <= 127 ? 1 : (largest + 126) / 127;
  const __m512 factor = _mm512_set1_ps(1.0F / static_cast<float>(example.multiplier));
  const __m512i multiplier = _mm512_set1_epi32(example.multiplier);
  const __m512i half_byte = _mm512_set1_epi32(128);
  const auto put = [](std::int8_t* to, __m512i values) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(values));
  };
  V16 squares = V16::zero();
  for (std::size_t i = 0; i < stride; i += 16) {
    const __m512i whole = whole_at(i);
    const __m512i high = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(whole), factor));
    const __m512i rest = _mm512_sub_epi32(whole, _mm512_mullo_epi32(high, multiplier));
    const __m512i second = _mm512_srai_epi32(_mm512_add_epi32(rest, half_byte), 8);
    put(example.high + i, high);
    put(example.low + i, rest);
    put(example.low + stride + i, second);
    put(example.low + 2 * stride + i, _mm512_srai_epi32(_mm512_add_epi32(second, half_byte), 8));
    const V16 as_float{_mm512_cvtepi32_ps(rest)};
    squares = fma(as_float, as_float, squares);
  }
  example.rest = __builtin_sqrtf(reduce(squares));
}

}  // namespace

const Primitives kAvx512Primitives =
    fast_primitives("avx512", group_similarities, pack_keys, split);
}  // namespace jackdaw
