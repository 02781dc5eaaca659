// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/memory_plan.hpp"

#include "core/checked.hpp"
#include "core/scratch.hpp"
#include "core/store_view.hpp"
#include "core/whitening.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

class Planner {
 public:
  void add(const char* name, const char* purpose, std::initializer_list<std::uint64_t> factors) {
    const std::uint64_t bytes = checked_product(name, factors);
    if (bytes == 0) return;
    plan_.sections.push_back({name, purpose, plan_.total_bytes, bytes});
    const std::uint64_t end = checked_sum(name, plan_.total_bytes, bytes);
    plan_.total_bytes =
        checked_sum(name, end, kSlabAlignment - 1) / kSlabAlignment * kSlabAlignment;
  }

  MemoryPlan take() { return std::move(plan_); }

 private:
  MemoryPlan plan_;
};

std::uint64_t undo_entry_bytes(const EnsembleSettings& s) {
  const std::uint64_t example = s.profile == Profile::kSeed ? 4ULL * s.dimensions : s.dimensions;
  return (example + 16 + 7) / 8 * 8;  // sequence number and slot beside the example
}

}  // namespace

MemoryPlan plan_memory(const EnsembleSettings& s) {
  validate(s);
  const bool seed = s.profile == Profile::kSeed;
  const std::uint64_t stride = padded(s.dimensions);
  const std::uint64_t n = s.classifiers;
  const std::uint64_t classes = s.max_classes;
  Planner p;
  p.add("keys", "keys", {n, stride});
  if (seed) p.add("key lengths", "keys", {n, 4});
  p.add("rows", "weights", {n, classes, stride, element_bytes(s.store)});
  p.add("counts", "statistics", {n, classes, 4});
  p.add("class counts", "statistics", {classes, 4});
  p.add("class clipped", "statistics", {classes, 4});
  if (!seed) {
    p.add("class sums", "statistics", {classes, stride, 4});
    p.add("scatter", "statistics", {stride, stride, 4});
    // Two of each: answers use one while refresh() fills the other.
    p.add("whitening", "statistics", {2, stride, stride, 4});
    p.add("class norms", "statistics", {2, classes, 4});
    p.add("lessons", "scratch", {kWaitingLessons, stride, 2});
    p.add("refresh", "scratch", {whitening_doubles(stride), 8});
    p.add("refresh sums", "scratch", {classes, stride, 4});
    p.add("refresh counts", "scratch", {classes, 4});
  }
  p.add("packed keys", "scratch", {(n + 63) / 64 * 64, stride});
  p.add("contexts", "scratch", {s.contexts, scratch_bytes(s)});
  p.add("teacher", "scratch", {scratch_bytes(s)});
  EnsembleSettings worker = s;
  worker.max_batch = 1;
  p.add("workers", "scratch", {s.batch_threads - 1, scratch_bytes(worker)});
  p.add("undo ring", "undo", {s.undo_depth, undo_entry_bytes(s)});
  MemoryPlan plan = p.take();
  if (s.budget_bytes != 0 && plan.total_bytes > s.budget_bytes) {
    throw CapacityError(
        "the plan needs " + std::to_string(plan.total_bytes) + " bytes, the budget is " +
        std::to_string(s.budget_bytes) + ": " + std::to_string(n) + " classifiers x " +
        std::to_string(classes) + " classes x " + std::to_string(stride) + " dimensions x " +
        std::to_string(element_bytes(s.store)) +
        " bytes; give fewer classes, classifiers or dimensions, or a larger budget");
  }
  return plan;
}

const PlannedSection& MemoryPlan::section(const std::string& name) const {
  for (const PlannedSection& s : sections) {
    if (s.name == name) return s;
  }
  throw CapacityError("the memory plan has no section '" + name + "'");
}

std::uint64_t store_bytes(const EnsembleSettings& s) {
  std::uint64_t bytes = 0;
  for (const PlannedSection& section : plan_memory(s).sections) {
    if (section.purpose == "weights" || section.purpose == "keys" || section.name == "counts" ||
        section.name == "class sums") {
      bytes += section.bytes;
    }
  }
  return bytes;
}

}  // namespace jackdaw
