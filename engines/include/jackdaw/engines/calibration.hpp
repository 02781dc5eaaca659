// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An encoder's features are unequal: few directions hold most of the variance, and all of them are
// far from zero. Calibration finds, from pictures without labels, the mean and the directions that
// matter, and becomes the graph's last layer: fewer numbers, centred, the most telling ones first.
//
//   CalibrationStatistics statistics(encoder->manifest().output_size);
//   for each picture: statistics.add(embedding);                    // memory: one matrix, fixed
//   Calibration c = statistics.finish(256, 1.0, "my pictures", graph_sha256);
//   Manifest m = fold_calibration(encoder->manifest(), c, folder);  // a new ONNX file and manifest
//
// embedding = projection (features - mean); projection: the eigenvectors of the covariance with the
// largest eigenvalues w, each divided by sqrt((1 - shrinkage) w + shrinkage * mean of all w).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/half.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

struct Calibration {
  CalibrationNote note;
  std::uint32_t features = 0;    // what goes in
  std::vector<float> mean;       // [features]
  std::vector<Half> projection;  // [note.dimensions][features]; 16 bits, so that it is small
};

class CalibrationStatistics {
 public:
  explicit CalibrationStatistics(std::uint32_t features);  // throws CapacityError

  void add(Span<const float> embedding) noexcept;  // of `features` numbers
  std::uint64_t count() const noexcept { return count_; }
  std::size_t bytes() const noexcept;

  // Throws SettingsError if there are too few pictures for that many dimensions, or a number is out
  // of its range. Takes a while for thousands of features.
  Calibration finish(std::uint32_t dimensions, double shrinkage, const std::string& pictures,
                     const std::string& encoder_sha256) const;

 private:
  std::uint32_t features_;
  std::uint64_t count_ = 0;
  std::vector<double> origin_;   // the first embedding: sums are taken from there, which is exacter
  std::vector<double> sum_;      // [features]
  std::vector<double> product_;  // [features][features], on and below the diagonal
  std::vector<double> shifted_;  // [features] scratch
};

// The same as a layer: embedding = weights features + bias.
struct CalibrationLayer {
  std::vector<float> weights;  // [dimensions][features]
  std::vector<float> bias;     // [dimensions]
};
CalibrationLayer layer_of(const Calibration& calibration);

// A small file of its own, with a checksum. Both throw ManifestError.
void write_calibration(const Calibration& calibration, const std::string& path);
Calibration read_calibration(const std::string& path);

// Throws ManifestError if it is calibrated already, or its licence allows no changed copies.
void check_calibratable(const Manifest& encoder);

// Writes NAME.onnx, NAME.fp16.onnx (where the encoder has one), the calibration alone and
// manifest.json into `folder`, which is made; NAME is the folder's name. Throws ManifestError.
Manifest fold_calibration(const Manifest& encoder, const Calibration& calibration,
                          const std::string& folder);

// Where fold_calibration has put the calibration alone.
std::string calibration_path(const Manifest& calibrated);

}  // namespace jackdaw
