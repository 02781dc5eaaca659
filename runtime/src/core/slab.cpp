// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/slab.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

// Rows are visited in large strides: with 4 KB pages most of the time would go into the page table.
constexpr std::size_t kHugePage = std::size_t{2} << 20U;

}  // namespace

void Slab::Free::operator()(void* memory) const noexcept { std::free(memory); }

Slab::Slab(const MemoryPlan& plan) : plan_(plan) {
  const std::size_t alignment = plan.total_bytes >= 2 * kHugePage ? kHugePage : kSlabAlignment;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, plan.total_bytes) != 0) {
    throw CapacityError("cannot allocate the slab of " + std::to_string(plan.total_bytes) +
                        " bytes; give fewer classes, classifiers or dimensions");
  }
  memory_.reset(static_cast<std::byte*>(memory));
  if (alignment == kHugePage) madvise(memory, plan.total_bytes, MADV_HUGEPAGE);
  std::memset(memory, 0, plan.total_bytes);
}

Span<std::byte> Slab::section(const char* name) const noexcept {
  for (const PlannedSection& s : plan_.sections) {
    if (s.name == name) return {memory_.get() + s.offset, static_cast<std::size_t>(s.bytes)};
  }
  return {};
}

}  // namespace jackdaw
