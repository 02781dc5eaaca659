// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Classes come and go gradually: 200 micro-tasks of 5 batches. In each, a class is on with the
// probability exp(-(t - peak)^2/(2*50^2)), t the micro-task's first batch; the peaks are 1000/m
// apart, from half of that on, in a random order of the classes. Drawn again when none is on.
// With fewer batches, micro-tasks are shorter, and t still runs from 0 to 1000.

#include <algorithm>

#include "replay/draw.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kMicroTasks = 200;
constexpr double kLength = 1000.0;  // of the stream, in batches
constexpr double kWidth = 50.0;

class GaussianSchedule final : public Schedule {
 public:
  std::string name() const override { return "gaussian"; }
  std::string grouping(const std::vector<std::string>& /*classes*/) const override {
    return "random";
  }
  std::uint32_t least_batches(std::size_t classes) const override {
    return static_cast<std::uint32_t>(2 * classes);
  }

  Stream draw(const StreamRequest& request) const override {
    Random random(request.seed);
    Stream stream;
    const std::vector<std::uint32_t> order = random_order(request.classes.size(), random);
    for (const std::uint32_t c : order) stream.tasks.push_back({c});
    for (std::size_t micro = 0; micro < kMicroTasks; ++micro) {
      const std::uint32_t first = part_start(request.batches, micro, kMicroTasks);
      const std::uint32_t end = part_start(request.batches, micro + 1, kMicroTasks);
      const double t = kLength * static_cast<double>(micro) / kMicroTasks;
      const std::vector<std::uint32_t> on = classes_at(t, order, random);
      draw_batches(request, on, end - first, random, stream);
    }
    return stream;
  }

 private:
  static std::vector<std::uint32_t> classes_at(double t, const std::vector<std::uint32_t>& order,
                                               Random& random) {
    const double spacing = kLength / static_cast<double>(order.size());
    std::vector<std::uint32_t> on;
    while (on.empty()) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const double distance = t - spacing * (static_cast<double>(i) + 0.5);
        const double probability = portable_exp(-distance * distance / (2.0 * kWidth * kWidth));
        if (random.uniform() < probability) on.push_back(order[i]);
      }
    }
    std::sort(on.begin(), on.end());
    return on;
  }
};

}  // namespace

std::unique_ptr<Schedule> make_gaussian_schedule() { return std::make_unique<GaussianSchedule>(); }

}  // namespace jackdaw::replay
