// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stack of its own that can be entered and left at any point: one GPU thread of the emulation.
//
//   Fiber fiber;
//   fiber.start(entry);        // entry() must never return; it ends with leave(true)
//   fiber.enter();             // runs until the fiber calls leave()
//
// AddressSanitizer is told of every switch, so it checks kernels as it checks any function.

#include <cstddef>
#include <memory>

namespace jackdaw::emulation {

struct FiberState;

class Fiber {
 public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // What was on the stack before is dropped; nothing on it may own anything.
  void start(void (*entry)());
  void enter();
  // Back to enter(); called on the fiber's own stack. last: the fiber is not entered again.
  void leave(bool last);

 private:
  std::unique_ptr<FiberState> state_;
};

}  // namespace jackdaw::emulation
