// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one run is taught, picture by picture: a stream knows nothing of heads or encoders, so every
// head of a run gets the same one.
//
//   Stream stream = schedule->draw(request);
//   for (std::size_t b = 0; b < stream.batches(); ++b) teach(stream.batch(b));

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/span.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

struct Stream {
  std::vector<std::uint32_t> pictures;  // indices into the training split
  std::vector<std::uint32_t> ends;      // [batch]: where it ends in `pictures`
  // Sets of classes whose accuracy is followed together, in the order in which they are taught.
  std::vector<std::vector<std::uint32_t>> tasks;
  std::uint64_t missing = 0;  // pictures that the schedule asks for and the classes do not have

  std::size_t batches() const { return ends.size(); }
  Span<const std::uint32_t> batch(std::size_t b) const {
    const std::size_t first = b == 0 ? 0 : ends[b - 1];
    return Span<const std::uint32_t>(pictures).subspan(first, ends[b] - first);
  }
  void end_batch() {
    const std::uint32_t before = ends.empty() ? 0 : ends.back();
    if (pictures.size() > before) ends.push_back(static_cast<std::uint32_t>(pictures.size()));
  }
};

Occupancy occupancy_of(const Stream& stream, const std::vector<std::uint32_t>& labels,
                       std::size_t classes);

}  // namespace jackdaw::replay
