// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// MNIST's idx files: a big-endian magic number that says how many dimensions there are, their
// sizes, then bytes.

#include <filesystem>

#include "replay/archive.hpp"
#include "replay/convert.hpp"

namespace jackdaw::replay {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

std::string find(const std::string& folder, const std::string& name) {
  for (const char* ending : {".gz", ""}) {
    const std::string path = folder + "/" + name + ending;
    if (std::filesystem::exists(path)) return path;
  }
  throw DataError(
      folder + ": holds no " + name +
      ".gz; give a folder with MNIST's four files, or an archive cifar-*-binary.tar.gz");
}

RawPictures read_split(const std::string& folder, const std::string& prefix) {
  const std::string pictures_path = find(folder, prefix + "-images-idx3-ubyte");
  const std::string labels_path = find(folder, prefix + "-labels-idx1-ubyte");
  const std::string pictures = read_gzip(pictures_path);
  const std::string labels = read_gzip(labels_path);
  constexpr std::uint32_t kPictures = 0x803, kLabels = 0x801;
  if (pictures.size() < 16 || number_at(pictures, 0) != kPictures) {
    throw DataError(pictures_path + ": is not a file of MNIST's pictures");
  }
  if (labels.size() < 8 || number_at(labels, 0) != kLabels) {
    throw DataError(labels_path + ": is not a file of MNIST's labels");
  }
  RawPictures out;
  out.planes = 1;
  out.height = number_at(pictures, 8);
  out.width = number_at(pictures, 12);
  const std::uint64_t count = number_at(pictures, 4);
  const std::uint64_t each = std::uint64_t{out.height} * out.width;
  if (out.height == 0 || out.height > 1024 || out.width == 0 || out.width > 1024 ||
      pictures.size() != 16 + count * each) {
    throw DataError(pictures_path + ": its size does not fit what it says; fetch it again");
  }
  if (number_at(labels, 4) != count || labels.size() != 8 + count) {
    throw DataError(labels_path + ": has not one label for each of the " + std::to_string(count) +
                    " pictures; fetch it again");
  }
  out.pixels = pictures.substr(16);
  for (std::size_t i = 8; i < labels.size(); ++i) {
    const auto label = static_cast<unsigned char>(labels[i]);
    if (label > 9) throw DataError(labels_path + ": holds a label above 9");
    out.labels.push_back(label);
  }
  return out;
}

}  // namespace

RawSet read_mnist(const std::string& folder) {
  RawSet set;
  set.kind = "MNIST";
  for (int digit = 0; digit < 10; ++digit) set.classes.push_back(std::to_string(digit));
  set.train = read_split(folder, "train");
  set.test = read_split(folder, "t10k");
  return set;
}

}  // namespace jackdaw::replay
