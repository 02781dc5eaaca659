// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a sequence of launches in the emulation: the counterpart of cuda/stream_launcher.cuh.
//
//   EmulatedLauncher launcher;
//   Sequences<EmulatedLauncher>(launcher, store).predict(query, 1);

#include <cstddef>
#include <cstring>

#include "cuda/sequences.hpp"
#include "emulation/machine.hpp"

namespace jackdaw::emulation {

class EmulatedLauncher {
 public:
  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), cuda::Grid grid, unsigned threads,
              const Arguments&... arguments) {
    ++launches_;
    emulation::launch({grid.x, grid.y, 1}, threads, [&] { kernel(arguments...); });
  }

  void copy(void* to, const void* from, std::size_t bytes) {
    ++copies_;
    std::memcpy(to, from, bytes);
  }

  unsigned launches() const { return launches_; }
  unsigned copies() const { return copies_; }

 private:
  unsigned launches_ = 0;
  unsigned copies_ = 0;
};

}  // namespace jackdaw::emulation
