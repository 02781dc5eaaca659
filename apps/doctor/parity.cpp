// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/parity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "doctor/words.hpp"

namespace jackdaw::doctor {
namespace {

class Comparison {
 public:
  Comparison(Ensemble& one, Ensemble& other)
      : one_(one),
        other_(other),
        classes_(one.settings().max_classes),
        scores_(classes_),
        other_scores_(classes_),
        example_(one.example_bytes()),
        other_example_(other.example_bytes()) {}

  // Examples of clusters, so that classes mean something.
  void show(std::uint32_t cluster) {
    std::mt19937_64 centre(cluster);
    std::vector<float> embedding(one_.settings().dimensions);
    for (float& value : embedding) value = normal_(centre) + 0.7F * normal_(random_);
    both([&](Ensemble& e) { return e.admit(embedding, &e == &one_ ? example_ : other_example_); });
    if (example_ != other_example_) ++found_.other_choice;
  }

  template <class Call>
  void both(const Call& call) {
    const Status status = call(one_);
    if (call(other_) != status) ++found_.other_status;
  }

  void ask() {
    ++found_.answers;
    both(
        [&](Ensemble& e) { return e.predict(0, example_, &e == &one_ ? scores_ : other_scores_); });
    std::vector<std::uint32_t> chosen(one_.settings().nearest), other_chosen(chosen.size());
    both([&](Ensemble& e) { return e.nearest(0, example_, &e == &one_ ? chosen : other_chosen); });
    if (chosen != other_chosen) ++found_.other_choice;
    if (std::memcmp(scores_.data(), other_scores_.data(), classes_ * sizeof(ClassScore)) != 0) {
      found_.same_bits = false;
    }
    double largest = 0.0, difference = 0.0;
    for (std::size_t c = 0; c < classes_; ++c) {
      const double a = scores_[c].score, b = other_scores_[c].score;
      if (std::isinf(a) && std::isinf(b)) continue;  // a class that cannot answer
      largest = std::max(largest, std::fabs(a));
      difference = std::max(difference, std::isfinite(a - b) ? std::fabs(a - b) : 1e30);
    }
    if (difference > 0.0) {
      found_.largest_difference =
          std::max(found_.largest_difference, difference / std::max(largest, 1e-30));
    }
  }

  void teach(std::uint32_t slot) {
    ++found_.lessons;
    both([&](Ensemble& e) { return e.teach(example_, slot, Part::kBoth); });
  }
  void take_back(std::uint32_t slot) {
    both([&](Ensemble& e) { return e.unteach(example_, slot, Part::kBoth); });
  }

  Parity stores() {
    std::vector<std::byte> bytes(one_.class_section_bytes()), theirs(other_.class_section_bytes());
    for (std::uint32_t slot = 0; slot < classes_; ++slot) {
      both([&](Ensemble& e) { return e.export_class(slot, &e == &one_ ? bytes : theirs); });
      if (bytes != theirs) ++found_.other_store;
    }
    bytes.resize(one_.shared_section_bytes());
    theirs.resize(other_.shared_section_bytes());
    both([&](Ensemble& e) { return e.export_shared(&e == &one_ ? bytes : theirs); });
    if (bytes != theirs) ++found_.other_store;
    return found_;
  }

 private:
  Ensemble& one_;
  Ensemble& other_;
  std::size_t classes_;
  std::vector<ClassScore> scores_, other_scores_;
  std::vector<std::byte> example_, other_example_;
  std::mt19937_64 random_{1};
  std::normal_distribution<float> normal_;
  Parity found_;
};

}  // namespace

Parity& Parity::operator+=(const Parity& other) {
  lessons += other.lessons;
  answers += other.answers;
  other_status += other.other_status;
  other_choice += other.other_choice;
  other_store += other.other_store;
  largest_difference = std::max(largest_difference, other.largest_difference);
  same_bits = same_bits && other.same_bits;
  return *this;
}

Parity compare(Ensemble& one, Ensemble& other, std::uint32_t lessons) {
  Comparison comparison(one, other);
  const std::uint32_t classes = one.settings().max_classes;
  for (std::uint32_t slot = 0; slot < classes; ++slot) {
    comparison.both([&](Ensemble& e) { return e.open_slot(slot); });
  }
  for (std::uint32_t i = 0; i < lessons; ++i) {
    const std::uint32_t slot = i % classes;
    comparison.show(slot);
    comparison.ask();
    comparison.teach(slot);
    if (i % 16 == 15) comparison.take_back(slot);
    if (i % 64 == 63) comparison.both([](Ensemble& e) { return e.refresh(); });
  }
  comparison.both([](Ensemble& e) { return e.refresh(); });
  for (std::uint32_t i = 0; i < 2 * classes; ++i) {
    comparison.show(i);  // half of them were never taught
    comparison.ask();
  }
  return comparison.stores();
}

Finding judge(const Parity& p) {
  const nlohmann::json facts{{"lessons", p.lessons},
                             {"answers", p.answers},
                             {"other_status", p.other_status},
                             {"other_choice", p.other_choice},
                             {"other_store", p.other_store},
                             {"largest_score_difference", p.largest_difference},
                             {"scores_same_bits", p.same_bits},
                             {"score_tolerance", kScoreTolerance}};
  const std::string asked =
      std::to_string(p.lessons) + " lessons, " + std::to_string(p.answers) + " answers";
  if (p.other_status + p.other_choice + p.other_store > 0 ||
      !(p.largest_difference <= kScoreTolerance)) {
    char share[32];
    std::snprintf(share, sizeof share, "%.1e", p.largest_difference);
    return failed("the GPU does not compute what the CPU does. In " + asked + ": " +
                      std::to_string(p.other_status) + " other statuses, " +
                      std::to_string(p.other_choice) + " other choices, " +
                      std::to_string(p.other_store) + " other stores, scores off by up to " + share,
                  "do not teach on the GPU of this device; attach this report to an issue", facts);
  }
  return ok("the same classifiers and the same store, bit for bit; scores " +
                std::string(p.same_bits ? "bit for bit, too" : "within 1e-5") + " (" + asked + ")",
            facts);
}

}  // namespace jackdaw::doctor
