// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels are written in. The same .cuh files are compiled by nvcc into the backend and by the
// host compiler into the tests, where tests/runtime/cuda/emulation stands in for the device. So a
// kernel keeps to this:
//
//   __shared__ SharedArray<float, 32> totals;   // shared memory only through SharedArray
//   float x = load(pointer + i);                // global memory only through load and store
//   uint4 c = load16(pointer + i);              // 16 bytes at once; the address a multiple of 16
//   if (!mutant("top_k.barrier")) __syncthreads();
//
// mutant(name) is constant false here. In the tests one named fault at a time is switched on, and
// the tests have to notice it.

#include <cstdint>

#if defined(__CUDACC__)

#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace jackdaw {

template <class T, unsigned kSize>
struct SharedArray {
  T cells[kSize];
  __device__ T& operator[](unsigned i) { return cells[i]; }
};

template <class T>
__device__ __forceinline__ T load(const T* at) {
  return *at;
}

template <class T>
__device__ __forceinline__ void store(T* at, T value) {
  *at = value;
}

__device__ __forceinline__ uint2 load8(const void* at) { return *static_cast<const uint2*>(at); }
__device__ __forceinline__ uint4 load16(const void* at) { return *static_cast<const uint4*>(at); }
__device__ __forceinline__ void store16(void* at, uint4 value) { *static_cast<uint4*>(at) = value; }

// Whole numbers up to 2,048 convert exactly in both directions.
__device__ __forceinline__ float float_of_half(std::uint16_t bits) {
  return __half2float(__ushort_as_half(bits));
}
__device__ __forceinline__ std::uint16_t half_of_float(float value) {
  return __half_as_ushort(__float2half_rn(value));
}

__host__ __device__ constexpr bool mutant(const char*) { return false; }

}  // namespace jackdaw

#else

#include "emulation/device_language.hpp"

#endif

namespace jackdaw {

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFFU;

}  // namespace jackdaw
