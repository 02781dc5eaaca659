// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/fiber.hpp"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define JACKDAW_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JACKDAW_FIBER_ASAN 1
#endif
#endif

#if defined(JACKDAW_FIBER_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if defined(__x86_64__)

// ucontext enters the kernel at each switch (0.26 us here); a launch makes tens of thousands.
extern "C" void jackdaw_fiber_switch(void** save, void* load);
asm(R"(
.text
.globl jackdaw_fiber_switch
.type jackdaw_fiber_switch,@function
jackdaw_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size jackdaw_fiber_switch,.-jackdaw_fiber_switch
.section .note.GNU-stack,"",@progbits
.text
)");

#else
#include <ucontext.h>
#endif

namespace jackdaw::emulation {

struct FiberState {
  static constexpr std::size_t kStackBytes = 64 * 1024;
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
#if defined(__x86_64__)
  void* inside = nullptr;
  void* outside = nullptr;
#else
  ucontext_t inside{};
  ucontext_t outside{};
#endif
  void (*entry)() = nullptr;
  void* fake_inside = nullptr;  // AddressSanitizer's own record of either stack
  void* fake_outside = nullptr;
  const void* outside_bottom = nullptr;
  std::size_t outside_bytes = 0;
};

namespace {

FiberState* entered = nullptr;

void arrive_inside([[maybe_unused]] FiberState& s, [[maybe_unused]] bool first) {
#if defined(JACKDAW_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(first ? nullptr : s.fake_inside, &s.outside_bottom,
                                  &s.outside_bytes);
#endif
}

void first_frame() {
  FiberState& s = *entered;
  arrive_inside(s, true);
  s.entry();
}

}  // namespace

Fiber::Fiber() : state_(new FiberState) {}
Fiber::~Fiber() = default;

void Fiber::start(void (*entry)()) {
  FiberState& s = *state_;
  s.entry = entry;
#if defined(JACKDAW_FIBER_ASAN)
  __asan_unpoison_memory_region(s.stack.get(), FiberState::kStackBytes);
#endif
#if defined(__x86_64__)
  auto top = reinterpret_cast<std::uintptr_t>(s.stack.get() + FiberState::kStackBytes) &
             ~std::uintptr_t{15};
  auto* slots = reinterpret_cast<std::uintptr_t*>(top);
  slots[-1] = 0;  // where a return address would be: keeps the ABI's alignment
  slots[-2] = reinterpret_cast<std::uintptr_t>(&first_frame);
  for (int i = 3; i <= 8; ++i) slots[-i] = 0;
  s.inside = slots - 8;
#else
  getcontext(&s.inside);
  s.inside.uc_stack.ss_sp = s.stack.get();
  s.inside.uc_stack.ss_size = FiberState::kStackBytes;
  s.inside.uc_link = nullptr;
  makecontext(&s.inside, &first_frame, 0);
#endif
}

void Fiber::enter() {
  FiberState& s = *state_;
  entered = &s;
#if defined(JACKDAW_FIBER_ASAN)
  __sanitizer_start_switch_fiber(&s.fake_outside, s.stack.get(), FiberState::kStackBytes);
#endif
#if defined(__x86_64__)
  jackdaw_fiber_switch(&s.outside, s.inside);
#else
  swapcontext(&s.outside, &s.inside);
#endif
#if defined(JACKDAW_FIBER_ASAN)
  __sanitizer_finish_switch_fiber(s.fake_outside, nullptr, nullptr);
#endif
}

void Fiber::leave([[maybe_unused]] bool last) {
  FiberState& s = *state_;
#if defined(JACKDAW_FIBER_ASAN)
  __sanitizer_start_switch_fiber(last ? nullptr : &s.fake_inside, s.outside_bottom,
                                 s.outside_bytes);
#endif
#if defined(__x86_64__)
  jackdaw_fiber_switch(&s.inside, s.outside);
#else
  swapcontext(&s.inside, &s.outside);
#endif
  arrive_inside(s, false);
}

}  // namespace jackdaw::emulation
