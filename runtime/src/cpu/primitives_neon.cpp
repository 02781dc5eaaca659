// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// AArch64: every such CPU has NEON with fused multiply-add and half conversion.
#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "cpu/instruction_sets.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

struct V16 {
  float32x4_t q[4];  // lanes 0-3, 4-7, 8-11, 12-15

  static V16 all(float value) {
    const float32x4_t v = vdupq_n_f32(value);
    return {{v, v, v, v}};
  }
  static V16 zero() { return all(0.0F); }
  static V16 load(const float* p) {
    return {{vld1q_f32(p), vld1q_f32(p + 4), vld1q_f32(p + 8), vld1q_f32(p + 12)}};
  }
  static V16 load(const std::int16_t* p) { return widen(vld1q_s16(p), vld1q_s16(p + 8)); }
  static V16 load(const std::int8_t* p) {
    const int8x16_t bytes = vld1q_s8(p);
    return widen(vmovl_s8(vget_low_s8(bytes)), vmovl_s8(vget_high_s8(bytes)));
  }
  static V16 load(const std::int32_t* p) {
    return {{vcvtq_f32_s32(vld1q_s32(p)), vcvtq_f32_s32(vld1q_s32(p + 4)),
             vcvtq_f32_s32(vld1q_s32(p + 8)), vcvtq_f32_s32(vld1q_s32(p + 12))}};
  }
  static V16 load(const Half* p) {
    const auto* bits = reinterpret_cast<const std::uint16_t*>(p);
    const float16x8_t a = vreinterpretq_f16_u16(vld1q_u16(bits));
    const float16x8_t b = vreinterpretq_f16_u16(vld1q_u16(bits + 8));
    return {{vcvt_f32_f16(vget_low_f16(a)), vcvt_f32_f16(vget_high_f16(a)),
             vcvt_f32_f16(vget_low_f16(b)), vcvt_f32_f16(vget_high_f16(b))}};
  }

  static V16 widen(int16x8_t a, int16x8_t b) {
    return {{vcvtq_f32_s32(vmovl_s16(vget_low_s16(a))), vcvtq_f32_s32(vmovl_s16(vget_high_s16(a))),
             vcvtq_f32_s32(vmovl_s16(vget_low_s16(b))),
             vcvtq_f32_s32(vmovl_s16(vget_high_s16(b)))}};
  }
};

inline V16 fma(V16 a, V16 b, V16 c) {
  return {{vfmaq_f32(c.q[0], a.q[0], b.q[0]), vfmaq_f32(c.q[1], a.q[1], b.q[1]),
           vfmaq_f32(c.q[2], a.q[2], b.q[2]), vfmaq_f32(c.q[3], a.q[3], b.q[3])}};
}

inline V16 add(V16 a, V16 b) {
  for (int i = 0; i < 4; ++i) a.q[i] = vaddq_f32(a.q[i], b.q[i]);
  return a;
}

inline float reduce(V16 v) {
  const float32x4_t four =
      vaddq_f32(vaddq_f32(v.q[0], v.q[2]), vaddq_f32(v.q[1], v.q[3]));  // l+8, then l+4
  const float32x2_t two = vadd_f32(vget_low_f32(four), vget_high_f32(four));
  return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

inline void reduce4(V16 a, V16 b, V16 c, V16 d, float* out) {
  out[0] = reduce(a);
  out[1] = reduce(b);
  out[2] = reduce(c);
  out[3] = reduce(d);
}

inline V16 clamp(V16 v, float limit) {
  const float32x4_t most = vdupq_n_f32(limit);
  const float32x4_t least = vdupq_n_f32(-limit);
  for (float32x4_t& part : v.q) part = vmaxq_f32(vminq_f32(part, most), least);
  return v;
}

// Lane by lane the larger of a, which is not negative, and |b|.
inline V16 larger_size(V16 a, V16 b) {
  for (int i = 0; i < 4; ++i) a.q[i] = vmaxq_f32(a.q[i], vabsq_f32(b.q[i]));
  return a;
}

inline bool differ(V16 a, V16 b) {
  uint32x4_t same = vceqq_f32(a.q[0], b.q[0]);
  for (int i = 1; i < 4; ++i) same = vandq_u32(same, vceqq_f32(a.q[i], b.q[i]));
  return vminvq_u32(same) == 0;
}

inline void store(float* p, V16 v) {
  for (int i = 0; i < 4; ++i) vst1q_f32(p + 4 * i, v.q[i]);
}

inline void store(Half* p, V16 v) {
  auto* bits = reinterpret_cast<std::uint16_t*>(p);
  for (int i = 0; i < 4; ++i) vst1_u16(bits + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32(v.q[i])));
}

