// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "rig.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda/sequences.cuh"
#include "emulation/emulated_launcher.hpp"
#include "emulation/report.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

using emulation::EmulatedLauncher;
using reference::Example;

std::uint16_t encode(StoreType type, std::int32_t value) {
  return type == StoreType::kHalf ? to_half(static_cast<float>(value)).bits
                                  : static_cast<std::uint16_t>(static_cast<std::int16_t>(value));
}

template <class T>
bool same_bytes(const T* a, const T* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

}  // namespace

Rig::Rig(const EnsembleSettings& s, std::uint64_t seed_number)
    : model(s),
      source_(seed_number),
      keys_(s.classifiers * model.stride),
      inverse_lengths_(seed() ? s.classifiers : 0),
      rows_(model.rows.size()),
      counts_(model.counts.size()),
      class_sums_(seed() ? 0 : model.class_sums.size()),
      scatter_(seed() ? 0 : model.scatter.size()),
      class_counts_(s.max_classes),
      class_clipped_(s.max_classes),
      inverse_(seed() ? 0 : model.inverse.size()),
      class_norms_(seed() ? 0 : s.max_classes),
      pooled_(1),
      whitener_(1),
      examples_(s.max_batch * model.stride * (seed() ? 4 : 1)),
      similarities_(std::size_t{s.max_batch} * s.classifiers),
      chosen_(std::size_t{s.max_batch} * s.nearest),
      weights_(std::size_t{s.max_batch} * s.nearest),
      totals_(s.max_batch),
      whitened_(seed() ? 0 : s.max_batch * model.stride),
      class_answers_(seed() ? 0 : std::size_t{s.max_batch} * s.max_classes),
      coefficients_(seed() ? std::size_t{s.max_batch} * s.nearest : 0),
      row_answers_(seed() ? 0 : std::size_t{s.max_batch} * s.max_classes * s.nearest),
      scores_(std::size_t{s.max_batch} * s.max_classes),
      targets_(s.max_batch),
      work_(seed() ? 0 : s.max_batch * model.stride),
      clipped_(s.max_classes) {
  store_.view.shape = shape_of(s);
  store_.view.keys = keys_.data();
  store_.view.inverse_lengths = inverse_lengths_.data();
  store_.view.rows = rows_.data();
  store_.view.counts = counts_.data();
  store_.view.class_sums = class_sums_.data();
  store_.view.scatter = scatter_.data();
  store_.view.class_counts = class_counts_.data();
  store_.view.class_clipped = class_clipped_.data();
  store_.whitener = whitener_.data();
  store_.rule = cuda::rule_of(s);
  store_.profile = s.profile;
  store_.type = s.store;
  cuda::Query& query = teacher_.query;
  query.examples = examples_.data();
  query.similarities = similarities_.data();
  query.chosen = chosen_.data();
  query.weights = weights_.data();
  query.totals = totals_.data();
  query.whitened = whitened_.data();
  query.class_answers = class_answers_.data();
  query.row_answers = row_answers_.data();
  query.coefficients = coefficients_.data();
  query.scores = scores_.data();
  teacher_.targets = targets_.data();
  teacher_.work = work_.data();
  teacher_.clipped = clipped_.data();
  emulation::set_schedule(seed_number);
  emulation::take_reports();
  fill();
  upload();
}

