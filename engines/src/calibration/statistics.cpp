// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <new>
#include <opencv2/core.hpp>

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
  const int size = static_cast<int>(features_);
  cv::Mat covariance(size, size, CV_64F);
  double trace = 0.0;
  for (int r = 0; r < size; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (int c = 0; c <= r; ++c) {
      const auto column = static_cast<std::size_t>(c);
      const double value =
          (product_[row * features_ + column] - sum_[row] * sum_[column] / count) / (count - 1.0);
      covariance.at<double>(r, c) = covariance.at<double>(c, r) = value;
    }
    trace += covariance.at<double>(r, r);
  }
  const double mean_variance = trace / size;
  if (!(mean_variance > 0.0) || !std::isfinite(mean_variance)) {
    throw SettingsError(
        "the pictures' features do not differ from each other; give other pictures");
  }
  cv::Mat values, vectors;  // largest first; one vector a row
  cv::eigen(covariance, values, vectors);

  Calibration out;
  out.note = {pictures, count_, dimensions, shrinkage, encoder_sha256};
  out.features = features_;
  for (std::size_t i = 0; i < features_; ++i) {
    out.mean.push_back(static_cast<float>(origin_[i] + sum_[i] / count));
  }
  out.projection.reserve(std::size_t{dimensions} * features_);
  for (int d = 0; d < static_cast<int>(dimensions); ++d) {
    const double variance = std::max(values.at<double>(d), 0.0);
    const double shrunk = (1.0 - shrinkage) * variance + shrinkage * mean_variance;
    // An eigenvector's sign is arbitrary: the largest element is made positive, so that other
    // libraries give the same.
    const double* vector = vectors.ptr<double>(d);
    double largest = 0.0;
    for (int i = 0; i < size; ++i) {
      if (std::fabs(vector[i]) > std::fabs(largest)) largest = vector[i];
    }
    const double scale = (largest < 0.0 ? -1.0 : 1.0) / std::sqrt(shrunk);
    for (int i = 0; i < size; ++i) {
      out.projection.push_back(to_half(static_cast<float>(vector[i] * scale)));
    }
  }
  return out;
}

}  // namespace jackdaw
