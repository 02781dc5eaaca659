// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigenvalues and eigenvectors of a symmetric matrix, by reduction to three diagonals and implicit
// QL steps. OpenCV's cv::eigen turns one pair of rows after the other until nothing is left outside
// of the diagonal, which is too slow for the 2048 features of a ResNet-50; this took 17 seconds.
//
//   const SymmetricEigen eigen = symmetric_eigen(std::move(covariance), size);
//   eigen.values[0]                        // the largest
//   eigen.vectors.data() + r * size        // the one that belongs to values[r], of length 1

#include <cstddef>
#include <vector>

namespace jackdaw {

struct SymmetricEigen {
  std::vector<double> values;   // [size], largest first
  std::vector<double> vectors;  // [size][size], one a row; its sign is arbitrary
};

// `matrix` is [size][size], finite, both triangles filled. Throws SettingsError if the steps do not
// come to an end, which no finite matrix has been seen to cause.
SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size);

}  // namespace jackdaw
