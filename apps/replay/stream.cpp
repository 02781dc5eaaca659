// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/stream.hpp"

namespace jackdaw::replay {

Occupancy occupancy_of(const Stream& stream, const std::vector<std::uint32_t>& labels,
                       std::size_t classes) {
  Occupancy out;
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
