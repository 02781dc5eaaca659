// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How large the learner is and by which rule it learns. Everything is fixed at the start.
//
//   EnsembleSettings settings;          // 1024 classifiers, the 32 nearest answer
//   settings.dimensions = 256;          // what the encoder gives
//   settings.max_classes = 100;
//   validate(settings);                 // throws SettingsError; factories call it themselves

#include <cstdint>
#include <string>

namespace jackdaw {

enum class Profile : std::uint8_t {
  kDefault = 0,  // what people get: whole-number sums, order-free, undo and merge are exact
  kSeed = 1,     // the paper's rule, to reproduce its results
};

// How one element of a row is kept. Every row holds whole numbers; the type says how far they
// reach before they are clamped (and the clamping is counted).
enum class StoreType : std::uint8_t {
  kInt16 = 0,  // exact to 32,767
  kHalf = 1,   // IEEE half, exact to 2,047
  kInt32 = 2,  // twice the memory; the reference for the other two
};

// Chosen by measurement on training splits; docs/architecture.md says what each does.
struct DefaultRule {
  float levels = 4.0F;            // whole numbers to one unit of a calibrated embedding
  float lambda = 2.0F;            // a row's mean is pulled to its class's mean by so many examples
  float offset_examples = 5.0F;   // what all classes of a row share is pulled to 0 by so many
  float prior_examples = 10.0F;   // weight of the prior within-class covariance, in examples
  float prior_variance = 0.85F;   // its variance, as a share of the whole variance
  float shrink_examples = 50.0F;  // covariance shrinkage falls to 1/e in so many examples for each
                                  // dimension that the classes effectively spread over
  float pool_examples = 10.0F;    // a class's norm is pulled to the common one by so many
  float least_norm = 0.1F;        // and is at least this share of the uncorrected one
  float temperature = 0.65F;      // of the scores, so that their softmax is a confidence
};

struct SeedRule {
  float learning_rate = 1e-4F;   // one whole step of a weight
  float tau = 250.0F;            // v = tau * tanh(./tau)
  bool fan_in_of_paper = false;  // initial deviation 1/sqrt(d) (paper) or 1/sqrt(n*d) (its code)
};

struct EnsembleSettings {
  Profile profile = Profile::kDefault;
  std::uint32_t classifiers = 1024;  // n
  std::uint32_t nearest = 32;        // k: how many of them answer and are taught
  std::uint32_t dimensions = 256;    // d: the size of an embedding
  std::uint32_t max_classes = 100;
  StoreType store = StoreType::kInt16;
  std::uint32_t contexts = 1;       // threads that predict at the same time
  std::uint32_t max_batch = 64;     // most examples in one batched call
  std::uint32_t batch_threads = 1;  // threads that share a batched call on the CPU
  std::uint32_t undo_depth = 256;   // how many of the last examples can be undone or moved
  std::uint64_t seed = 0;           // of the keys, and in profile seed of the initial weights
  std::uint64_t budget_bytes = 0;   // planning fails above this; 0 means no limit
  DefaultRule default_rule;
  SeedRule seed_rule;
};

// Throws SettingsError naming the first setting that is out of range and the range.
void validate(const EnsembleSettings& settings);

const char* name_of(Profile profile) noexcept;
const char* name_of(StoreType store) noexcept;

// Bytes of one stored element.
std::uint32_t element_bytes(StoreType store) noexcept;

// The largest absolute value an element can hold.
std::int32_t element_limit(StoreType store) noexcept;

}  // namespace jackdaw
