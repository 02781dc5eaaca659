// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The demo as a user teaches it: each thing by the first two seconds in which it is shown, one
// after the other; then every so many-th frame of the minute after is asked about.
//
//   run_demo(3, [&](name, picture) { teach(...); }, [&](name, picture) { ask(...); });

#include <cstdint>
#include <limits>
#include <map>
#include <opencv2/core.hpp>
#include <string>
#include <utility>
#include <vector>

#include "live/source/demo/scene.hpp"
#include "support/seed.hpp"

namespace jackdaw::live {

constexpr std::uint64_t kTaught = 60;  // frames: two seconds

template <class Taught, class Asked>
void run_demo(std::uint64_t every, const Taught& taught, const Asked& asked) {
  demo::SceneSettings settings;
  settings.hold = 3.0;
  settings.seed = jackdaw::testing::seed() % 1000;
  demo::Scene scene(settings);
  std::map<std::string, std::uint64_t> count;
  cv::Mat picture;
  const std::size_t things = demo::thing_names().size();
  std::uint64_t number = 1, complete = 0;
  for (; complete < things; ++number) {
    const std::string name = scene.draw(number, picture);
    if (name.empty() || count[name] >= kTaught) continue;
    taught(name, picture);
    if (++count[name] == kTaught) ++complete;
  }
  for (const std::uint64_t end = number + 60 * 30; number < end; number += every) {
    const std::string name = scene.draw(number, picture);
    if (!name.empty()) asked(name, picture);
  }
}

using Vector = std::vector<double>;

class NearestMean {
 public:
  void teach(const std::string& name, const Vector& vector) {
    auto& [sum, count] = sums_[name];
    sum.resize(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) sum[i] += vector[i];
    ++count;
  }
  std::string nearest(const Vector& vector) const {
    std::string best;
    double least = std::numeric_limits<double>::max();
    for (const auto& [name, entry] : sums_) {
      double distance = 0.0;
      for (std::size_t i = 0; i < vector.size(); ++i) {
        const double d = vector[i] - entry.first[i] / entry.second;
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    return best;
  }

 private:
  std::map<std::string, std::pair<Vector, double>> sums_;
};

}  // namespace jackdaw::live
