// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The ensemble as a head: embeddings go through its door, slots are opened when they are first
// taught, and of its answers only the scores are passed on.

#include <string>
#include <utility>
#include <vector>

#include "heads/head_base.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/head.hpp"

namespace jackdaw {
namespace {

// Profile seed knows no typicality.
class SeedQuestions final : public Questions {
 public:
  explicit SeedQuestions(std::unique_ptr<Questions> inner) : inner_(std::move(inner)) {}

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override {
    const Status status = inner_->answer(first, scores);
    for (ClassScore& answer : scores) answer.typicality = answer.score;
    return status;
  }

 private:
  std::unique_ptr<Questions> inner_;
};

class EnsembleHead final : public Head {
 public:
  explicit EnsembleHead(std::unique_ptr<Ensemble> ensemble)
      : ensemble_(std::move(ensemble)),
        settings_(ensemble_->settings()),
        own_(
            HeadPlanner()
                .add<std::byte>("admitted", "scratch",
                                {settings_.max_batch, ensemble_->example_bytes()})
                .add<ClassScore>("answers", "scratch", {settings_.max_batch, settings_.max_classes})
                .plan()),
        slab_(own_),
        all_(ensemble_->plan()) {
    for (PlannedSection section : own_.sections) {
      section.name = "head " + section.name;
      section.offset += all_.total_bytes;
      all_.sections.push_back(section);
    }
    all_.total_bytes += own_.total_bytes;
  }

  const char* name() const noexcept override { return "ensemble"; }
  std::uint32_t dimensions() const noexcept override { return settings_.dimensions; }
  std::uint32_t max_classes() const noexcept override { return settings_.max_classes; }
  std::uint32_t max_batch() const noexcept override { return settings_.max_batch; }
  const MemoryPlan& memory() const noexcept override { return all_; }

  Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept override {
    if (embeddings.size() / settings_.dimensions != slots.size()) return Status::kWrongSize;
    for (const std::uint32_t slot : slots) {
      if (slot >= settings_.max_classes) return Status::kNoSuchClass;
    }
    Span<const std::byte> examples;
    if (Status s = admit(embeddings, examples); s != Status::kOk) return s;
    for (const std::uint32_t slot : slots) {
      if (Status s = ensemble_->open_slot(slot); s != Status::kOk) return s;
    }
    return ensemble_->teach_batch(examples, slots);
  }

  Status refresh() noexcept override { return ensemble_->refresh(); }

  Status predict(Span<const float> embeddings, Span<float> scores) noexcept override {
    if (scores.size() % settings_.max_classes != 0 ||
        embeddings.size() / settings_.dimensions != scores.size() / settings_.max_classes) {
      return Status::kWrongSize;
    }
    Span<const std::byte> examples;
    if (Status s = admit(embeddings, examples); s != Status::kOk) return s;
    const Span<ClassScore> answers(slab_.at<ClassScore>("answers"), scores.size());
    if (Status s = ensemble_->predict_batch(0, examples, answers); s != Status::kOk) return s;
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = answers[i].score;
    return Status::kOk;
  }

  std::unique_ptr<Questions> prepare(Span<const float> embeddings) override {
    const std::size_t d = settings_.dimensions;
    const std::size_t bytes = ensemble_->example_bytes();
    if (embeddings.size() % d != 0) throw SettingsError("embeddings: not a whole number of them");
    std::vector<std::byte> examples(embeddings.size() / d * bytes);
    for (std::size_t i = 0; i < embeddings.size() / d; ++i) {
      const Status status = ensemble_->admit(embeddings.subspan(i * d, d),
                                             Span<std::byte>(examples).subspan(i * bytes, bytes));
      if (status != Status::kOk) {
        throw SettingsError("question " + std::to_string(i) + ": " + describe(status));
      }
    }
    auto questions = ensemble_->prepare(examples);
    if (settings_.profile == Profile::kDefault) return questions;
    return std::make_unique<SeedQuestions>(std::move(questions));
  }

 private:
  Status admit(Span<const float> embeddings, Span<const std::byte>& examples) noexcept {
    const std::size_t d = settings_.dimensions;
    const std::size_t batch = embeddings.size() / d;
    if (embeddings.size() % d != 0 || batch == 0 || batch > settings_.max_batch) {
      return Status::kWrongSize;
    }
    const Span<std::byte> admitted(slab_.at<std::byte>("admitted"),
                                   batch * ensemble_->example_bytes());
    examples = admitted;
    return ensemble_->admit_batch(embeddings, admitted);
  }

  std::unique_ptr<Ensemble> ensemble_;
  const EnsembleSettings& settings_;
  MemoryPlan own_;
  Slab slab_;  // refers to own_
  MemoryPlan all_;
};

}  // namespace

std::unique_ptr<Head> make_ensemble_head(const EnsembleSettings& settings, Device device,
                                         Span<const std::int8_t> keys) {
  return std::make_unique<EnsembleHead>(make_ensemble(settings, device, keys));
}

}  // namespace jackdaw
