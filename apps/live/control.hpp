// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a camera session shows and what can be asked of it: all that the page, the API, the terminal
// and the tests know of it. Every call may come from any thread, and none throws.
//
//   Reply reply = control.teach(card.id, 2.0);          // the frames of the next two seconds
//   if (reply.outcome != Outcome::kOk) show(reply.message);

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw::live {

enum class Outcome : std::uint8_t {
  kOk,
  kBadRequest,  // a name, number or file that cannot be; 400
  kNotFound,    // no such class or burst; 404
  kConflict,    // a name in use, a state of another encoder; 409
  kFull,        // no room for another class; 507
  kBusy,        // try again in a moment; 503
  kFailed,      // the disk or the device; 500
};

struct Reply {
  Outcome outcome = Outcome::kOk;
  std::string message;   // one sentence for people; empty where all is well
  std::uint64_t id = 0;  // of the class or burst that was made or meant
};

struct ClassCard {
  std::uint32_t id = 0;  // stays through a rename; never used again while the program runs
  std::string name;
  std::int64_t examples = 0;            // pictures taught, variations not counted
  std::int64_t lessons = 0;             // variations counted
  std::uint32_t thumbnail_version = 0;  // 0: there is none
};

// What one hold of "teach" taught.
struct Burst {
  std::uint64_t id = 0;
  std::uint32_t class_id = 0;
  std::uint32_t frames = 0;   // pictures taught
  std::uint32_t lessons = 0;  // with their variations
  std::uint32_t pending = 0;  // variations still to be taught
  bool durable = false;       // all of it survives power loss
  bool undoable = false;
};

struct Region {  // shares of the picture's width and height, 0 to 1
  double x = 0.0, y = 0.0, width = 1.0, height = 1.0;
};

// Within the picture, and at least a fiftieth of it wide and high. False if one is not a number.
constexpr bool is_within_picture(const Region& r) {
  constexpr double kLeast = 0.02, kRounding = 1e-9;
  return r.x >= 0.0 && r.y >= 0.0 && r.width >= kLeast && r.height >= kLeast &&
         r.x + r.width <= 1.0 + kRounding && r.y + r.height <= 1.0 + kRounding;
}

struct Problem {
  std::string id;  // docs/api.md lists them
  bool error = false;
  std::string text;
};

enum class SourceStatus : std::uint8_t { kOpening, kRunning, kLost, kFrozen, kEnded };

struct State {
  std::string source_uri;
  SourceStatus source_status = SourceStatus::kOpening;
  std::string source_message;
  std::uint32_t width = 0, height = 0;  // of the frames
  std::string encoder, encoder_backend, learner_backend;
  std::uint32_t max_classes = 0;
  std::vector<ClassCard> classes;         // in the order they were made
  std::optional<std::uint32_t> teaching;  // class
  std::vector<Burst> bursts;              // the last ones, oldest first
  std::optional<Region> region;
  std::uint64_t planned_bytes = 0;  // of the learner
  std::uint64_t resident_bytes = 0;
  std::string state_folder, record_folder;  // empty: none
  std::vector<Problem> problems;
};

struct Guess {
  std::uint32_t class_id = 0;  // 0: unknown
  std::string name;
  double confidence = 0.0;  // 0 to 1; with "unknown" they sum to 1
};

struct StageMilliseconds {
  double capture = 0.0, preprocess = 0.0, encode = 0.0, answer = 0.0, teach = 0.0;
};

// One answered frame.
struct Moment {
  std::uint64_t frame = 0;
  Guess answer;                                     // smoothed over the last frames
  Guess raw;                                        // of this frame alone
  std::vector<Guess> ranked;                        // smoothed, best first, at most 8
  double unknown = 1.0;                             // confidence that it is none of them
  bool taught = false;                              // this frame was a lesson
  double captured_rate = 0.0, answered_rate = 0.0;  // frames a second
  StageMilliseconds milliseconds;                   // smoothed
  std::uint64_t answered = 0, dropped = 0, bad_frames = 0, dropped_variations = 0, lessons = 0;
};

using Bytes = std::shared_ptr<const std::string>;

class Control {
 public:
  virtual ~Control() = default;

  // --- looking ----------------------------------------------------------------------------------
  virtual State state() const = 0;
  virtual Moment moment() const = 0;
  // Both grow: the first with every change that state() shows, the second with every frame.
  struct Versions {
    std::uint64_t state = 0, moment = 0;
  };
  virtual Versions versions() const noexcept = 0;
  // Until one of them is larger than `seen`, or the time is over.
  virtual Versions wait(Versions seen, double seconds) const = 0;
  // The newest frame as JPEG, at most 960 pixels wide; encoded by the caller's thread, once for all
  // who ask for the same frame. Empty pointer: there is none yet.
  virtual Bytes picture() = 0;
  virtual Bytes thumbnail(std::uint32_t class_id) const = 0;

  // --- teaching ---------------------------------------------------------------------------------
  // Every frame of the next seconds (0 to 60) is a lesson; the same class again prolongs the burst,
  // another class starts one of its own. id: of the burst.
  virtual Reply teach(std::uint32_t class_id, double seconds) = 0;
  virtual Reply stop_teaching() = 0;
  // An encoded picture from outside; answers when it survives power loss. id: of the burst.
  virtual Reply teach_picture(std::uint32_t class_id, Span<const std::byte> file) = 0;
  virtual Reply predict_picture(Span<const std::byte> file, Moment& moment) = 0;

  // --- changing one's mind ----------------------------------------------------------------------
  virtual Reply add_class(const std::string& name) = 0;  // id: of the class
  virtual Reply rename(std::uint32_t class_id, const std::string& name) = 0;
  virtual Reply forget(std::uint32_t class_id) = 0;
  virtual Reply undo(std::uint64_t burst_id) = 0;  // 0: the last one
  virtual Reply move(std::uint64_t burst_id, std::uint32_t class_id) = 0;
  virtual Reply set_region(const std::optional<Region>& region) = 0;

  // --- state files ------------------------------------------------------------------------------
  virtual Reply export_state(Bytes& file) = 0;
  // Instead of what is there, which is kept beside it.
  virtual Reply import_state(Span<const std::byte> file) = 0;
  // Added to what is there, class by class, by name.
  virtual Reply merge_state(Span<const std::byte> file) = 0;
};

}  // namespace jackdaw::live