// A store as it might be after a while: rows near the limit among them, classes without examples,
// slots that are not in use, classifiers that were not taught.
void Rig::fill() {
  const EnsembleSettings& s = model.settings;
  const auto whole = [&](std::int64_t limit) {
    return static_cast<std::int32_t>(
        static_cast<std::int64_t>(random(static_cast<std::uint64_t>(2 * limit + 1))) - limit);
  };
  for (std::size_t j = 0; j < s.classifiers; ++j) {
    for (std::size_t i = 0; i < s.dimensions; ++i) {
      model.keys[j * model.stride + i] = static_cast<std::int8_t>(whole(127));
    }
    // All zeros would have no length.
    if (model.keys[j * model.stride] == 0) model.keys[j * model.stride] = 1;
  }
  for (std::uint32_t c = 0; c < s.max_classes; ++c) {
    const std::uint64_t kind = random(8);
    const bool unused = c != 0 && (c + 1 == s.max_classes || kind == 0);
    model.class_counts[c] = c == 0      ? 2
                            : unused    ? -1
                            : kind == 1 ? 0
                                        : static_cast<std::int32_t>(1 + random(300));
    model.class_clipped[c] = static_cast<std::int32_t>(random(5));
    model.class_norms[c] = 0.25F + static_cast<float>(random(1000)) / 64.0F;
    for (std::size_t i = 0; i < s.dimensions; ++i)
      model.class_sums[c * model.stride + i] = whole(5000);
    for (std::size_t j = 0; j < s.classifiers; ++j) {
      if (random(3) == 0 || model.class_counts[c] <= 0) continue;
      model.counts[model.row(j, c)] = static_cast<std::int32_t>(1 + random(50));
      const std::int32_t reach = random(4) == 0 ? element_limit(s.store) : 400;
      for (std::size_t i = 0; i < s.dimensions; ++i) {
        model.rows[model.row(j, c) * model.stride + i] =
            reach == 400 ? whole(reach) : reach * (random(2) == 0 ? 1 : -1);
      }
    }
  }
  for (std::size_t r = 0; r < s.dimensions; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      const float value = static_cast<float>(whole(1000)) / 32000.0F + (r == c ? 1.0F : 0.0F);
      model.inverse[r * model.stride + c] = model.inverse[c * model.stride + r] = value;
      model.scatter[r * model.stride + c] = whole(100000);
    }
  }
  model.common_norm = 0.5F + static_cast<float>(random(1000)) / 100.0F;
  model.scale = 0.25F + static_cast<float>(random(1000)) / 500.0F;
}

void Rig::upload() {
  const EnsembleSettings& s = model.settings;
  keys_.assign(model.keys);
  model.measure_keys();
  if (seed()) {
    inverse_lengths_.assign(model.inverse_lengths);
  } else {
    class_sums_.assign(model.class_sums);
    scatter_.assign(model.scatter);
    inverse_.assign(model.inverse);
    class_norms_.assign(model.class_norms);
  }
  for (std::size_t i = 0; i < model.rows.size(); ++i) rows_[i] = encode(s.store, model.rows[i]);
  counts_.assign(model.counts);
  class_counts_.assign(model.class_counts);
  class_clipped_.assign(model.class_clipped);
  pooled_[0] = {model.common_norm, model.scale};
  whitener_[0] = {inverse_.data(), class_norms_.data(), pooled_.data()};
}

Example Rig::example() {
  Example x(model.stride);
  float square = 0.0F;
  for (std::size_t i = 0; i < model.settings.dimensions; ++i) {
    const auto value = static_cast<float>(random(255)) - 127.0F;
    x[i] = random(9) == 0 ? 0.0F : value;
    square += x[i] * x[i];
  }
  if (!seed()) return x;
  if (square == 0.0F) x[0] = square = 1.0F;
  for (float& value : x) value /= std::sqrt(square);
  return x;
}

std::uint32_t Rig::used_slot() {
  for (;;) {
    const auto slot = static_cast<std::uint32_t>(random(model.settings.max_classes));
    if (model.class_counts[slot] >= 1) return slot;
  }
}

void Rig::put(const std::vector<Example>& xs) {
  std::byte* at = examples_.data();
  for (const Example& x : xs) {
    if (seed()) {
      std::memcpy(at, x.data(), x.size() * sizeof(float));
      at += x.size() * sizeof(float);
    } else {
      for (const float value : x) *at++ = static_cast<std::byte>(static_cast<std::int8_t>(value));
    }
  }
}

void Rig::set_targets(const std::vector<std::uint32_t>& slots, int sign, Part part) {
  for (std::size_t b = 0; b < slots.size(); ++b) {
    targets_[b] = {slots[b], sign, static_cast<std::uint32_t>(part)};
  }
}

void Rig::expect(bool same, const std::string& what) {
  if (!same) faults_.push_back(what + " differ");
}

template <class Sequence>
void Rig::run(const Sequence& sequence) {
  EmulatedLauncher launcher;
  cuda::Sequences<EmulatedLauncher> sequences(launcher, store_);
  sequence(sequences);
  launches_ = launcher.launches();
  copies_ = launcher.copies();
  for (const emulation::Report& r : emulation::take_reports()) {
    faults_.push_back(std::string("emulation: ") + emulation::name_of(r.fault) + ": " + r.text);
  }
}

void Rig::compare_similarities(std::size_t b, const std::vector<double>& expected) {
  bool same = true;
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const std::int32_t bits = similarities_[b * expected.size() + j];
    float number = static_cast<float>(bits);
    if (seed()) std::memcpy(&number, &bits, sizeof number);
    same &= (seed() ? static_cast<double>(number) : static_cast<double>(bits)) == expected[j];
  }
  expect(same, "similarities");
}

