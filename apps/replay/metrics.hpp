// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is measured of answers. Accuracies are percentages.

#include <cstdint>
#include <vector>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw::replay {

// The best class and how sure the head is of it.
struct Verdict {
  std::uint32_t label = kNone;
  float confidence = 0.0F;  // 0 to 1
  float unknown = 0.0F;     // the larger, the more like something that was taught

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;  // nothing was taught yet
};

// How a head's scores become confidences.
enum class Confidence : std::uint8_t {
  kSoftmax,  // of the scores times `scale`
  kShare,    // score divided by the sum: votes
};

// scores: one for each class. Ties go to the lower class. `unknown` is the typicality of the best
// class, before any softmax.
Verdict verdict_of(Span<const ClassScore> scores, Confidence rule, float scale);

// Percent right in each class; 0 for a class without pictures.
std::vector<double> class_accuracies(const std::vector<Verdict>& verdicts,
                                     const std::vector<std::uint32_t>& labels, std::size_t classes);

double mean_of(const std::vector<double>& values);  // 0 of none

// The paper's generalised forgetting: the mean over the classes of (the best accuracy at any
// evaluation after the start) - (the accuracy at the last). accuracies: [evaluation][class].
double forgetting(const std::vector<std::vector<double>>& accuracies);
std::vector<double> class_forgetting(const std::vector<std::vector<double>>& accuracies);

// The probability that a random one of `higher` is larger than a random one of `lower`; equal ones
// count half. 0.5 if one of them is empty.
double auroc(std::vector<float> higher, std::vector<float> lower);

// Expected calibration error, percent: |share right - mean confidence| in 15 bins of equal width,
// weighted by how many answers are in each.
double calibration_error(const std::vector<Verdict>& verdicts,
                         const std::vector<std::uint32_t>& labels);

}  // namespace jackdaw::replay
