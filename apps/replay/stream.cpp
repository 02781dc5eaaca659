// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/stream.hpp"

#include <algorithm>

namespace jackdaw::replay {

Occupancy occupancy_of(const Stream& stream, const std::vector<std::uint32_t>& labels,
                       std::size_t classes) {
  Occupancy out;
  // About a hundred bins, as far as there are batches.
  out.batches_in_bin =
      static_cast<std::uint32_t>(std::clamp<std::size_t>(stream.batches() / 100, 1, 10));
  const std::size_t bins = (stream.batches() + out.batches_in_bin - 1) / out.batches_in_bin;
  out.examples.assign(classes, std::vector<std::uint32_t>(bins, 0));
  for (std::size_t b = 0; b < stream.batches(); ++b) {
    for (const std::uint32_t picture : stream.batch(b)) {
      ++out.examples[labels[picture]][b / out.batches_in_bin];
    }
  }
  return out;
}

}  // namespace jackdaw::replay