void Rig::compare_chosen(std::size_t b, const reference::Chosen& expected) {
  const std::size_t k = model.settings.nearest;
  expect(same_bytes(chosen_.data() + b * k, expected.index.data(), k), "chosen classifiers");
  expect(same_bytes(weights_.data() + b * k, expected.weight.data(), k), "weights");
  if (seed()) expect(same_bytes(totals_.data() + b, &expected.total, 1), "totals");
}

void Rig::compare_store() {
  bool rows_same = true;
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    rows_same &= rows_[i] == encode(model.settings.store, model.rows[i]);
  }
  expect(rows_same, "rows");
  expect(counts_.copy() == model.counts, "counts");
  expect(class_counts_.copy() == model.class_counts, "class counts");
  expect(class_clipped_.copy() == model.class_clipped, "clipped counts");
  if (seed()) return;
  expect(class_sums_.copy() == model.class_sums, "class sums");
  expect(scatter_.copy() == model.scatter, "scatters");
  expect(same_bytes(class_norms_.data(), model.class_norms.data(), model.class_norms.size()),
         "class norms");
  expect(pooled_[0].norm == model.common_norm && pooled_[0].scale == model.scale, "pooled norms");
}

void Rig::predict(const std::vector<Example>& xs) {
  put(xs);
  scores_.fill({-7.0F, -7.0F});
  run([&](auto& s) { s.predict(teacher_.query, static_cast<unsigned>(xs.size())); });
  for (std::size_t b = 0; b < xs.size(); ++b) {
    const std::vector<double> similarity = model.similarities(xs[b]);
    compare_similarities(b, similarity);
    compare_chosen(b, model.choose(similarity));
    if (!seed()) {
      const Example u = model.whiten(xs[b]);
      expect(same_bytes(whitened_.data() + b * u.size(), u.data(), u.size()), "whitened examples");
    }
    const std::vector<ClassScore> scores = model.predict(xs[b]);
    expect(same_bytes(scores_.data() + b * scores.size(), scores.data(), scores.size()), "scores");
  }
  compare_store();
}

void Rig::nearest(const Example& x) {
  put({x});
  std::vector<std::uint32_t> chosen(model.settings.nearest);
  run([&](auto& s) { s.nearest(teacher_.query, chosen.data()); });
  const std::vector<double> similarity = model.similarities(x);
  compare_similarities(0, similarity);
  expect(chosen == model.choose(similarity).index, "nearest");
}

void Rig::choose(const std::vector<double>& similarity) {
  for (std::size_t j = 0; j < similarity.size(); ++j) {
    const auto number = static_cast<float>(similarity[j]);
    similarities_[j] = static_cast<std::int32_t>(similarity[j]);
    if (seed()) std::memcpy(&similarities_[j], &number, sizeof number);
  }
  run([&](auto&) {
    EmulatedLauncher launcher;
    const StoreShape& shape = store_.view.shape;
    if (seed()) {
      launcher.launch(cuda::top_k_kernel<float>, cuda::Grid{1, 1},
                      cuda::top_k_threads(shape.classifiers), shape, teacher_.query);
    } else {
      launcher.launch(cuda::top_k_kernel<std::int32_t>, cuda::Grid{1, 1},
                      cuda::top_k_threads(shape.classifiers), shape, teacher_.query);
    }
  });
  compare_chosen(0, model.choose(similarity));
}

void Rig::teach(const Example& x, std::uint32_t slot, int sign, Part part) {
  put({x});
  set_targets({slot}, sign, part);
  run([&](auto& s) { s.teach(teacher_); });
  model.teach(x, slot, sign, part);
  compare_store();
  expect(clipped_ == model.class_clipped, "copied clipped counts");
}

void Rig::teach_batch(const std::vector<Example>& xs, const std::vector<std::uint32_t>& slots) {
  put(xs);
  set_targets(slots, 1, Part::kBoth);
  run([&](auto& s) { s.teach_batch(teacher_, static_cast<unsigned>(xs.size())); });
  model.teach_batch(xs, slots);
  compare_store();
}

void Rig::refresh_norms() {
  run([&](auto& s) { s.refresh_norms(teacher_, model.settings.max_batch); });
  for (std::uint32_t c = 0; c < model.settings.max_classes; ++c)
    model.class_norms[c] = model.norm(c);
  model.pool();
  compare_store();
}

}  // namespace jackdaw
