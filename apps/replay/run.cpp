// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {
namespace {

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Run {
 public:
  Run(const EmbeddingSet& set, const Stream& stream, const HeadChoice& choice,
      const RunOptions& options)
      : set_(set),
        stream_(stream),
        choice_(choice),
        options_(options),
        classes_(set.classes.size()),
        head_(make_run_head(choice, set.dimensions, static_cast<std::uint32_t>(classes_),
                            options.batch_size, options.seed, options.threads)),
        verdicts_(set.test.labels.size()) {
    const Stopwatch watch(result_.predict_seconds);
    questions_ = head_->prepare(set.test.embeddings);
    result_.taught.assign(classes_, 0);
    result_.memory_bytes = head_->memory_bytes() - bytes_of_threads();
  }

  RunResult all(const std::atomic<bool>* stop) {
    for (std::size_t b = 0; b < stream_.batches(); ++b) {
      if (stop != nullptr && stop->load()) throw Error("stopped");
      teach(b);
      const bool last = b + 1 == stream_.batches();
      if (last || (b + 1) % options_.evaluate_every == 0) evaluate(b + 1);
    }
    result_.calibration_error = calibration_error(verdicts_, set_.test.labels);
    for (const Verdict& verdict : verdicts_) result_.predictions.push_back(verdict.label);
    return std::move(result_);
  }

 private:
  // What the head takes only because threads share its work here.
  std::uint64_t bytes_of_threads() const {
    for (const PlannedSection& section : head_->memory().sections) {
      if (section.name == "workers") return section.bytes;
    }
    return 0;
  }

  void teach(std::size_t b) {
    const Span<const std::uint32_t> pictures = stream_.batch(b);
    embeddings_.clear();
    slots_.clear();
    for (const std::uint32_t picture : pictures) {
      const Span<const float> embedding = set_.train_at(picture);
      for (const float value : embedding) {
        embeddings_.push_back(choice_.sign_lessons ? std::copysign(1.0F, value) : value);
      }
      slots_.push_back(set_.train.labels[picture]);
      ++result_.taught[slots_.back()];
    }
    const Stopwatch watch(result_.teach_seconds);
    if (const Status s = head_->teach(embeddings_, slots_); s != Status::kOk) {
      throw Error(choice_.name + ", batch " + std::to_string(b) + " of " + set_.data +
                  " could not be taught: " + describe(s));
    }
    result_.lessons += pictures.size();
  }

  void evaluate(std::size_t batches) {
    answer_all();
    result_.batches.push_back(static_cast<std::uint32_t>(batches));
    result_.accuracies.push_back(class_accuracies(verdicts_, set_.test.labels, classes_));
    const auto taught = static_cast<std::size_t>(
        std::count_if(result_.taught.begin(), result_.taught.end(), [](auto n) { return n > 0; }));
    if (2 * taught <= classes_) measure_unknown(taught, batches);
  }

  void answer_all() {
    const Stopwatch watch(result_.predict_seconds);
    if (const Status s = head_->refresh(); s != Status::kOk) fail_answers(s);
    constexpr std::size_t kAtOnce = 1024;
    const Confidence rule = confidence_rule(choice_);
    const float scale = confidence_scale(choice_);
    for (std::size_t first = 0; first < verdicts_.size(); first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, verdicts_.size() - first);
      scores_.resize(count * classes_);
      if (const Status s = questions_->answer(first, scores_); s != Status::kOk) fail_answers(s);
      for (std::size_t i = 0; i < count; ++i) {
        verdicts_[first + i] = verdict_of(
            Span<const ClassScore>(scores_).subspan(i * classes_, classes_), rule, scale);
      }
    }
    result_.answers += verdicts_.size();
  }

  [[noreturn]] void fail_answers(Status s) const {
    throw Error(choice_.name + " could not answer about " + set_.data + ": " + describe(s));
  }

  // Computed at every moment that qualifies, so that the last one stays.
  void measure_unknown(std::size_t taught, std::size_t batches) {
    std::vector<float> known, unknown;
    for (std::size_t i = 0; i < verdicts_.size(); ++i) {
      (result_.taught[set_.test.labels[i]] > 0 ? known : unknown).push_back(verdicts_[i].unknown);
    }
    if (known.empty() || unknown.empty()) return;
    RunUnknown found;
    found.auroc = auroc(std::move(known), std::move(unknown));
    found.taught = static_cast<std::uint32_t>(taught);
    found.untaught = static_cast<std::uint32_t>(classes_ - taught);
    found.batch = static_cast<std::uint32_t>(batches);
    result_.unknown = found;
  }

  const EmbeddingSet& set_;
  const Stream& stream_;
  const HeadChoice& choice_;
  const RunOptions& options_;
  std::size_t classes_;
  std::unique_ptr<Head> head_;
  std::unique_ptr<Questions> questions_;
  std::vector<Verdict> verdicts_;
  std::vector<float> embeddings_;
  std::vector<std::uint32_t> slots_;
  std::vector<ClassScore> scores_;
  RunResult result_;
};

}  // namespace

RunResult run(const EmbeddingSet& set, const Stream& stream, const HeadChoice& choice,
              const RunOptions& options, const std::atomic<bool>* stop) {
  return Run(set, stream, choice, options).all(stop);
}

}  // namespace jackdaw::replay
