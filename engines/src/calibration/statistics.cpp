// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "calibration/symmetric_eigen.hpp"
#include "jackdaw/engines/calibration.hpp"

namespace jackdaw {

CalibrationStatistics::CalibrationStatistics(std::uint32_t features) : features_(features) {
  constexpr std::uint32_t kMost = 8192;
  if (features == 0 || features > kMost) {
    throw SettingsError("an encoder with " + std::to_string(features) +
                        " features cannot be calibrated; 1 to " + std::to_string(kMost) + " can");
  }
  try {
    sum_.resize(features);
    shifted_.resize(features);
    product_.resize(std::size_t{features} * features);
  } catch (const std::bad_alloc&) {
    throw CapacityError("calibrating " + std::to_string(features) + " features needs " +
                        std::to_string(std::size_t{features} * features * sizeof(double)) +
                        " bytes, which cannot be allocated");
  }
}

std::size_t CalibrationStatistics::bytes() const noexcept {
  return (product_.size() + 3 * std::size_t{features_}) * sizeof(double);
}

void CalibrationStatistics::add(Span<const float> embedding) noexcept {
  if (count_ == 0) origin_.assign(embedding.begin(), embedding.end());
  ++count_;
  for (std::size_t i = 0; i < features_; ++i) {
    shifted_[i] = static_cast<double>(embedding[i]) - origin_[i];
    sum_[i] += shifted_[i];
  }
  for (std::size_t r = 0; r < features_; ++r) {
    const double factor = shifted_[r];
    double* row = product_.data() + r * features_;
    for (std::size_t c = 0; c <= r; ++c) row[c] += factor * shifted_[c];
  }
}

Calibration CalibrationStatistics::finish(std::uint32_t dimensions, double shrinkage,
                                          const std::string& pictures,
                                          const std::string& encoder_sha256) const {
  if (dimensions == 0 || dimensions > features_) {
    throw SettingsError("--dim is " + std::to_string(dimensions) + "; it must be from 1 to " +
                        std::to_string(features_) + ", the number of the encoder's features");
  }
  if (!(shrinkage > 0.0 && shrinkage <= 1.0)) {
    throw SettingsError("the shrinkage is " + std::to_string(shrinkage) +
                        "; it must be above 0 and at most 1");
  }
  if (count_ < 2 * std::uint64_t{dimensions}) {
    throw SettingsError(std::to_string(count_) + " pictures are too few for " +
                        std::to_string(dimensions) + " dimensions; give at least " +
                        std::to_string(2 * dimensions));
  }
  const auto count = static_cast<double>(count_);
  const std::size_t size = features_;
  std::vector<double> covariance(size * size);
  double trace = 0.0;
  for (std::size_t r = 0; r < size; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      const double value = (product_[r * size + c] - sum_[r] * sum_[c] / count) / (count - 1.0);
      covariance[r * size + c] = covariance[c * size + r] = value;
    }
    trace += covariance[r * size + r];
  }
  const double mean_variance = trace / static_cast<double>(size);
  if (!(mean_variance > 0.0) || !std::isfinite(mean_variance)) {
    throw SettingsError(
        "the pictures' features do not differ from each other; give other pictures");
  }
  const SymmetricEigen eigen = symmetric_eigen(std::move(covariance), size);

  Calibration out;
  out.note = {pictures, count_, dimensions, shrinkage, encoder_sha256};
  out.features = features_;
  for (std::size_t i = 0; i < features_; ++i) {
    out.mean.push_back(static_cast<float>(origin_[i] + sum_[i] / count));
  }
  out.projection.reserve(std::size_t{dimensions} * features_);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double variance = std::max(eigen.values[d], 0.0);
    const double shrunk = (1.0 - shrinkage) * variance + shrinkage * mean_variance;
    // An eigenvector's sign is arbitrary: the largest element is made positive, so that other
    // libraries give the same.
    const double* vector = eigen.vectors.data() + d * size;
    double largest = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      if (std::fabs(vector[i]) > std::fabs(largest)) largest = vector[i];
    }
    const double scale = (largest < 0.0 ? -1.0 : 1.0) / std::sqrt(shrunk);
    for (std::size_t i = 0; i < size; ++i) {
      out.projection.push_back(to_half(static_cast<float>(vector[i] * scale)));
    }
  }
  return out;
}

}  // namespace jackdaw
