// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the emulation found wrong with a launch. A kernel without faults leaves none.

#include <string>
#include <vector>

namespace jackdaw::emulation {

enum class Fault {
  kSharedRace,     // two threads, one shared cell, no barrier between, at least one writes
  kGlobalRace,     // the same in global memory, also between blocks
  kDivergence,     // a barrier that not every thread of the block reaches
  kWarp,           // a warp operation with a lane missing, exited or reading outside of the mask
  kUninitialised,  // shared memory read before anything was written to it
  kOutOfBounds,    // outside of every buffer, or of a shared array
  kMisaligned,     // an access whose address is not a multiple of its size
  kGuard,          // bytes beside a buffer were overwritten
  kBadLaunch,      // a grid or block that CUDA would refuse
};

const char* name_of(Fault fault);

struct Report {
  Fault fault;
  std::string text;
};

// The first few of each launch are kept until they are taken.
void report(Fault fault, const std::string& text);
std::vector<Report> take_reports();

}  // namespace jackdaw::emulation
