// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The paper's figure of final-layer activations: a stream is taught once more, and at a few moments
// each of the k classifiers that answer for a picture is asked alone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/error.hpp"
#include "replay/exhibits.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kMostClasses = 16;  // shown
constexpr double kMoments[] = {0.2, 0.4, 0.8, 1.0};

// Six digits: for drawing.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

class Recorder {
 public:
  Recorder(const EmbeddingSet& set, const EnsembleSettings& settings)
      : set_(set), settings_(settings), ensemble_(make_ensemble(settings, Device::kCpu)) {}

  void add_picture(std::uint32_t label, std::uint32_t task) {
    const auto found = std::find(set_.test.labels.begin(), set_.test.labels.end(), label);
    if (found == set_.test.labels.end()) return;
    SamplePicture sample;
    sample.picture = static_cast<std::uint32_t>(found - set_.test.labels.begin());
    sample.label = label;
    sample.task = task;
    std::vector<std::byte>& example = examples_.emplace_back(ensemble_->example_bytes());
    const std::size_t d = set_.dimensions;
    const Span<const float> all(set_.test.embeddings);
    check(ensemble_->admit(all.subspan(sample.picture * d, d), example));
    std::vector<Choice>& choices = choices_.emplace_back(settings_.nearest);
    check(ensemble_->choose_batch(0, example, choices));
    for (const Choice& choice : choices) {
      sample.classifiers.push_back(choice.classifier);
      sample.weights.push_back(rounded(static_cast<double>(choice.weight)));
    }
    pictures_.push_back(std::move(sample));
  }

  void teach(Span<const std::uint32_t> pictures) {
    std::vector<float> embeddings;
    std::vector<std::uint32_t> slots;
    for (const std::uint32_t picture : pictures) {
      const Span<const float> embedding = set_.train_at(picture);
      embeddings.insert(embeddings.end(), embedding.begin(), embedding.end());
      slots.push_back(set_.train.labels[picture]);
      check(ensemble_->open_slot(slots.back()));
    }
    std::vector<std::byte> examples(slots.size() * ensemble_->example_bytes());
    check(ensemble_->admit_batch(embeddings, examples));
    check(ensemble_->teach_batch(examples, slots));
  }

  void look(std::uint32_t batch) {
    check(ensemble_->refresh());
    for (std::size_t p = 0; p < pictures_.size(); ++p) {
      ActivationMoment moment;
      moment.batch = batch;
      moment.answer = answer(examples_[p], choices_[p]);
      for (std::size_t r = 0; r < settings_.nearest; ++r) {
        std::vector<Choice> alone = choices_[p];  // a mean with weight 1 on one of them is its own
        for (std::size_t i = 0; i < alone.size(); ++i) alone[i].weight = i == r ? 1.0F : 0.0F;
        moment.values.push_back(answer(examples_[p], alone));
      }
      pictures_[p].moments.push_back(std::move(moment));
    }
  }

  // Of many classes only the pictures' own and those that score highest at the end.
  Activations take() {
    Activations out;
    const std::vector<std::uint32_t> shown = shown_classes();
    const auto keep = [&](std::vector<double>& values) {
      std::vector<double> kept;
      for (const std::uint32_t c : shown) kept.push_back(values[c]);
      values = std::move(kept);
    };
    for (SamplePicture& picture : pictures_) {
      for (ActivationMoment& moment : picture.moments) {
        keep(moment.answer);
        for (std::vector<double>& values : moment.values) keep(values);
      }
    }
    out.classes = shown;
    out.pictures = std::move(pictures_);
    return out;
  }

 private:
  void check(Status s) const {
    if (s != Status::kOk) throw Error(set_.data + ", activations: " + describe(s));
  }

  std::vector<double> answer(const std::vector<std::byte>& example,
                             const std::vector<Choice>& choices) {
    std::vector<ClassScore> scores(settings_.max_classes);
    check(ensemble_->predict_chosen(0, example, choices, scores));
    std::vector<double> values;
    for (const ClassScore& s : scores) {
      values.push_back(std::isfinite(s.score) ? rounded(static_cast<double>(s.score))
                                              : std::numeric_limits<double>::quiet_NaN());
    }
    return values;
  }

  std::vector<std::uint32_t> shown_classes() const {
    std::vector<std::uint32_t> shown(settings_.max_classes);
    std::iota(shown.begin(), shown.end(), 0U);
    if (shown.size() <= kMostClasses || pictures_.empty()) return shown;
    std::vector<double> rank(shown.size(), -std::numeric_limits<double>::infinity());
    for (const SamplePicture& picture : pictures_) {
      const std::vector<double>& last = picture.moments.back().answer;
      for (std::size_t c = 0; c < last.size(); ++c) {
        if (!std::isnan(last[c])) rank[c] = std::max(rank[c], last[c]);
      }
      rank[picture.label] = std::numeric_limits<double>::infinity();
    }
    std::stable_sort(shown.begin(), shown.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rank[a] > rank[b]; });
    shown.resize(kMostClasses);
    std::sort(shown.begin(), shown.end());
    return shown;
  }

  const EmbeddingSet& set_;
  EnsembleSettings settings_;
  std::unique_ptr<Ensemble> ensemble_;
  std::vector<std::vector<std::byte>> examples_;
  std::vector<std::vector<Choice>> choices_;
  std::vector<SamplePicture> pictures_;
};

}  // namespace

Activations record_activations(const EmbeddingSet& set, const Stream& stream,
                               const HeadChoice& choice, std::uint32_t batch_size,
                               std::uint64_t seed) {
  const auto classes = static_cast<std::uint32_t>(set.classes.size());
  EnsembleSettings settings = row_settings(choice, set.dimensions, classes, batch_size).ensemble;
  settings.seed = seed;
  Recorder recorder(set, settings);
  if (!stream.tasks.empty()) {
    recorder.add_picture(stream.tasks.front().front(), 0);
    recorder.add_picture(stream.tasks.back().back(),
                         static_cast<std::uint32_t>(stream.tasks.size() - 1));
  }
  const auto batches = static_cast<double>(stream.batches());
  std::size_t next = 0;
  for (std::size_t b = 0; b < stream.batches(); ++b) {
    recorder.teach(stream.batch(b));
    bool due = false;
    while (next < std::size(kMoments) && static_cast<double>(b + 1) >= kMoments[next] * batches) {
      due = true;
      ++next;
    }
    if (due) recorder.look(static_cast<std::uint32_t>(b + 1));
  }
  Activations out = recorder.take();
  out.data = set.data;
  out.encoder = set.encoder;
  out.profile = name_of(settings.profile);
  return out;
}

}  // namespace jackdaw::replay
