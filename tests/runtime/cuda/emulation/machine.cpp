// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/machine.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "emulation/fiber.hpp"
#include "emulation/global_memory.hpp"
#include "emulation/report.hpp"

namespace jackdaw::emulation {

Extent thread_index, block_index, block_extent, grid_extent;

namespace {

enum class State { kReady, kAtBlock, kAtWarp, kDone };

struct Thread {
  Fiber fiber;
  State state = State::kDone;
  Moment moment;
  int line = 0;
  bool predicate = false;
  int count = 0;
  WarpOperation operation = WarpOperation::kSync;
  unsigned mask = 0;
  unsigned argument = 0;
  unsigned width = 32;
  std::uint64_t value = 0;
  std::uint64_t received = 0;
};

std::vector<std::unique_ptr<Thread>> pool;
std::vector<unsigned> ready;
std::mt19937_64 schedule;
Thread* running = nullptr;
const std::function<void()>* kernel_body = nullptr;
unsigned thread_count = 0;
unsigned at_block = 0;  // threads waiting at the block's barrier
std::uint32_t runs = 0;
const Moment kOutside;

void thread_main() {
  (*kernel_body)();
  running->state = State::kDone;
  running->fiber.leave(true);
}

void make_ready(unsigned t) {
  pool[t]->state = State::kReady;
  ready.push_back(t);
}

std::string where(const Thread& t) {
  return "block " + std::to_string(block_index.x) + "," + std::to_string(block_index.y) +
         " thread " + std::to_string(t.moment.thread) + " line " + std::to_string(t.line);
}

void release_block() {
  int count = 0;
  for (unsigned t = 0; t < thread_count; ++t) {
    count += pool[t]->predicate ? 1 : 0;
    if (pool[t]->line != pool[0]->line) {
      report(Fault::kDivergence,
             where(*pool[t]) + " and " + where(*pool[0]) + " meet at one barrier");
    }
  }
  at_block = 0;
  for (unsigned t = 0; t < thread_count; ++t) {
    pool[t]->count = count;
    ++pool[t]->moment.block_epoch;
    make_ready(t);
  }
}

// What the lane receives; every lane of the mask has arrived.
std::uint64_t exchange(unsigned warp, unsigned lane) {
  const Thread& self = *pool[warp * 32 + lane];
  unsigned source = lane;
  switch (self.operation) {
    case WarpOperation::kSync:
      return 0;
    case WarpOperation::kBallot: {
      std::uint64_t bits = 0;
      for (unsigned l = 0; l < 32; ++l) {
        if ((self.mask >> l & 1U) != 0 && pool[warp * 32 + l]->value != 0) bits |= 1ULL << l;
      }
      return bits;
    }
    case WarpOperation::kShuffle:
      source = lane / self.width * self.width + self.argument % self.width;
      break;
    case WarpOperation::kShuffleDown:
      if (lane % self.width + self.argument < self.width) source = lane + self.argument;
      break;
    case WarpOperation::kShuffleXor:
      if (((lane ^ self.argument) / self.width) == lane / self.width) source = lane ^ self.argument;
      break;
  }
  if ((self.mask >> source & 1U) == 0) {
    report(Fault::kWarp,
           where(self) + " reads lane " + std::to_string(source) + " outside of the mask");
    return 0xBADBADBADBADBADBULL;
  }
  return pool[warp * 32 + source]->value;
}

bool warp_has_arrived(unsigned warp, const Thread& self) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((self.mask >> lane & 1U) == 0) continue;
    if (warp * 32 + lane >= thread_count) return false;
    const Thread& other = *pool[warp * 32 + lane];
    if (other.state != State::kAtWarp || other.mask != self.mask || other.line != self.line ||
        other.operation != self.operation) {
      return false;
    }
  }
  return true;
}

void release_warp(unsigned warp, unsigned mask) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1U) != 0) pool[warp * 32 + lane]->received = exchange(warp, lane);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    Thread& t = *pool[warp * 32 + lane];
    // Shuffles and ballots do not order memory; __syncwarp does.
    if (t.operation == WarpOperation::kSync && mask == 0xFFFFFFFFU) ++t.moment.warp_epoch;
    make_ready(warp * 32 + lane);
  }
}

// Somebody waits and nobody can run.
void report_standstill() {
  for (unsigned t = 0; t < thread_count; ++t) {
    const Thread& thread = *pool[t];
    if (thread.state == State::kAtWarp) {
      report(Fault::kWarp, where(thread) + " waits for a lane that does not come");
      return;
    }
  }
  for (unsigned t = 0; t < thread_count; ++t) {
    if (pool[t]->state == State::kAtBlock) {
      report(Fault::kDivergence, where(*pool[t]) + " waits at a barrier that others do not reach");
      return;
    }
  }
}

bool run_block() {
  ++runs;
  at_block = 0;
  ready.clear();
  for (unsigned t = 0; t < thread_count; ++t) {
    pool[t]->moment = {runs, 0, 0, static_cast<std::uint16_t>(t)};
    pool[t]->fiber.start(&thread_main);
    make_ready(t);
  }
  while (!ready.empty()) {
    const std::size_t pick = schedule() % ready.size();
    const unsigned t = ready[pick];
    ready[pick] = ready.back();
    ready.pop_back();
    running = pool[t].get();
    thread_index.x = t;
    running->fiber.enter();
  }
  running = nullptr;
  const bool finished = std::all_of(pool.begin(), pool.begin() + thread_count,
                                    [](const auto& t) { return t->state == State::kDone; });
  if (!finished) report_standstill();
  return finished;
}

}  // namespace

void set_schedule(std::uint64_t seed) { schedule.seed(seed); }

const Moment& now() { return running == nullptr ? kOutside : running->moment; }

void launch(Extent grid, unsigned threads, const std::function<void()>& kernel) {
  if (grid.x == 0 || grid.y == 0 || grid.y > 65535 || threads == 0 || threads > 1024) {
    report(Fault::kBadLaunch, "grid " + std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                                  " of " + std::to_string(threads) + " threads");
    return;
  }
  while (pool.size() < threads) pool.push_back(std::make_unique<Thread>());
  kernel_body = &kernel;
  thread_count = threads;
  grid_extent = grid;
  block_extent = {threads, 1, 1};
  std::vector<unsigned> order(std::size_t{grid.x} * grid.y);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), schedule);
  begin_global_launch();
  for (const unsigned block : order) {
    block_index = {block % grid.x, block / grid.x, 0};
    if (!run_block()) break;
  }
  end_global_launch();
}

int wait_for_block(bool predicate, int line) {
  Thread& self = *running;
  self.predicate = predicate;
  self.line = line;
  self.state = State::kAtBlock;
  if (++at_block == thread_count) release_block();
  self.fiber.leave(false);
  return self.count;
}

std::uint64_t wait_for_warp(WarpOperation operation, unsigned mask, std::uint64_t value,
                            unsigned argument, unsigned width, int line) {
  Thread& self = *running;
  const unsigned warp = self.moment.thread / 32;
  self.operation = operation;
  self.mask = mask;
  self.value = value;
  self.argument = argument;
  self.width = width;
  self.line = line;
  if ((mask >> (self.moment.thread % 32) & 1U) == 0) {
    report(Fault::kWarp, where(self) + " is not in the mask it gives");
    return value;
  }
  self.state = State::kAtWarp;
  if (warp_has_arrived(warp, self)) release_warp(warp, mask);
  self.fiber.leave(false);
  return self.received;
}

}  // namespace jackdaw::emulation
