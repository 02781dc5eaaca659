// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One GPU, run on one CPU thread: blocks one after the other in a shuffled order, the threads of a
// block as fibers in a random order that follows from the schedule's seed.
//
//   set_schedule(seed);
//   launch({grid.x, grid.y}, threads, [&] { kernel(arguments...); });
//   for (const Report& r : take_reports()) ...
//
// A thread runs until it waits: at a barrier, at a warp operation, or at its end. When nobody can
// run and somebody still waits, that is a fault of the kernel; it is reported and the launch ends.

#include <cstdint>
#include <functional>

namespace jackdaw::emulation {

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
};

void set_schedule(std::uint64_t seed);

void launch(Extent grid, unsigned threads, const std::function<void()>& kernel);

// --- what the running thread is ---------------------------------------------------------------
extern Extent thread_index, block_index, block_extent, grid_extent;

// When an access happened, as far as ordering goes: two accesses of one block are ordered by a
// block barrier between them, two of one warp also by a __syncwarp between them.
struct Moment {
  std::uint32_t run = 0;          // which execution of a block; 0: never
  std::uint32_t block_epoch = 0;  // block barriers passed
  std::uint32_t warp_epoch = 0;   // __syncwarps of the whole warp passed
  std::uint16_t thread = 0;
};
const Moment& now();  // run is 0 outside of a kernel

inline bool ordered(const Moment& a, const Moment& b) {
  if (a.run != b.run) return false;
  if (a.thread == b.thread || a.block_epoch != b.block_epoch) return true;
  return a.thread / 32 == b.thread / 32 && a.warp_epoch != b.warp_epoch;
}

// --- what the running thread may wait for -------------------------------------------------------
enum class WarpOperation { kSync, kBallot, kShuffle, kShuffleDown, kShuffleXor };

// Returns the number of threads of the block whose predicate was true.
int wait_for_block(bool predicate, int line);

// value: this lane's; returns what this lane receives. argument: lane, distance or mask.
std::uint64_t wait_for_warp(WarpOperation operation, unsigned mask, std::uint64_t value,
                            unsigned argument, unsigned width, int line);

}  // namespace jackdaw::emulation
