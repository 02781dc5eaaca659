// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What turns embeddings into class scores, learning as it goes. The ensemble is one head; the
// others are here to be compared with it, under the same rules: one pass over the examples, classes
// that appear at any time, memory fixed at the start.
//
//   HeadSettings settings;
//   settings.dimensions = 512;
//   settings.max_classes = 10;
//   settings.knn.buffer_bytes = store_bytes(ensemble_settings);  // the ensemble's share
//   auto head = make_head(HeadKind::kKnn, settings);
//   head->teach(embeddings, slots);        // [batch][dimensions], [batch]
//   head->refresh();                       // before answers are wanted
//   head->predict(embeddings, scores);     // [batch][max_classes]
//
// After construction nothing is allocated. One thread at a time.

#include <cstdint>
#include <memory>
#include <string>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/memory_plan.hpp"
#include "jackdaw/settings.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw {

class Head {
 public:
  virtual ~Head() = default;
  Head(const Head&) = delete;
  Head& operator=(const Head&) = delete;

  virtual const char* name() const noexcept = 0;  // as on the command line: "ncm", "slda", ...
  virtual std::uint32_t dimensions() const noexcept = 0;
  virtual std::uint32_t max_classes() const noexcept = 0;
  virtual std::uint32_t max_batch() const noexcept = 0;

  // One step on 1 to max_batch examples. Any Status but kOk means that nothing was learned, with
  // one exception: the ensemble's kCountersFull comes after the examples that still fitted.
  virtual Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept = 0;

  // Takes what was taught since into what answers are computed with; for most heads nothing to do.
  virtual Status refresh() noexcept = 0;

  // A score for each class, higher is better; -infinity for a class that was not taught (for slda:
  // not before the last refresh), so nothing but that before anything was taught. The paper's
  // baselines, vanilla and tanh, know all classes from the start and score every one.
  virtual Status predict(Span<const float> embeddings, Span<float> scores) noexcept = 0;

  // For embeddings that are asked about again and again: see Questions. A head without typicality
  // gives the score for it, too. The embeddings ([question][dimensions]) must stay where they are.
  // Throws SettingsError if the head refuses one of them.
  virtual std::unique_ptr<Questions> prepare(Span<const float> embeddings);

  // Every byte the head uses, planned at construction.
  virtual const MemoryPlan& memory() const noexcept = 0;
  std::uint64_t memory_bytes() const noexcept { return memory().total_bytes; }

 protected:
  Head() = default;
};

enum class HeadKind : std::uint8_t {
  kNearestMean,  // "ncm"
  kSlda,         // "slda"
  kKnn,          // "knn"
  kVanilla,      // "vanilla": the paper's log-softmax classifier
  kTanh,         // "tanh": the paper's single tanh classifier
};

const char* name_of(HeadKind kind) noexcept;

// Throws SettingsError, naming the heads there are. "ensemble" is not one of them: it has settings
// of its own, see make_ensemble_head.
HeadKind head_kind(const std::string& name);

struct NearestMeanRule {
  // Euclidean distance to the mean (Mensink et al. 2013), or the cosine between the embedding and
  // the mean of unit-length embeddings (iCaRL).
  bool cosine = false;
};

// Hayes & Kanan 2020, "Lifelong machine learning with deep streaming linear discriminant analysis".
struct SldaRule {
  float shrinkage = 1e-4F;  // of the covariance towards the identity, in (0, 1]
};

struct KnnRule {
  std::uint64_t buffer_bytes = 0;  // for the examples and all that is kept about them; required
  std::uint32_t nearest = 10;      // k
  float temperature = 0.07F;       // a neighbour votes with exp((cosine - 1)/temperature)
};

// The paper's two baselines: fp32, p <- p - learning_rate*sign(dL/dp), on raw embeddings.
struct LinearRule {
  float learning_rate = 1e-4F;
  float initial_scale = 0.1F;  // the authors' code; the paper says 10. Variance is scale/dimensions
  float tau = 250.0F;          // tanh only: v = tau * tanh((W z + b)/tau)
};

struct HeadSettings {
  std::uint32_t dimensions = 256;
  std::uint32_t max_classes = 100;
  std::uint32_t max_batch = 64;
  std::uint64_t seed = 0;          // knn: which examples are kept; vanilla, tanh: initial weights
  std::uint64_t budget_bytes = 0;  // construction fails above this; 0 means no limit
  NearestMeanRule nearest_mean;
  SldaRule slda;
  KnnRule knn;
  LinearRule linear;
};

// Throws SettingsError or CapacityError.
std::unique_ptr<Head> make_head(HeadKind kind, const HeadSettings& settings);

// The ensemble behind the same interface; teaching a slot opens it.
std::unique_ptr<Head> make_ensemble_head(const EnsembleSettings& settings,
                                         Device device = Device::kAuto,
                                         Span<const std::int8_t> keys = {});

}  // namespace jackdaw
