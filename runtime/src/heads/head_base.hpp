// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the heads have in common: sizes, one planned slab, and the checks at the door.
//
//   class MyHead final : public HeadBase {
//     explicit MyHead(const HeadSettings& s)
//         : HeadBase(s, HeadPlanner().add<float>("biases", "weights", {s.max_classes})) {}
//     float* const biases_ = at<float>("biases");

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "core/slab.hpp"
#include "jackdaw/head.hpp"

namespace jackdaw {

// Collects a memory plan, section after section. Throws CapacityError where sizes overflow.
class HeadPlanner {
 public:
  template <class T>
  HeadPlanner& add(const char* name, const char* purpose,
                   std::initializer_list<std::uint64_t> extents) {
    add_bytes(name, purpose, sizeof(T), extents);
    return *this;
  }

  const MemoryPlan& plan() const noexcept { return plan_; }

 private:
  void add_bytes(const char* name, const char* purpose, std::uint64_t element_bytes,
                 std::initializer_list<std::uint64_t> extents);

  MemoryPlan plan_;
};

class HeadBase : public Head {
 public:
  std::uint32_t dimensions() const noexcept final { return dimensions_; }
  std::uint32_t max_classes() const noexcept final { return max_classes_; }
  std::uint32_t max_batch() const noexcept final { return max_batch_; }
  const MemoryPlan& memory() const noexcept final { return plan_; }

 protected:
  // Throws SettingsError for sizes of 0 and CapacityError over the budget.
  HeadBase(const HeadSettings& settings, const HeadPlanner& planner);

  template <class T>
  T* at(const char* section) const noexcept {
    return slab_.at<T>(section);
  }

  // kOk if the call may go on: sizes fit each other, every number is finite, every slot exists.
  Status check_teach(Span<const float> embeddings, Span<const std::uint32_t> slots) const noexcept;
  Status check_predict(Span<const float> embeddings, Span<float> scores) const noexcept;

 private:
  Status check_embeddings(Span<const float> embeddings) const noexcept;

  std::uint32_t dimensions_;
  std::uint32_t max_classes_;
  std::uint32_t max_batch_;
  MemoryPlan plan_;
  Slab slab_;  // refers to plan_
};

}  // namespace jackdaw
