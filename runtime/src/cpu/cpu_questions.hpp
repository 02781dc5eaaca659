// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A test set on the CPU: its nearest keys are found once, and it is answered in large groups,
// classifier by classifier, so that a classifier's rows are read once for all questions of a group
// that it answers. The same bits as predict.

#include <vector>

#include "cpu/cpu_ensemble.hpp"

namespace jackdaw {

class CpuQuestions final : public Questions {
 public:
  CpuQuestions(CpuEnsemble& ensemble, Span<const std::byte> examples);

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override;

 private:
  static constexpr std::size_t kGroup = 1024;

  void find_choices(Span<const std::byte> examples);
  void sort_choices();
  PreparedView group(std::size_t start) noexcept;

  CpuEnsemble& ensemble_;
  EnsembleSettings sizes_;  // with a batch of one group
  std::size_t count_;
  std::vector<std::byte> examples_;    // [question], padded
  std::vector<std::uint32_t> chosen_;  // [question][k]
  std::vector<float> weights_;         // [question][k]
  std::vector<std::uint32_t> order_;   // [group][question*k]: see PreparedView
  std::vector<std::byte> scratch_;
  std::vector<float> kept_;             // see PreparedView
  std::vector<std::uint64_t> kept_at_;  // [group][max_classes]
  std::vector<float> queries_, whitened_, sums_, rooms_;
};

}  // namespace jackdaw
