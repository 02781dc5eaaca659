// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The nearest neighbours of questions that are asked again and again while the buffer changes: a
// list for each, somewhat longer than needed, so that only what changed has to be compared.
//
//   NeighbourLists lists(questions, 10);
//   Span<const Neighbour> best = lists.update(q, changed, size, [&](std::uint32_t place) {
//     return product of question q with the example at `place`; });
//
// Exact: every place that a list does not hold is at most as near as the list's `floor`, and all
// that it holds are nearer; when too few are left, the whole buffer is compared again.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw {

struct Neighbour {
  std::int32_t product;  // the larger, the nearer; ties go to the lower place
  std::uint32_t place;
};

inline bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.product != b.product ? a.product > b.product : a.place < b.place;
}

class NeighbourLists {
 public:
  NeighbourLists(std::size_t questions, std::uint32_t nearest)
      : nearest_(nearest), length_(nearest + kSpare), lists_(questions) {
    kept_.resize(questions * length_);
  }

  // changed: places that were written since this list's last update, ascending; size: places in
  // use. The `nearest` nearest, the best first; fewer if there are not as many.
  template <class Product>
  Span<const Neighbour> update(std::size_t question, Span<const std::uint32_t> changed,
                               std::uint32_t size, const Product& product) {
    List& list = lists_[question];
    Neighbour* kept = kept_.data() + question * length_;
    const auto gone = [&](const Neighbour& n) {
      return std::binary_search(changed.begin(), changed.end(), n.place);
    };
    list.size = static_cast<std::uint32_t>(std::remove_if(kept, kept + list.size, gone) - kept);
    for (const std::uint32_t place : changed) insert(list, kept, {product(place), place});
    const std::uint32_t wanted = std::min(nearest_, size);
    if (list.size < wanted) {
      list = {};
      for (std::uint32_t place = 0; place < size; ++place) {
        insert(list, kept, {product(place), place});
      }
    }
    return {kept, wanted};
  }

 private:
  static constexpr std::uint32_t kSpare = 54;

  struct List {
    std::uint32_t size = 0;
    Neighbour floor{std::numeric_limits<std::int32_t>::min(), 0xFFFFFFFFU};
  };

  void insert(List& list, Neighbour* kept, const Neighbour& candidate) const {
    if (!nearer(candidate, list.floor)) return;
    if (list.size == length_) {
      if (!nearer(candidate, kept[length_ - 1])) {
        list.floor = candidate;
        return;
      }
      list.floor = kept[--list.size];
    }
    std::uint32_t at = list.size++;
    for (; at > 0 && nearer(candidate, kept[at - 1]); --at) kept[at] = kept[at - 1];
    kept[at] = candidate;
  }

  std::uint32_t nearest_, length_;
  std::vector<List> lists_;
  std::vector<Neighbour> kept_;  // [question][length_], the best first
};

}  // namespace jackdaw
