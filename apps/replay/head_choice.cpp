// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/head_choice.hpp"

#include <algorithm>

#include "jackdaw/error.hpp"
#include "jackdaw/memory_plan.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::uint32_t kMostBatchThreads = 64;  // what EnsembleSettings allow

constexpr const char* kEnsemble = "ensemble";

EnsembleSettings sized(EnsembleSettings s, std::uint32_t dimensions, std::uint32_t classes,
                       std::uint32_t batch_size) {
  s.dimensions = dimensions;
  s.max_classes = classes;
  s.max_batch = batch_size;
  s.contexts = 1;
  s.undo_depth = 0;
  return s;
}

}  // namespace

void check_head(const std::string& name) {
  if (name == kEnsemble) return;
  try {
    static_cast<void>(head_kind(name));
  } catch (const SettingsError&) {
    throw SettingsError("there is no head \"" + name +
                        "\"; there are ensemble, vanilla, tanh, ncm, slda and knn");
  }
}

RowSettings row_settings(const HeadChoice& choice, std::uint32_t dimensions, std::uint32_t classes,
                         std::uint32_t batch_size) {
  RowSettings out;
  out.ensemble = sized(choice.ensemble, dimensions, classes, batch_size);
  out.dimensions = dimensions;
  out.sign_lessons = choice.sign_lessons;
  if (choice.name == "knn") out.knn_buffer_bytes = store_bytes(out.ensemble);
  if (choice.name == "vanilla" || choice.name == "tanh") {
    out.linear_initial_scale = choice.other.linear.initial_scale;
    out.linear_tau = choice.other.linear.tau;
  }
  if (choice.name == "slda") out.slda_shrinkage = choice.other.slda.shrinkage;
  return out;
}

std::unique_ptr<Head> make_run_head(const HeadChoice& choice, std::uint32_t dimensions,
                                    std::uint32_t classes, std::uint32_t batch_size,
                                    std::uint64_t seed, std::uint32_t threads) {
  const RowSettings settings = row_settings(choice, dimensions, classes, batch_size);
  if (choice.name == kEnsemble) {
    EnsembleSettings s = settings.ensemble;
    s.seed = seed;
    s.batch_threads = std::clamp(threads, 1U, kMostBatchThreads);
    return make_ensemble_head(s, Device::kCpu);
  }
  HeadSettings s = choice.other;
  s.dimensions = dimensions;
  s.max_classes = classes;
  s.max_batch = batch_size;
  s.seed = seed;
  s.knn.buffer_bytes = settings.knn_buffer_bytes;
  return make_head(head_kind(choice.name), s);
}

Confidence confidence_rule(const HeadChoice& choice) {
  return choice.name == "knn" ? Confidence::kShare : Confidence::kSoftmax;
}

float confidence_scale(const HeadChoice& choice) {
  const bool seed = choice.name == kEnsemble && choice.ensemble.profile == Profile::kSeed;
  return seed ? 1.0F / choice.ensemble.seed_rule.learning_rate : 1.0F;
}

}  // namespace jackdaw::replay
