// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// One line of JSON, a line feed, then little-endian numbers: the mean in float, the projection in
// half. The JSON names their SHA-256.
#include <cstring>
#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "jackdaw/engines/calibration.hpp"
#include "jackdaw/sha256.hpp"

namespace jackdaw {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kLargest = std::size_t{256} << 20U;  // bytes

}  // namespace

void write_calibration(const Calibration& c, const std::string& path) {
  std::string numbers(c.mean.size() * sizeof(float) + c.projection.size() * sizeof(Half), '\0');
  std::memcpy(numbers.data(), c.mean.data(), c.mean.size() * sizeof(float));
  std::memcpy(numbers.data() + c.mean.size() * sizeof(float), c.projection.data(),
              c.projection.size() * sizeof(Half));
  const nlohmann::json about = {{"jackdaw_calibration", kVersion},
                                {"pictures", c.note.pictures},
                                {"count", c.note.count},
                                {"dimensions", c.note.dimensions},
                                {"features", c.features},
                                {"shrinkage", c.note.shrinkage},
                                {"encoder_sha256", c.note.encoder_sha256},
                                {"sha256", sha256_hex(numbers)}};
  write_whole_file(path, about.dump() + "\n" + numbers);
}

Calibration read_calibration(const std::string& path) {
  const std::string file = read_whole_file(path, kLargest);
  const std::size_t end = file.find('\n');
  if (end == std::string::npos) throw ManifestError(path + ": is not a calibration");
  Calibration out;
  std::string hash;
  try {
    const auto about = nlohmann::json::parse(file.substr(0, end));
    if (about.at("jackdaw_calibration").get<int>() != kVersion) {
      throw ManifestError(path + ": is of another version; update jackdaw or calibrate again");
    }
    about.at("pictures").get_to(out.note.pictures);
    about.at("count").get_to(out.note.count);
    about.at("dimensions").get_to(out.note.dimensions);
    about.at("features").get_to(out.features);
    about.at("shrinkage").get_to(out.note.shrinkage);
    about.at("encoder_sha256").get_to(out.note.encoder_sha256);
    about.at("sha256").get_to(hash);
  } catch (const nlohmann::json::exception& error) {
    throw ManifestError(path + ": is not a calibration: " + error.what());
  }
  const std::string numbers = file.substr(end + 1);
  const std::uint64_t means = std::uint64_t{out.features} * sizeof(float);
  const std::uint64_t halves = std::uint64_t{out.features} * out.note.dimensions * sizeof(Half);
  if (numbers.size() != means + halves || sha256_hex(numbers) != hash) {
    throw ManifestError(path + ": is damaged (its checksum does not hold); get it again");
  }
  out.mean.resize(out.features);
  std::memcpy(out.mean.data(), numbers.data(), means);
  out.projection.resize(std::size_t{out.features} * out.note.dimensions);
  std::memcpy(out.projection.data(), numbers.data() + means, halves);
  return out;
}

}  // namespace jackdaw
