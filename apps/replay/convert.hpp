// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The official archives as class folders, so that a stranger can run everything:
//
//   MNIST      a folder with train-images-idx3-ubyte.gz and its three companions
//   CIFAR-10   cifar-10-binary.tar.gz         CIFAR-100   cifar-100-binary.tar.gz
//
//   convert("cifar-10-binary.tar.gz", "data/cifar10", progress);   // OUT/train/CLASS/00042.png
//
// The folder appears under its name only when it is complete.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jackdaw::replay {

using ConvertProgress = std::function<void(std::size_t done, std::size_t total)>;

struct Converted {
  std::string kind;  // "MNIST", "CIFAR-10", "CIFAR-100"
  std::size_t classes = 0, train = 0, test = 0;
};

// Throws DataError: not such an archive, damaged, or `out` is there already.
Converted convert(const std::string& archive, const std::string& out,
                  const ConvertProgress& progress);

// --- inside
// ---------------------------------------------------------------------------------------

// Pictures as the archives have them: planes of 8 bits, one after the other; 3 planes are RGB.
struct RawPictures {
  std::uint32_t width = 0, height = 0, planes = 0;
  std::string pixels;                 // [picture][plane][row][column]
  std::vector<std::uint32_t> labels;  // [picture]
};

struct RawSet {
  std::string kind;
  std::vector<std::string> classes;
  RawPictures train, test;
};

RawSet read_mnist(const std::string& folder);
RawSet read_cifar(const std::string& archive);

}  // namespace jackdaw::replay
