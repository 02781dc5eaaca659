// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A given number of pictures of each class, none twice, one class after the other in a random
// order: how a person teaches. "shots:5" gives every class five, "unequal" gives the classes very
// different numbers, in a random order that is new in each run.

#include <algorithm>

#include "jackdaw/error.hpp"
#include "replay/draw.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {
namespace {

class ShotsSchedule final : public Schedule {
 public:
  ShotsSchedule(std::string name, std::vector<std::uint32_t> counts)
      : name_(std::move(name)), counts_(std::move(counts)) {}

  std::string name() const override { return name_; }
  std::string grouping(const std::vector<std::string>& /*classes*/) const override {
    return "random";
  }
  std::uint32_t full_batches() const override { return 0; }
  std::uint32_t least_batches(std::size_t /*classes*/) const override { return 0; }

  Stream draw(const StreamRequest& request) const override {
    Random random(request.seed);
    Stream stream;
    const std::size_t classes = request.classes.size();
    std::vector<std::uint32_t> counts(classes);
    for (std::size_t i = 0; i < classes; ++i) counts[i] = counts_[i % counts_.size()];
    shuffle(counts, random);
    for (const std::uint32_t c : random_order(classes, random)) {
      stream.tasks.push_back({c});
      std::vector<std::uint32_t> pictures = request.pictures[c];
      shuffle(pictures, random);
      const std::size_t taken = std::min<std::size_t>(counts[c], pictures.size());
      stream.missing += counts[c] - taken;
      for (std::size_t i = 0; i < taken; ++i) {
        stream.pictures.push_back(pictures[i]);
        if ((i + 1) % request.batch_size == 0) stream.end_batch();
      }
      stream.end_batch();
    }
    return stream;
  }

 private:
  std::string name_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

std::unique_ptr<Schedule> make_shots_schedule(const std::string& name,
                                              std::vector<std::uint32_t> counts) {
  return std::make_unique<ShotsSchedule>(name, std::move(counts));
}

}  // namespace jackdaw::replay
