// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The ensemble against a naive one that was written from the design alone.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/section.hpp"
#include "jackdaw/half.hpp"
#include "support/naive_ensemble.hpp"

namespace jackdaw::testing {
namespace {

// Relative to the largest score of the query: what float sums of up to 70 products leave.
constexpr double kDefaultTolerance = 2e-5;
constexpr double kSeedTolerance = 1e-5;

std::unique_ptr<Ensemble> opened(const EnsembleSettings& settings) {
  auto ensemble = make_ensemble(settings, Device::kCpu);
  open_classes(*ensemble, settings.max_classes);
  return ensemble;
}

std::vector<std::uint32_t> nearest_of(Ensemble& ensemble, const Bytes& example) {
  std::vector<std::uint32_t> chosen(ensemble.settings().nearest);
  REQUIRE(ensemble.nearest(0, example, chosen) == Status::kOk);
  return chosen;
}

TEST_CASE(
    "profile default answers what the naive ensemble answers, whenever it was last refreshed") {
  Rng rng(seed());
  double worst = 0;
  for (const StoreType store : kStores) {
    for (int round = 0; round < 10; ++round) {
      EnsembleSettings settings = random_settings(Profile::kDefault, store, rng);
      // Not only the rule's usual numbers.
      settings.default_rule.lambda = static_cast<float>(between(rng, 1, 40)) / 4.0F;
      settings.default_rule.offset_examples = static_cast<float>(between(rng, 1, 40)) / 2.0F;
      settings.default_rule.shrink_examples = static_cast<float>(between(rng, 1, 400)) / 40.0F;
      settings.default_rule.pool_examples = static_cast<float>(between(rng, 1, 40));
      settings.default_rule.temperature = static_cast<float>(between(rng, 1, 8)) / 4.0F;
      CAPTURE(name_of_case(settings));
      const auto ensemble = opened(settings);
      NaiveDefault naive(*ensemble);
      for (const Taught& t : random_stream(*ensemble, 60, rng)) {
        REQUIRE(nearest_of(*ensemble, t.example) == naive.nearest(t.example).classifiers);
        const auto scores = scores_of(*ensemble, t.example);
        const auto expected = naive.answer(t.example);
        double most_score = 0, most_typicality = 0;
        for (const NaiveScore& e : expected) {
          if (std::isinf(e.score)) continue;
          most_score = std::max(most_score, std::fabs(e.score));
          most_typicality = std::max(most_typicality, std::fabs(e.typicality));
        }
        for (std::size_t c = 0; c < expected.size(); ++c) {
          if (std::isinf(expected[c].score)) {
            REQUIRE(scores[c].score == -std::numeric_limits<float>::infinity());
            REQUIRE(scores[c].typicality == 0.0F);
            continue;
          }
          const double off = std::max(
              std::fabs(static_cast<double>(scores[c].score) - expected[c].score) / most_score,
              std::fabs(static_cast<double>(scores[c].typicality) - expected[c].typicality) /
                  most_typicality);
          REQUIRE(off < kDefaultTolerance);
          worst = std::max(worst, off);
        }
        teach(*ensemble, t);
        naive.teach(t.example, t.slot);
        if (between(rng, 0, 5) == 0) {
          REQUIRE(ensemble->refresh() == Status::kOk);
          naive.refresh();
        }
      }
    }
  }
  MESSAGE("profile default, largest difference relative to the largest score: " << worst);
}

TEST_CASE("profile default's rows, counts, sums and scatter are those of the examples") {
  Rng rng(seed());
  for (int round = 0; round < 10; ++round) {
    const EnsembleSettings settings = random_settings(Profile::kDefault, StoreType::kInt32, rng);
    CAPTURE(name_of_case(settings));
    const auto ensemble = opened(settings);
    const auto stream = random_stream(*ensemble, 50, rng);
    teach(*ensemble, stream);
    const NaiveDefault naive(*ensemble);
    const std::size_t d = settings.dimensions, stride = padded(settings.dimensions);
    std::vector<std::int32_t> scatter(stride * stride);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      const ClassSection at(settings);
      std::vector<std::int32_t> expected(at.bytes / 4);  // every part of it is int32 here
      for (const Taught& t : stream) {
        if (t.slot != c) continue;
        const Vector x = example_as<std::int8_t>(t.example);
        for (const std::uint32_t j : naive.nearest(t.example).classifiers) {
          for (std::size_t i = 0; i < d; ++i) expected[j * stride + i] += static_cast<int>(x[i]);
          ++expected[at.counts / 4 + j];
        }
        for (std::size_t r = 0; r < d; ++r) {
          expected[at.sums / 4 + r] += static_cast<int>(x[r]);
          for (std::size_t i = 0; i < d && i < 16 * (r / 16 + 1); ++i) {
            scatter[r * stride + i] += static_cast<int>(x[r] * x[i]);
          }
        }
        ++expected[at.tail / 4];
      }
      CHECK(class_of(*ensemble, c) == memory_of(expected));
    }
    Bytes shared = memory_of(scatter);
    shared.resize(shared.size() + 16);  // nothing retired
    CHECK(shared_of(*ensemble) == shared);
  }
}

// Examples whose k nearest do not hang on a float's last bits.
std::vector<Taught> clear_stream(Ensemble& ensemble, const NaiveSeed& naive, std::size_t count,
                                 Rng& rng) {
  auto stream = random_stream(ensemble, count, rng);
  stream.erase(std::remove_if(stream.begin(), stream.end(),
                              [&](const Taught& t) { return naive.nearest(t.example).gap < 1e-6; }),
               stream.end());
  REQUIRE(stream.size() > count / 2);
  return stream;
}

void teach_as_batch(Ensemble& ensemble, const std::vector<Taught>& batch) {
  Bytes examples;
  std::vector<std::uint32_t> slots;
  for (const Taught& t : batch) {
    examples.insert(examples.end(), t.example.begin(), t.example.end());
    slots.push_back(t.slot);
  }
  REQUIRE(ensemble.teach_batch(examples, slots) == Status::kOk);
}

TEST_CASE(
    "profile seed learns the rows of the naive ensemble and answers the same, one by one and in "
    "batches") {
  Rng rng(seed());
  double worst = 0;
  std::size_t elements = 0, excused = 0;
  for (int round = 0; round < 12; ++round) {
    EnsembleSettings settings = random_settings(Profile::kSeed, StoreType::kInt32, rng);
    if (round % 3 == 0) settings.seed_rule.tau = 0.01F;  // so small that tanh bends
    CAPTURE(name_of_case(settings));
    const auto ensemble = opened(settings);
    NaiveSeed naive(*ensemble);
    const auto stream = clear_stream(*ensemble, naive, 80, rng);
    for (std::size_t i = 0; i < stream.size();) {
      const auto size = static_cast<std::ptrdiff_t>(
          std::min<std::size_t>(between(rng, 1, settings.max_batch), stream.size() - i));
      const auto from = stream.begin() + static_cast<std::ptrdiff_t>(i);
      const std::vector<Taught> batch(from, from + size);
      for (const Taught& t : batch) {
        REQUIRE(nearest_of(*ensemble, t.example) == naive.nearest(t.example).classifiers);
      }
      if (size == 1) {
        teach(*ensemble, batch[0]);
      } else {
        teach_as_batch(*ensemble, batch);
      }
      naive.teach(batch);
      i += batch.size();
    }

    const ClassSection at(settings);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      const Bytes section = class_of(*ensemble, c);
      for (std::uint32_t j = 0; j < settings.classifiers; ++j) {
        const NaiveSeed::Row& row = naive.row(j, c);
        for (std::size_t i = 0; i < settings.dimensions; ++i) {
          std::int32_t value = 0;
          std::memcpy(&value, section.data() + (j * padded(settings.dimensions) + i) * 4, 4);
          ++elements;
          if (row.uncertain[i] && value != row.w[i]) {
            ++excused;
          } else {
            REQUIRE(value == row.w[i]);
          }
        }
        std::int32_t bias = 0;
        std::memcpy(&bias, section.data() + at.counts + j * 4, 4);
        REQUIRE(bias == row.bias);
      }
    }
    for (const Taught& t : stream) {
      const auto scores = scores_of(*ensemble, t.example);
      const Vector expected = naive.answer(t.example);
      double most = 0;
      for (const double y : expected) most = std::max(most, std::fabs(y));
      for (std::size_t c = 0; c < expected.size(); ++c) {
        const double off = std::fabs(static_cast<double>(scores[c].score) - expected[c]) / most;
        REQUIRE(off < kSeedTolerance);
        worst = std::max(worst, off);
      }
    }
  }
  CHECK(excused * 10000 <= elements);
  MESSAGE("profile seed, largest difference relative to the largest score: "
          << worst << "; weights that differ where a gradient is near 0: " << excused << " of "
          << elements);
}

}  // namespace
}  // namespace jackdaw::testing
