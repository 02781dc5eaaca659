// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "heads/head_base.hpp"

#include <cmath>
#include <string>

#include "core/checked.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

std::uint32_t positive(const char* what, std::uint32_t value) {
  if (value > 0) return value;
  throw SettingsError(std::string(what) + " is 0; give 1 or more");
}

const MemoryPlan& within_budget(const MemoryPlan& plan, std::uint64_t budget_bytes) {
  if (budget_bytes == 0 || plan.total_bytes <= budget_bytes) return plan;
  throw CapacityError("the head needs " + std::to_string(plan.total_bytes) +
                      " bytes, the budget is " + std::to_string(budget_bytes) +
                      "; give fewer classes or dimensions");
}

}  // namespace

void HeadPlanner::add_bytes(const char* name, const char* purpose, std::uint64_t element_bytes,
                            std::initializer_list<std::uint64_t> extents) {
  PlannedSection section;
  section.name = name;
  section.purpose = purpose;
  section.offset = plan_.total_bytes;
  section.bytes = checked_product(name, {checked_product(name, extents), element_bytes});
  const std::uint64_t end = checked_sum(name, section.offset, section.bytes);
  plan_.total_bytes = checked_sum(name, end, kSlabAlignment - 1) / kSlabAlignment * kSlabAlignment;
  plan_.sections.push_back(section);
}

HeadBase::HeadBase(const HeadSettings& settings, const HeadPlanner& planner)
    : dimensions_(positive("dimensions", settings.dimensions)),
      max_classes_(positive("max_classes", settings.max_classes)),
      max_batch_(positive("max_batch", settings.max_batch)),
      plan_(within_budget(planner.plan(), settings.budget_bytes)),
      slab_(plan_) {}

Status HeadBase::check_teach(Span<const float> embeddings,
                             Span<const std::uint32_t> slots) const noexcept {
  if (embeddings.size() / dimensions_ != slots.size()) return Status::kWrongSize;
  if (Status s = check_embeddings(embeddings); s != Status::kOk) return s;
  for (const std::uint32_t slot : slots) {
    if (slot >= max_classes_) return Status::kNoSuchClass;
  }
  return Status::kOk;
}

Status HeadBase::check_predict(Span<const float> embeddings, Span<float> scores) const noexcept {
  if (scores.size() % max_classes_ != 0 ||
      embeddings.size() / dimensions_ != scores.size() / max_classes_) {
    return Status::kWrongSize;
  }
  return check_embeddings(embeddings);
}

Status HeadBase::check_embeddings(Span<const float> embeddings) const noexcept {
  const std::size_t batch = embeddings.size() / dimensions_;
  if (embeddings.size() % dimensions_ != 0 || batch == 0 || batch > max_batch_) {
    return Status::kWrongSize;
  }
  for (const float value : embeddings) {
    if (!std::isfinite(value)) return Status::kNotFinite;
  }
  return Status::kOk;
}

}  // namespace jackdaw
