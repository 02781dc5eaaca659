// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/draw.hpp"

#include <cmath>
#include <numeric>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {

std::vector<std::uint32_t> random_order(std::size_t count, Random& random) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, random);
  return order;
}

void draw_batches(const StreamRequest& request, const std::vector<std::uint32_t>& classes,
                  std::uint32_t batches, Random& random, Stream& stream) {
  std::uint64_t total = 0;
  for (const std::uint32_t c : classes) total += request.pictures[c].size();
  if (total == 0) throw SettingsError("a part of the schedule has no pictures to draw from");
  for (std::uint32_t b = 0; b < batches; ++b) {
    for (std::uint32_t i = 0; i < request.batch_size; ++i) {
      std::uint64_t at = random.below(total);
      for (const std::uint32_t c : classes) {
        if (at < request.pictures[c].size()) {
          stream.pictures.push_back(request.pictures[c][static_cast<std::size_t>(at)]);
          break;
        }
        at -= request.pictures[c].size();
      }
    }
    stream.end_batch();
  }
}

double portable_exp(double x) {
  if (x < -700.0) return 0.0;
  // e^x = (e^(x/1024))^1024; |x/1024| < 0.7, so fifteen terms leave less than 1e-15 of it.
  const double r = x / 1024.0;
  double sum = 1.0;
  for (int term = 15; term >= 1; --term) sum = 1.0 + r * sum / term;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return sum;
}

}  // namespace jackdaw::replay
