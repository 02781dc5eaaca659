// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The paper's figure of final-layer activations: a stream is taught once more, and at a few moments
// the values of the k classifiers that answer for a picture are computed from their rows, which no
// answer shows apart: v_jc = tau*tanh((W_jc.x + b_jc)/tau).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/section.hpp"
#include "jackdaw/ensemble.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/half.hpp"
#include "replay/exhibits.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kMostClasses = 16;  // shown
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMoments[] = {0.2, 0.4, 0.8, 1.0};

// Six digits: for drawing.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

class Recorder {
 public:
  Recorder(const EmbeddingSet& set, const EnsembleSettings& settings)
      : set_(set),
        settings_(settings),
        layout_(settings),
        ensemble_(make_ensemble(settings, Device::kCpu)),
        section_(ensemble_->class_section_bytes()) {}

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
    sample.classifiers.resize(settings_.nearest);
    check(ensemble_->nearest(0, example, sample.classifiers));
    for (const std::uint32_t j : sample.classifiers) {
      sample.weights.push_back(rounded(similarity(example, j)));
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
    for (std::size_t p = 0; p < pictures_.size(); ++p) {
      ActivationMoment& moment = pictures_[p].moments.emplace_back();
      moment.batch = batch;
      moment.answer = answer(examples_[p]);
      moment.values.assign(settings_.nearest, std::vector<double>(settings_.max_classes, kNone));
    }
    for (std::uint32_t c = 0; c < settings_.max_classes; ++c) {
      if (ensemble_->class_count(c) < 0) continue;
      check(ensemble_->export_class(c, section_));
      for (std::size_t p = 0; p < pictures_.size(); ++p) {
        SamplePicture& picture = pictures_[p];
        for (std::size_t r = 0; r < settings_.nearest; ++r) {
          picture.moments.back().values[r][c] = value(examples_[p], picture.classifiers[r]);
        }
      }
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

  static float element(const std::vector<std::byte>& example, std::size_t i) {
    float x = 0.0F;
    std::memcpy(&x, example.data() + i * sizeof(float), sizeof(float));
    return x;
  }

  // Cosine of an example, which has length 1, and a key.
  double similarity(const std::vector<std::byte>& example, std::uint32_t classifier) const {
    const std::size_t first = std::size_t{classifier} * padded(settings_.dimensions);
    double dot = 0.0, length = 0.0;
    for (std::size_t i = 0; i < settings_.dimensions; ++i) {
      const double key = static_cast<std::int8_t>(ensemble_->keys()[first + i]);
      dot += key * static_cast<double>(element(example, i));
      length += key * key;
    }
    return dot / std::sqrt(std::max(length, 1e-12));
  }

  template <class T>
  T read(std::size_t offset) const {
    T out;
    std::memcpy(&out, section_.data() + offset, sizeof(T));
    return out;
  }

  // A weight in steps of the learning rate.
  double weight(std::size_t index) const {
    if (settings_.store == StoreType::kInt16) {
      return read<std::int16_t>(layout_.rows + index * 2);
    }
    if (settings_.store == StoreType::kInt32) {
      return read<std::int32_t>(layout_.rows + index * 4);
    }
    return static_cast<double>(to_float(read<Half>(layout_.rows + index * 2)));
  }

  // Of the class that is in section_.
  double value(const std::vector<std::byte>& example, std::uint32_t classifier) const {
    const std::size_t first = std::size_t{classifier} * padded(settings_.dimensions);
    double sum = read<std::int32_t>(layout_.counts + std::size_t{classifier} * 4);
    for (std::size_t i = 0; i < settings_.dimensions; ++i) {
      sum += weight(first + i) * static_cast<double>(element(example, i));
    }
    const auto tau = static_cast<double>(settings_.seed_rule.tau);
    return rounded(tau *
                   std::tanh(static_cast<double>(settings_.seed_rule.learning_rate) * sum / tau));
  }

  std::vector<double> answer(const std::vector<std::byte>& example) {
    std::vector<ClassScore> scores(settings_.max_classes);
    check(ensemble_->predict(0, example, scores));
    std::vector<double> values;
    for (const ClassScore& s : scores) {
      values.push_back(std::isfinite(s.score) ? rounded(static_cast<double>(s.score)) : kNone);
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
  ClassSection layout_;
  std::unique_ptr<Ensemble> ensemble_;
  std::vector<std::byte> section_;  // of one class
  std::vector<std::vector<std::byte>> examples_;
  std::vector<SamplePicture> pictures_;
};

}  // namespace

Activations record_activations(const EmbeddingSet& set, const Stream& stream,
                               const HeadChoice& choice, std::uint32_t batch_size,
                               std::uint64_t seed) {
  const auto classes = static_cast<std::uint32_t>(set.classes.size());
  EnsembleSettings settings = row_settings(choice, set.dimensions, classes, batch_size).ensemble;
  settings.seed = seed;
  if (settings.profile != Profile::kSeed) {
    throw SettingsError("activations are those of profile seed");
  }
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
