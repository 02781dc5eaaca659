// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

namespace jackdaw::bench {

void measure(std::vector<Timed>& candidates, int repetitions) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> samples(candidates.size());
  for (Timed& candidate : candidates) candidate.run();  // warm up
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t turn = 0; turn < candidates.size(); ++turn) {
      const std::size_t c = (turn + static_cast<std::size_t>(repetition)) % candidates.size();
      const auto start = Clock::now();
      candidates[c].run();
      samples[c].push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
  }
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    auto middle = samples[c].begin() + static_cast<std::ptrdiff_t>(samples[c].size() / 2);
    std::nth_element(samples[c].begin(), middle, samples[c].end());
    candidates[c].seconds = *middle;
  }
}

std::size_t last_level_cache() {
  std::size_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) +
                       "/size");
    std::size_t size = 0;
    char unit = 0;
    if (!(file >> size)) continue;
    file >> unit;
    largest = std::max(largest, size * (unit == 'M'   ? std::size_t{1} << 20U
                                        : unit == 'K' ? 1024U
                                                      : 1U));
  }
  return largest == 0 ? std::size_t{32} << 20U : largest;
}

}  // namespace jackdaw::bench
