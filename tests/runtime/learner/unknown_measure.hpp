// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How well an answer tells what was taught from what was not.
//
//   UnknownMeasure measured;
//   measured.add(answer, "mug");     // an example of a class that was taught
//   measured.add(answer, "");        // of one that was not
//   MESSAGE(measured.text());

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "jackdaw/learner.hpp"

namespace jackdaw::testing {

class UnknownMeasure {
 public:
  void add(const Answer& answer, const std::string& label) {
    const bool known = !label.empty();
    (known ? known_ : unknown_).push_back(answer.best().typicality);
    if (known) right_ += answer.best().label.text() == label;
    if (known) rejected_ += answer.unknown;
    if (!known) accepted_ += !answer.unknown;
  }

  // The share of pairs (known, unknown) in which the known one is the more typical.
  double auroc() const {
    std::vector<float> others = unknown_;
    std::sort(others.begin(), others.end());
    double pairs = 0.0;
    for (const float value : known_) {
      const auto below = std::lower_bound(others.begin(), others.end(), value);
      const auto above = std::upper_bound(others.begin(), others.end(), value);
      pairs +=
          static_cast<double>(below - others.begin()) + 0.5 * static_cast<double>(above - below);
    }
    return pairs / static_cast<double>(known_.size()) / static_cast<double>(others.size());
  }
  double rejected() const { return rejected_ / static_cast<double>(known_.size()); }
  double accepted() const { return accepted_ / static_cast<double>(unknown_.size()); }
  double balanced_error() const { return 0.5 * (rejected() + accepted()); }
  double accuracy() const {
    return right_ / static_cast<double>(known_.size());
  }  // "unknown" aside

  std::string text() const {
    char line[200];
    std::snprintf(
        line, sizeof line,
        "AUROC %.3f, balanced error %.3f (%.3f of the known rejected, %.3f of the unknown "
        "accepted), accuracy %.3f",
        auroc(), balanced_error(), rejected(), accepted(), accuracy());
    return line;
  }

 private:
  std::vector<float> known_;
  std::vector<float> unknown_;
  double right_ = 0.0;
  double rejected_ = 0.0;
  double accepted_ = 0.0;
};

}  // namespace jackdaw::testing
