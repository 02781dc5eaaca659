// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A schedule of the user's own, so that a recorded day of a device can be replayed:
//
//   {"jackdaw_schedule": 1, "batch_size": 8, "parts": [
//      {"classes": ["mug", "ball"], "batches": 20},
//      {"classes": ["mug"], "batches": 5, "order": "recorded"}]}
//
// "order": "random" draws as the other schedules do; "recorded" takes a class's pictures in the
// order of their names, going on where the last such part of the class ended, and is for parts of
// one class. Parts become shorter in proportion if --batches asks for fewer.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "jackdaw/error.hpp"
#include "replay/draw.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::int64_t kMostBatch = 4096;
constexpr std::uint32_t kMostBatches = 1000000;

struct FilePart {
  std::vector<std::string> classes;
  std::uint32_t batches = 0;
  bool recorded = false;
};

class FileSchedule final : public Schedule {
 public:
  explicit FileSchedule(const std::string& path) : path_(path) {
    if (path.empty()) throw SettingsError("--schedule file: names no file; give file:PATH");
    try {
      read(nlohmann::json::parse(read_whole_file(path)));
    } catch (const nlohmann::json::exception& error) {
      throw SettingsError(path + ": not a schedule: " + error.what());
    } catch (const FileError& error) {
      throw SettingsError(std::string("--schedule file: ") + error.what());
    }
  }

  std::string name() const override { return "file:" + path_; }
  std::string grouping(const std::vector<std::string>& /*classes*/) const override {
    return "file";
  }
  std::uint32_t full_batches() const override { return total_; }
  bool one_pass() const override { return false; }
  std::uint32_t least_batches(std::size_t /*classes*/) const override {
    return static_cast<std::uint32_t>(parts_.size());
  }
  std::uint32_t batch_size() const override { return batch_size_; }

  Stream draw(const StreamRequest& request) const override {
    Random random(request.seed);
    Stream stream;
    std::vector<std::size_t> next(request.classes.size(), 0);
    std::uint32_t before = 0;
    for (const FilePart& part : parts_) {
      const std::vector<std::uint32_t> classes = indices(part, request.classes);
      const std::uint32_t first = part_start(request.batches, before, total_);
      before += part.batches;
      const std::uint32_t count = part_start(request.batches, before, total_) - first;
      if (count == 0) {
        fail("of " + std::to_string(request.batches) + " batches, a part with " +
             std::to_string(part.batches) + " of " + std::to_string(total_) +
             " gets none; give more --batches");
      }
      if (std::find(stream.tasks.begin(), stream.tasks.end(), classes) == stream.tasks.end()) {
        stream.tasks.push_back(classes);
      }
      if (part.recorded) {
        take_in_order(request, classes[0], count, next[classes[0]], stream);
      } else {
        draw_batches(request, classes, count, random, stream);
      }
    }
    return stream;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw SettingsError(path_ + ": " + what);
  }

  // A misspelt key would else change nothing, and nobody would notice.
  void check_keys(const nlohmann::json& json, std::initializer_list<const char*> known) const {
    for (const auto& entry : json.items()) {
      if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
        fail("does not know what \"" + entry.key() + "\" means");
      }
    }
  }

  std::uint32_t whole_number(const nlohmann::json& json, const char* key, std::int64_t most) const {
    const nlohmann::json& value = json.at(key);
    const bool fits = value.is_number_integer() && value.get<std::int64_t>() >= 1 &&
                      value.get<std::int64_t>() <= most;
    if (!fits) {
      fail(std::string(key) + " is " + value.dump() + "; give 1 to " + std::to_string(most));
    }
    return value.get<std::uint32_t>();
  }

  void read(const nlohmann::json& json) {
    if (json.at("jackdaw_schedule") != 1) fail("jackdaw_schedule is not 1");
    check_keys(json, {"jackdaw_schedule", "batch_size", "parts"});
    if (json.contains("batch_size")) batch_size_ = whole_number(json, "batch_size", kMostBatch);
    for (const auto& entry : json.at("parts")) {
      FilePart part;
      entry.at("classes").get_to(part.classes);
      check_keys(entry, {"classes", "batches", "order"});
      const std::string order = entry.value("order", "random");
      if (order != "random" && order != "recorded") {
        fail("order is \"" + order + "\"; give random or recorded");
      }
      part.recorded = order == "recorded";
      if (part.classes.empty()) fail("a part names no class");
      if (part.recorded && part.classes.size() != 1) {
        fail("a part in recorded order names " + std::to_string(part.classes.size()) +
             " classes; give one");
      }
      part.batches = whole_number(entry, "batches", kMostBatches);
      total_ += part.batches;
      if (total_ > kMostBatches) {
        fail("has more than " + std::to_string(kMostBatches) + " batches in all");
      }
      parts_.push_back(std::move(part));
    }
    if (parts_.empty()) fail("it has no parts");
  }

  std::vector<std::uint32_t> indices(const FilePart& part,
                                     const std::vector<std::string>& classes) const {
    std::vector<std::uint32_t> out;
    for (const std::string& name : part.classes) {
      const auto found = std::find(classes.begin(), classes.end(), name);
      if (found == classes.end())
        fail("names the class \"" + name + "\", which the data do not have");
      out.push_back(static_cast<std::uint32_t>(found - classes.begin()));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  void take_in_order(const StreamRequest& request, std::uint32_t c, std::uint32_t batches,
                     std::size_t& next, Stream& stream) const {
    const std::vector<std::uint32_t>& pictures = request.pictures[c];
    for (std::uint32_t b = 0; b < batches; ++b) {
      // The last batch may be smaller; one of nothing would make the stream shorter than it says.
      if (next == pictures.size()) {
        fail("a part in recorded order asks for more of a class than its " +
             std::to_string(pictures.size()) + " pictures; give it fewer batches");
      }
      for (std::uint32_t i = 0; i < request.batch_size && next < pictures.size(); ++i) {
        stream.pictures.push_back(pictures[next++]);
      }
      stream.end_batch();
    }
  }

  std::string path_;
  std::uint32_t batch_size_ = 0;
  std::uint32_t total_ = 0;
  std::vector<FilePart> parts_;
};

}  // namespace

std::unique_ptr<Schedule> make_file_schedule(const std::string& path) {
  return std::make_unique<FileSchedule>(path);
}

}  // namespace jackdaw::replay
