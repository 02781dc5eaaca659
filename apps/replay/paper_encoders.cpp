// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/paper_encoders.hpp"

namespace jackdaw::replay {
namespace {

constexpr const char* kUsual[] = {"resnet50-sscd", "efficientnet-lite0", "mobilenetv4-sscd",
                                  "resnet50-augnet"};

constexpr const char* kLooksTwice = "-views";

bool is_there(const PaperOptions& options, const std::string& name) {
  for (const AvailableEncoder& encoder : options.encoders) {
    if (encoder.name == name && encoder.calibrated_on.empty()) return true;
  }
  return false;
}

// "cifar10" was seen if the calibration is called "cifar10", "cifar10/train", "cifar10-512".
bool saw(const std::string& calibrated_on, const std::string& data) {
  if (calibrated_on.rfind(data, 0) != 0) return false;
  const char next = calibrated_on.size() > data.size() ? calibrated_on[data.size()] : '/';
  return next < '0' || next > '9';
}

std::string best_calibration(const PaperOptions& options, const std::string& data,
                             const std::string& raw) {
  std::string best;
  std::uint32_t size = 0;
  for (const AvailableEncoder& encoder : options.encoders) {
    const bool of_raw = encoder.name.rfind(raw + "@", 0) == 0 && !encoder.calibrated_on.empty();
    if (!of_raw || saw(encoder.calibrated_on, data) || encoder.output_size <= size) continue;
    best = encoder.name;
    size = encoder.output_size;
  }
  return best;
}

}  // namespace

bool looks_twice(const std::string& name) {
  const std::string ending = kLooksTwice;
  return name.size() > ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

std::vector<std::string> raw_encoders(const PaperOptions& options, const std::string& data,
                                      const std::string& wanted) {
  std::vector<std::string> found;
  if (data == "mnist") {
    for (const AvailableEncoder& encoder : options.encoders) {
      if (encoder.name.rfind("vae-omniglot", 0) == 0 && encoder.calibrated_on.empty()) {
        found.push_back(encoder.name);
      }
    }
    return found;
  }
  if (!wanted.empty()) return is_there(options, wanted) ? std::vector{wanted} : found;
  for (const char* usual : kUsual) {
    if (found.empty() && is_there(options, usual)) found.emplace_back(usual);
  }
  return found;
}

std::vector<std::string> calibrated_encoders(const PaperOptions& options, const std::string& data,
                                             const std::vector<std::string>& raw) {
  std::vector<std::string> found;
  for (const std::string& name : raw) {
    const std::string calibrated = best_calibration(options, data, name);
    const std::string views = name + kLooksTwice;
    if (calibrated.empty() && !is_there(options, views)) return raw;
    found.push_back(calibrated.empty() ? views : calibrated);
  }
  return found;
}

}  // namespace jackdaw::replay
