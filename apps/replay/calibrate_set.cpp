// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/calibrate_set.hpp"

#include <algorithm>

#include "cpu/primitives.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kTogether = 256;  // embeddings

// Rows of `size` numbers, each padded with zeros to `stride`.
std::vector<float> padded(Span<const float> rows, std::size_t size, std::size_t stride) {
  std::vector<float> out(rows.size() / size * stride, 0.0F);
  for (std::size_t r = 0; r < rows.size() / size; ++r) {
    std::copy_n(rows.data() + r * size, size, out.data() + r * stride);
  }
  return out;
}

class Layer {
 public:
  explicit Layer(const Calibration& c)
      : features_(c.features), dimensions_(c.note.dimensions), layer_(layer_of(c)) {
    weights_ = padded(layer_.weights, features_, stride_);
  }

  std::vector<float> apply(const std::vector<float>& raw) const {
    const std::size_t count = raw.size() / features_;
    std::vector<float> out(count * dimensions_);
    for (std::size_t first = 0; first < count; first += kTogether) {
      const std::size_t now = std::min(kTogether, count - first);
      const auto some = padded(Span<const float>(raw).subspan(first * features_, now * features_),
                               features_, stride_);
      best_primitives().products(weights_.data(), dimensions_, some.data(), now, stride_,
                                 out.data() + first * dimensions_, dimensions_);
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += layer_.bias[i % dimensions_];
    return out;
  }

 private:
  std::size_t features_, dimensions_;
  std::size_t stride_ = (features_ + 31) / 32 * 32;  // as the primitives want it
  CalibrationLayer layer_;
  std::vector<float> weights_;  // [dimensions][stride]
};

}  // namespace

EmbeddingSet calibrate_set(const EmbeddingSet& raw, const Calibration& calibration,
                           const std::string& name) {
  if (calibration.features != raw.dimensions) {
    throw SettingsError("the calibration of " + name + " takes " +
                        std::to_string(calibration.features) + " numbers, " + raw.encoder +
                        " gives " + std::to_string(raw.dimensions));
  }
  const Layer layer(calibration);
  EmbeddingSet out;
  out.data = raw.data;
  out.encoder = name;
  out.dimensions = calibration.note.dimensions;
  out.classes = raw.classes;
  out.train = {layer.apply(raw.train.embeddings), raw.train.labels};
  out.test = {layer.apply(raw.test.embeddings), raw.test.labels};
  return out;
}

}  // namespace jackdaw::replay
