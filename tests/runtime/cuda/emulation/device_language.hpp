// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's words, for the host compiler: what runtime/src/cuda/device_code.hpp includes when nvcc is
// not the one reading it. Only what our kernels use.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "emulation/global_memory.hpp"
#include "emulation/machine.hpp"
#include "emulation/mutant.hpp"
#include "emulation/shared_array.hpp"
#include "jackdaw/half.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __shared__ static
#define threadIdx (::jackdaw::emulation::thread_index)
#define blockIdx (::jackdaw::emulation::block_index)
#define blockDim (::jackdaw::emulation::block_extent)
#define gridDim (::jackdaw::emulation::grid_extent)

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

namespace jackdaw {

using emulation::SharedArray;

inline bool mutant(const char* name) {
  return emulation::mutants_watched && emulation::consult_mutant(name);
}

template <class T>
T load(const T* at) {
  T value{};
  if (emulation::touch(at, sizeof(T), alignof(T), emulation::Access::kRead))
    std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
void store(T* at, T value) {
  if (emulation::touch(at, sizeof(T), alignof(T), emulation::Access::kWrite))
    std::memcpy(at, &value, sizeof(T));
}

inline uint2 load8(const void* at) { return load(static_cast<const uint2*>(at)); }
inline uint4 load16(const void* at) { return load(static_cast<const uint4*>(at)); }
inline void store16(void* at, uint4 value) { store(static_cast<uint4*>(at), value); }

inline float float_of_half(std::uint16_t bits) { return to_float(Half{bits}); }
inline std::uint16_t half_of_float(float value) { return to_half(value).bits; }

}  // namespace jackdaw

inline void __syncthreads(int line = __builtin_LINE()) {
  jackdaw::emulation::wait_for_block(false, line);
}
inline int __syncthreads_count(bool predicate, int line = __builtin_LINE()) {
  return jackdaw::emulation::wait_for_block(predicate, line);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFFU, int line = __builtin_LINE()) {
  jackdaw::emulation::wait_for_warp(jackdaw::emulation::WarpOperation::kSync, mask, 0, 0, 32, line);
}
inline unsigned __ballot_sync(unsigned mask, bool predicate, int line = __builtin_LINE()) {
  return static_cast<unsigned>(jackdaw::emulation::wait_for_warp(
      jackdaw::emulation::WarpOperation::kBallot, mask, predicate ? 1 : 0, 0, 32, line));
}

namespace jackdaw::emulation {
template <class T>
T shuffle(WarpOperation operation, unsigned mask, T value, unsigned argument, unsigned width,
          int line) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = wait_for_warp(operation, mask, bits, argument, width, line);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
}  // namespace jackdaw::emulation

template <class T>
T __shfl_sync(unsigned mask, T value, unsigned lane, unsigned width = 32,
              int line = __builtin_LINE()) {
  using jackdaw::emulation::WarpOperation;
  return jackdaw::emulation::shuffle(WarpOperation::kShuffle, mask, value, lane, width, line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, unsigned width = 32,
                   int line = __builtin_LINE()) {
  using jackdaw::emulation::WarpOperation;
  return jackdaw::emulation::shuffle(WarpOperation::kShuffleDown, mask, value, by, width, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned lanes, unsigned width = 32,
                  int line = __builtin_LINE()) {
  using jackdaw::emulation::WarpOperation;
  return jackdaw::emulation::shuffle(WarpOperation::kShuffleXor, mask, value, lanes, width, line);
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline unsigned __float_as_uint(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float __uint_as_float(unsigned bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
// To the nearest, ties to even; the ends of the range beyond them, 0 for NaN.
inline int __float2int_rn(float value) {
  if (std::isnan(value)) return 0;
  constexpr double kLeast = std::numeric_limits<int>::min();
  constexpr double kMost = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(std::nearbyint(static_cast<double>(value)), kLeast, kMost));
}
inline int __dp4a(int a, int b, int sum) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    sum += static_cast<std::int8_t>(static_cast<unsigned>(a) >> shift) *
           static_cast<std::int8_t>(static_cast<unsigned>(b) >> shift);
  }
  return sum;
}
inline int atomicAdd(int* at, int value) {
  int before = 0;
  if (!jackdaw::emulation::touch(at, sizeof *at, alignof(int), jackdaw::emulation::Access::kAtomic))
    return 0;
  std::memcpy(&before, at, sizeof before);
  const int after = before + value;
  std::memcpy(at, &after, sizeof after);
  return before;
}
using std::fmaf;
