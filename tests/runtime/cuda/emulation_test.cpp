// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The emulation itself: does it notice what it says it notices?

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "emulation/device_language.hpp"
#include "emulation/machine.hpp"
#include "emulation/report.hpp"

namespace jackdaw {
namespace {

using emulation::Buffer;
using emulation::Fault;

template <class Kernel>
std::vector<Fault> faults_of(unsigned blocks, unsigned threads, const Kernel& kernel) {
  emulation::take_reports();
  emulation::set_schedule(5);
  emulation::launch({blocks, 1, 1}, threads, kernel);
  std::vector<Fault> faults;
  for (const emulation::Report& r : emulation::take_reports()) faults.push_back(r.fault);
  return faults;
}

bool has(const std::vector<Fault>& faults, Fault fault) {
  for (const Fault f : faults) {
    if (f == fault) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("emulation: a sum by shared memory and shuffles is right and clean") {
  Buffer<int> out(3);
  const auto faults = faults_of(3, 96, [&] {
    __shared__ SharedArray<int, 3> totals;
    const unsigned thread = threadIdx.x;
    int sum = static_cast<int>(thread);
    for (unsigned by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(~0U, sum, by);
    if (thread % 32 == 0) totals[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) store(out.data() + blockIdx.x, totals[0] + totals[1] + totals[2]);
  });
  CHECK(faults.empty());
  for (const int sum : out) CHECK(sum == 95 * 96 / 2);
}

TEST_CASE("emulation: shared memory races") {
  CHECK(has(faults_of(1, 64,
                      [] {
                        __shared__ SharedArray<int, 1> cell;
                        if (threadIdx.x == 0 || threadIdx.x == 40) cell[0] = 1;
                      }),
            Fault::kSharedRace));
  CHECK(has(faults_of(1, 64,
                      [] {
                        __shared__ SharedArray<unsigned, 64> cells;
                        cells[threadIdx.x] = threadIdx.x;
                        __syncwarp();
                        static_cast<void>(
                            static_cast<unsigned>(cells[63 - threadIdx.x]));  // of the other warp
                      }),
            Fault::kSharedRace));
  CHECK(faults_of(1, 64, [] {
          __shared__ SharedArray<unsigned, 64> cells;
          cells[threadIdx.x] = threadIdx.x;
          __syncwarp();
          static_cast<void>(static_cast<unsigned>(cells[threadIdx.x ^ 1U]));  // of the same warp
        }).empty());
  CHECK(has(faults_of(1, 32,
                      [] {
                        __shared__ SharedArray<unsigned, 32> cells;
                        cells[threadIdx.x] = threadIdx.x;
                        __syncwarp();
                        static_cast<void>(static_cast<unsigned>(cells[threadIdx.x ^ 1U]));
                        cells[threadIdx.x] = 0;  // while the neighbour may still read
                      }),
            Fault::kSharedRace));
}

TEST_CASE("emulation: global memory races, between blocks too") {
  Buffer<int> cell(1);
  cell[0] = 0;
  CHECK(has(faults_of(2, 32,
                      [&] {
                        if (threadIdx.x == 0) store(cell.data(), 1);
                      }),
            Fault::kGlobalRace));
  CHECK(has(faults_of(1, 64,
                      [&] {
                        if (threadIdx.x == 0) store(cell.data(), 1);
                        if (threadIdx.x == 33) static_cast<void>(load(cell.data()));
                      }),
            Fault::kGlobalRace));
  CHECK(faults_of(1, 64, [&] {
          if (threadIdx.x == 0) store(cell.data(), 0);
          __syncthreads();
          if (threadIdx.x == 33) static_cast<void>(load(cell.data()));
        }).empty());
  CHECK(faults_of(4, 64, [&] { atomicAdd(cell.data(), 1); }).empty());
  CHECK(cell[0] == 256);
}

TEST_CASE("emulation: barriers that not everybody reaches") {
  CHECK(has(faults_of(1, 64,
                      [] {
                        if (threadIdx.x < 32) __syncthreads();
                      }),
            Fault::kDivergence));
  // Outside of CHECK, which would put both barriers on one line, where they count as the same.
  const auto two_barriers = [] {
    if (threadIdx.x < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  };
  CHECK(has(faults_of(1, 64, two_barriers), Fault::kDivergence));
}

TEST_CASE("emulation: warp operations with lanes missing") {
  CHECK(has(faults_of(1, 32,
                      [] {
                        if (threadIdx.x != 7) __ballot_sync(~0U, true);
                      }),
            Fault::kWarp));
  CHECK(has(faults_of(1, 32, [] { __shfl_down_sync(0x0000FFFFU, 1, 1); }), Fault::kWarp));
  CHECK(has(faults_of(1, 32,
                      [] {
                        if (threadIdx.x < 16) __shfl_sync(0x0000FFFFU, 1, 20);
                      }),
            Fault::kWarp));
}

TEST_CASE("emulation: reads of nothing, beyond the end, across a boundary") {
  CHECK(has(faults_of(1, 32,
                      [] {
                        __shared__ SharedArray<int, 4> cells;
                        static_cast<void>(static_cast<int>(cells[1]));
                      }),
            Fault::kUninitialised));
  CHECK(has(faults_of(1, 32,
                      [] {
                        __shared__ SharedArray<unsigned, 31> cells;
                        cells[threadIdx.x] = 0;
                      }),
            Fault::kOutOfBounds));
  Buffer<float> data(32);
  data.fill(0.0F);
  CHECK(has(faults_of(1, 32, [&] { static_cast<void>(load(data.data() + 1 + threadIdx.x)); }),
            Fault::kOutOfBounds));
  CHECK(has(faults_of(1, 1, [&] { static_cast<void>(load16(data.data() + 1)); }),
            Fault::kMisaligned));
  CHECK(has(faults_of(0, 32, [] {}), Fault::kBadLaunch));
  CHECK(has(faults_of(1, 1025, [] {}), Fault::kBadLaunch));
  CHECK(has(faults_of(1, 1, [&] { data.data()[32] = 1.0F; }), Fault::kGuard));
  data.data()[32] = Buffer<float>(1).data()[1];  // the guard's own bytes again
}

TEST_CASE("emulation: floats become whole numbers as on the device") {
  CHECK(__float2int_rn(2.5F) == 2);
  CHECK(__float2int_rn(3.5F) == 4);
  CHECK(__float2int_rn(-0.75F) == -1);
  CHECK(__float2int_rn(3e9F) == std::numeric_limits<int>::max());
  CHECK(__float2int_rn(-3e9F) == std::numeric_limits<int>::min());
  CHECK(__float2int_rn(std::numeric_limits<float>::quiet_NaN()) == 0);
}

TEST_CASE("emulation: another schedule, another order") {
  std::vector<unsigned> orders[2];
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    emulation::set_schedule(seed);
    emulation::launch({4, 1, 1}, 32,
                      [&] { orders[seed].push_back(blockIdx.x * 32 + threadIdx.x); });
  }
  CHECK(orders[0].size() == 128);
  CHECK(orders[0] != orders[1]);
}

}  // namespace jackdaw
