// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// One set of classes after the other: 5way, 10way, 20way (CIFAR-100: by superclass), 100way,
// lowdata; iid is one set.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "files/whole_file.hpp"
#include "jackdaw/error.hpp"
#include "replay/draw.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {
namespace {

using Partition = std::vector<std::vector<std::uint32_t>>;

std::map<std::string, std::string> read_superclasses(const std::string& path) {
  std::map<std::string, std::string> of_class;
  try {
    const auto json = nlohmann::json::parse(read_whole_file(path));
    for (const auto& [superclass, members] : json.at("superclasses").items()) {
      for (const auto& member : members) of_class[member.get<std::string>()] = superclass;
    }
  } catch (const nlohmann::json::exception& error) {
    throw SettingsError(path + ": not a file of superclasses: " + error.what());
  }
  return of_class;
}

class SplitSchedule final : public Schedule {
 public:
  SplitSchedule(std::string name, std::uint32_t ways, std::uint32_t batch_size,
                const std::string& superclass_file)
      : name_(std::move(name)), ways_(ways), batch_size_(batch_size) {
    if (!superclass_file.empty()) superclass_of_ = read_superclasses(superclass_file);
  }

  std::string name() const override { return name_; }
  std::uint32_t least_batches(std::size_t /*classes*/) const override { return ways_; }
  std::uint32_t batch_size() const override { return batch_size_; }
  std::string grouping(const std::vector<std::string>& classes) const override {
    return ways_ == 1 ? "none" : by_superclass(classes) ? "superclass" : "random";
  }

  Stream draw(const StreamRequest& request) const override {
    if (ways_ > request.classes.size()) {
      throw SettingsError(name_ + " needs at least " + std::to_string(ways_) +
                          " classes; the data have " + std::to_string(request.classes.size()));
    }
    Random random(request.seed);
    Stream stream;
    stream.tasks = by_superclass(request.classes) ? superclasses(request.classes, random)
                                                  : random_partition(request.classes, random);
    for (std::size_t t = 0; t < ways_; ++t) {
      const std::uint32_t first = part_start(request.batches, t, ways_);
      const std::uint32_t end = part_start(request.batches, t + 1, ways_);
      draw_batches(request, stream.tasks[t], end - first, random, stream);
    }
    return stream;
  }

 private:
  // Only if the file knows every class and has as many superclasses as there are ways.
  bool by_superclass(const std::vector<std::string>& classes) const {
    std::set<std::string> met;
    for (const std::string& name : classes) {
      const auto found = superclass_of_.find(name);
      if (found == superclass_of_.end()) return false;
      met.insert(found->second);
    }
    return met.size() == ways_;
  }

  Partition superclasses(const std::vector<std::string>& classes, Random& random) const {
    std::map<std::string, std::vector<std::uint32_t>> groups;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      groups[superclass_of_.at(classes[c])].push_back(static_cast<std::uint32_t>(c));
    }
    Partition partition;
    for (auto& group : groups) partition.push_back(std::move(group.second));
    shuffle(partition, random);
    return partition;
  }

  Partition random_partition(const std::vector<std::string>& classes, Random& random) const {
    const std::vector<std::uint32_t> order = random_order(classes.size(), random);
    Partition partition(ways_);
    for (std::size_t t = 0; t < ways_; ++t) {
      const auto first = static_cast<std::ptrdiff_t>(t * order.size() / ways_);
      const auto end = static_cast<std::ptrdiff_t>((t + 1) * order.size() / ways_);
      partition[t].assign(order.begin() + first, order.begin() + end);
      std::sort(partition[t].begin(), partition[t].end());
    }
    return partition;
  }

  std::string name_;
  std::uint32_t ways_;
  std::uint32_t batch_size_;
  std::map<std::string, std::string> superclass_of_;
};

}  // namespace

std::unique_ptr<Schedule> make_split_schedule(const std::string& name, std::uint32_t ways,
                                              std::uint32_t batch_size,
                                              const std::string& superclass_file) {
  return std::make_unique<SplitSchedule>(name, ways, batch_size, superclass_file);
}

}  // namespace jackdaw::replay
