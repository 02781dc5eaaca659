// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The paper's two baselines: one linear classifier on the raw embedding, u = W z + b, fp32, with
// p <- p - learning_rate*sign(dL/dp) for a whole batch.
//   vanilla: y = log softmax(u)        tanh: y = tau*tanh(u/tau)        L = -mean of y_true
// Initial weights as the authors' code has them (Haiku's VarianceScaling): a normal cut off at two
// deviations, of variance scale/d after the cut; biases 0. Their weight decay of 1e-8 a step, which
// has the wrong sign and no effect, is left out. Every class answers from the start.

#include <algorithm>
#include <cmath>
#include <string>

#include "core/ordered_dot.hpp"
#include "core/random.hpp"
#include "heads/head_base.hpp"
#include "heads/make_heads.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

float checked(const char* name, float value) {
  if (value > 0.0F && std::isfinite(value)) return value;
  throw SettingsError(std::string("linear.") + name + " is " + std::to_string(value) +
                      "; give more than 0");
}

class LinearHead : public HeadBase {
 public:
  explicit LinearHead(const HeadSettings& s)
      : HeadBase(s, HeadPlanner()
                        .add<float>("weights", "weights", {s.max_classes, s.dimensions})
                        .add<float>("biases", "weights", {s.max_classes})
                        .add<double>("outputs", "scratch", {s.max_batch, s.max_classes})
                        .add<double>("gradient", "scratch", {s.dimensions})),
        learning_rate_(checked("learning_rate", s.linear.learning_rate)),
        weights_(at<float>("weights")),
        biases_(at<float>("biases")),
        outputs_(at<double>("outputs")),
        gradient_(at<double>("gradient")) {
    const double scale = static_cast<double>(checked("initial_scale", s.linear.initial_scale));
    const double deviation = std::sqrt(scale / s.dimensions) / kTruncatedDeviation;
    Random random(s.seed);
    for (std::size_t i = 0; i < std::size_t{s.max_classes} * s.dimensions; ++i) {
      weights_[i] = static_cast<float>(deviation * random.truncated_normal());
    }
  }

  Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept final {
    if (Status s = check_teach(embeddings, slots); s != Status::kOk) return s;
    const std::size_t batch = slots.size();
    compute_linear(embeddings);
    for (std::size_t b = 0; b < batch; ++b) differentiate(output(b), slots[b]);
    for (std::size_t c = 0; c < max_classes(); ++c) step_class(embeddings, batch, c);
    return Status::kOk;
  }

  Status refresh() noexcept final { return Status::kOk; }

  Status predict(Span<const float> embeddings, Span<float> scores) noexcept final {
    if (Status s = check_predict(embeddings, scores); s != Status::kOk) return s;
    compute_linear(embeddings);
    for (std::size_t b = 0; b < embeddings.size() / dimensions(); ++b) {
      activate(output(b));
      for (std::size_t c = 0; c < max_classes(); ++c) {
        scores[b * max_classes() + c] = static_cast<float>(output(b)[c]);
      }
    }
    return Status::kOk;
  }

 protected:
  virtual void activate(double* u) const noexcept = 0;  // u[classes] becomes y
  // u[classes] becomes -dy_true/du: B times what the example adds to dL/du.
  virtual void differentiate(double* u, std::uint32_t slot) const noexcept = 0;

 private:
  double* output(std::size_t b) const noexcept { return outputs_ + b * max_classes(); }

  void compute_linear(Span<const float> embeddings) noexcept {
    const std::size_t d = dimensions();
    for (std::size_t b = 0; b < embeddings.size() / d; ++b) {
      for (std::size_t c = 0; c < max_classes(); ++c) {
        output(b)[c] =
            dot(embeddings.data() + b * d, weights_ + c * d, d) + static_cast<double>(biases_[c]);
      }
    }
  }

  void step_class(Span<const float> embeddings, std::size_t batch, std::size_t c) noexcept {
    const std::size_t d = dimensions();
    std::fill(gradient_, gradient_ + d, 0.0);
    double bias_gradient = 0.0;
    for (std::size_t b = 0; b < batch; ++b) {
      const double slope = output(b)[c];
      if (slope == 0.0) continue;
      const float* z = embeddings.data() + b * d;
      for (std::size_t i = 0; i < d; ++i) gradient_[i] += slope * static_cast<double>(z[i]);
      bias_gradient += slope;
    }
    for (std::size_t i = 0; i < d; ++i) step(weights_[c * d + i], gradient_[i]);
    step(biases_[c], bias_gradient);
  }

  void step(float& parameter, double gradient) const noexcept {
    if (gradient > 0.0) parameter -= learning_rate_;
    if (gradient < 0.0) parameter += learning_rate_;
  }

  float learning_rate_;
  float* weights_;
  float* biases_;
  double* outputs_;  // [max_batch][max_classes]: u, then y or the slopes
  double* gradient_;
};

class VanillaHead final : public LinearHead {
 public:
  using LinearHead::LinearHead;
  const char* name() const noexcept override { return name_of(HeadKind::kVanilla); }

 protected:
  void activate(double* u) const noexcept override {
    const double* end = u + max_classes();
    const double most = *std::max_element(static_cast<const double*>(u), end);
    double sum = 0.0;
    for (const double* at = u; at != end; ++at) sum += std::exp(*at - most);
    const double log_sum = most + std::log(sum);
    for (std::size_t c = 0; c < max_classes(); ++c) u[c] -= log_sum;
  }

  void differentiate(double* u, std::uint32_t slot) const noexcept override {
    activate(u);
    for (std::size_t c = 0; c < max_classes(); ++c) u[c] = std::exp(u[c]);
    u[slot] -= 1.0;
  }
};

class TanhHead final : public LinearHead {
 public:
  explicit TanhHead(const HeadSettings& s)
      : LinearHead(s), tau_(static_cast<double>(checked("tau", s.linear.tau))) {}
  const char* name() const noexcept override { return name_of(HeadKind::kTanh); }

 protected:
  void activate(double* u) const noexcept override {
    for (std::size_t c = 0; c < max_classes(); ++c) u[c] = tau_ * std::tanh(u[c] / tau_);
  }

  void differentiate(double* u, std::uint32_t slot) const noexcept override {
    const double bent = std::tanh(u[slot] / tau_);
    std::fill(u, u + max_classes(), 0.0);
    u[slot] = -(1.0 - bent * bent);
  }

 private:
  double tau_;
};

}  // namespace

std::unique_ptr<Head> make_vanilla_head(const HeadSettings& settings) {
  return std::make_unique<VanillaHead>(settings);
}

std::unique_ptr<Head> make_tanh_head(const HeadSettings& settings) {
  return std::make_unique<TanhHead>(settings);
}

}  // namespace jackdaw