// Bit i: values[i] >= bound, of 16.
inline std::uint32_t mask_at_least(const std::int32_t* values, std::int32_t bound) {
  static constexpr std::uint32_t kBits[4] = {1, 2, 4, 8};
  const int32x4_t limit = vdupq_n_s32(bound);
  const uint32x4_t bits = vld1q_u32(kBits);
  std::uint32_t mask = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const uint32x4_t reached = vcgeq_s32(vld1q_s32(values + 4 * part), limit);
    mask |= vaddvq_u32(vandq_u32(reached, bits)) << (4U * part);
  }
  return mask;
}

// out[i] += the sum over pairs p of x[p][2*i]*factors[2*p] + x[p][2*i + 1]*factors[2*p + 1], for
// i < end, a multiple of 16.
template <std::size_t Pairs>
inline void add_products(std::int32_t* out, std::size_t end, const std::int16_t* x, std::size_t row,
                         const std::int16_t* factors) {
  for (std::size_t i = 0; i < end; i += 8) {
    int32x4_t low = vld1q_s32(out + i);
    int32x4_t high = vld1q_s32(out + i + 4);
    for (std::size_t p = 0; p < Pairs; ++p) {
      const int16x8x2_t both = vld2q_s16(x + p * row + 2 * i);
      low = vmlal_n_s16(low, vget_low_s16(both.val[0]), factors[2 * p]);
      low = vmlal_n_s16(low, vget_low_s16(both.val[1]), factors[2 * p + 1]);
      high = vmlal_n_s16(high, vget_high_s16(both.val[0]), factors[2 * p]);
      high = vmlal_n_s16(high, vget_high_s16(both.val[1]), factors[2 * p + 1]);
    }
    vst1q_s32(out + i, low);
    vst1q_s32(out + i + 4, high);
  }
}

// E examples against four keys: out[e*row + k].
template <std::size_t E>
inline void dot_bytes(const std::int8_t* const* key, const std::int8_t* examples,
                      std::size_t stride, const std::int32_t* /*example_sums*/, std::int32_t* out,
                      std::size_t row) {
  int32x4_t sum[E][4];
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t k = 0; k < 4; ++k) sum[e][k] = vdupq_n_s32(0);
  }
  for (std::size_t i = 0; i < stride; i += 16) {
    int8x16_t v[E];
    for (std::size_t e = 0; e < E; ++e) v[e] = vld1q_s8(examples + e * stride + i);
    for (std::size_t k = 0; k < 4; ++k) {
      const int8x16_t w = vld1q_s8(key[k] + i);
      for (std::size_t e = 0; e < E; ++e) {
        sum[e][k] = vpadalq_s16(sum[e][k], vmull_s8(vget_low_s8(w), vget_low_s8(v[e])));
        sum[e][k] = vpadalq_s16(sum[e][k], vmull_s8(vget_high_s8(w), vget_high_s8(v[e])));
      }
    }
  }
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t k = 0; k < 4; ++k) out[e * row + k] = vaddvq_s32(sum[e][k]);
  }
}

constexpr std::size_t kBlockExamples = 4;

}  // namespace
}  // namespace jackdaw

#include "cpu/append_by_mask.hpp"
#include "cpu/key_rows_fast.hpp"
#include "cpu/primitives_fast.hpp"

namespace jackdaw {
const Primitives kNeonPrimitives =
    fast_primitives("neon", fast_similarities, keep_keys, fast_split);
}  // namespace jackdaw
