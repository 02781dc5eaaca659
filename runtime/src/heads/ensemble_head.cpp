// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The ensemble as a head: embeddings go through its door, slots are opened when they are first
// taught, and of its answers only the scores are passed on.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "heads/head_base.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/head.hpp"

namespace jackdaw {
namespace {

class EnsembleQuestions final : public Questions {
 public:
  EnsembleQuestions(Ensemble& ensemble, Span<const float> embeddings) : ensemble_(ensemble) {
    const EnsembleSettings& s = ensemble_.settings();
    const std::size_t count = embeddings.size() / s.dimensions;
    if (count * s.dimensions != embeddings.size()) throw SettingsError("embeddings: wrong size");
    examples_.resize(count * ensemble_.example_bytes());
    choices_.resize(count * s.nearest);
    for (std::size_t first = 0; first < count; first += s.max_batch) {
      const std::size_t batch = std::min<std::size_t>(s.max_batch, count - first);
      Status status = ensemble_.admit_batch(
          embeddings.subspan(first * s.dimensions, batch * s.dimensions),
          Span<std::byte>(examples_).subspan(first * ensemble_.example_bytes(),
                                             batch * ensemble_.example_bytes()));
      if (status == Status::kOk) {
        status = ensemble_.choose_batch(
            0, examples(first, batch),
            Span<Choice>(choices_).subspan(first * s.nearest, batch * s.nearest));
      }
      if (status != Status::kOk) {
        throw SettingsError("among questions " + std::to_string(first) + " to " +
                            std::to_string(first + batch - 1) + ": " + describe(status));
      }
    }
  }

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override {
    const EnsembleSettings& s = ensemble_.settings();
    const std::size_t count = scores.size() / s.max_classes;
    if (count * s.max_classes != scores.size() || (first + count) * s.nearest > choices_.size()) {
      return Status::kWrongSize;
    }
    for (std::size_t at = 0; at < count; at += s.max_batch) {
      const std::size_t batch = std::min<std::size_t>(s.max_batch, count - at);
      const Status status = ensemble_.predict_chosen(
          0, examples(first + at, batch),
          Span<const Choice>(choices_).subspan((first + at) * s.nearest, batch * s.nearest),
          scores.subspan(at * s.max_classes, batch * s.max_classes));
      if (status != Status::kOk) return status;
    }
    if (s.profile == Profile::kSeed) {
      for (ClassScore& answer : scores) answer.typicality = answer.score;
    }
    return Status::kOk;
  }

 private:
  Span<const std::byte> examples(std::size_t first, std::size_t count) const {
    return Span<const std::byte>(examples_).subspan(first * ensemble_.example_bytes(),
                                                    count * ensemble_.example_bytes());
  }

  Ensemble& ensemble_;
  std::vector<std::byte> examples_;
  std::vector<Choice> choices_;
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
    return std::make_unique<EnsembleQuestions>(*ensemble_, embeddings);
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
