// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which classes are taught when. As in the paper: 1000 batches, drawn at random from the pictures
// of the current classes, and a new random partition of the classes in each run.
//
//   auto schedule = make_schedule("5way", {});
//   Stream stream = schedule->draw({set.classes, pictures_of_class, 1000, 48, seed});

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "replay/stream.hpp"

namespace jackdaw::replay {

struct StreamRequest {
  const std::vector<std::string>& classes;
  const std::vector<std::vector<std::uint32_t>>& pictures;  // [class] -> training pictures
  std::uint32_t batches = 0;                                // at most; see Schedule::full_batches
  std::uint32_t batch_size = 0;
  std::uint64_t seed = 0;  // of this run's stream; the same seed gives the same stream everywhere
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual std::string name() const = 0;
  // What the classes are partitioned by, for Results::StreamInfo.
  virtual std::string grouping(const std::vector<std::string>& classes) const = 0;
  // Without --batches, on the whole data set. 0: the schedule counts pictures, not batches, and
  // takes them all.
  virtual std::uint32_t full_batches() const { return 1000; }
  // Without --batches it is cut to one pass over the data. A user's own is not: it says how long
  // it is.
  virtual bool one_pass() const { return true; }
  // Fewer batches would leave parts of the stream out.
  virtual std::uint32_t least_batches(std::size_t classes) const = 0;
  // 0: what is usual for the data set.
  virtual std::uint32_t batch_size() const { return 0; }
  // Throws SettingsError if it cannot be had with these classes.
  virtual Stream draw(const StreamRequest& request) const = 0;
};

struct ScheduleFiles {
  std::string superclasses;  // JSON, {"superclass": ["class", ...], ...}; empty: none
};

// "iid", "5way" (any number of ways), "gaussian", "lowdata", "shots:5" (any number a class),
// "unequal", "file:PATH". Throws SettingsError.
std::unique_ptr<Schedule> make_schedule(const std::string& name, const ScheduleFiles& files);

// One file a family:
std::unique_ptr<Schedule> make_split_schedule(const std::string& name, std::uint32_t ways,
                                              std::uint32_t batch_size,
                                              const std::string& superclass_file);
std::unique_ptr<Schedule> make_gaussian_schedule();
std::unique_ptr<Schedule> make_shots_schedule(const std::string& name,
                                              std::vector<std::uint32_t> counts);
std::unique_ptr<Schedule> make_file_schedule(const std::string& path);

}  // namespace jackdaw::replay
