// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the x86 files share: the end of lane_dot's tree (each has made four lanes of its sixteen)
// and comparisons of whole numbers. In an unnamed namespace, because each file is compiled for an
// instruction set of its own.

#include <immintrin.h>

#include <cstdint>

namespace jackdaw {
namespace {

inline float reduce_four(__m128 four) {
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Four of them at once, in the same order.
inline void reduce_four_by_four(__m128 a, __m128 b, __m128 c, __m128 d, float* out) {
  const __m128 ab = _mm_add_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a));
  const __m128 cd = _mm_add_ps(_mm_movelh_ps(c, d), _mm_movehl_ps(d, c));
  _mm_storeu_ps(out, _mm_add_ps(_mm_shuffle_ps(ab, cd, _MM_SHUFFLE(2, 0, 2, 0)),
                                _mm_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 1, 3, 1))));
}

// The same for whole numbers, where any order will do.
inline void sum_four_by_four(__m128i a, __m128i b, __m128i c, __m128i d, __m128i less, void* out) {
  const __m128i four = _mm_hadd_epi32(_mm_hadd_epi32(a, b), _mm_hadd_epi32(c, d));
  _mm_storeu_si128(static_cast<__m128i*>(out), _mm_sub_epi32(four, less));
}

inline __m128i fold(__m256i v) {
  return _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
}

}  // namespace
}  // namespace jackdaw
