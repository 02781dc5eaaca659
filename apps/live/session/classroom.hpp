// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Encoder and learner behind one door: look at a frame, teach it, take it back. Knows classes by
// the ids that people see. For the frame loop's thread alone.
//
//   Classroom room(options, std::move(encoder));
//   if (room.look(frame, now) == Status::kOk) show(room.smoothing());
//   room.teach_last(frame, number, burst_id);          // the frame it looked at last
//   while (time_is_left() && room.teach_variation()) {}

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "jackdaw/engines/pipeline.hpp"
#include "live/control.hpp"
#include "live/session/bursts.hpp"
#include "live/session/cards.hpp"
#include "live/session/smoothing.hpp"
#include "live/session/state_store.hpp"
#include "live/session/variation_queue.hpp"
#include "live/variation/variation.hpp"

namespace jackdaw::live {

struct ClassroomOptions {
  std::string state_folder;
  std::uint32_t max_classes = 100;
  VariationOptions variations;
  Device device = Device::kAuto;
  // Looser than the learner's own 0.9: before a camera a thing is seen as it was never taught, and
  // calling it unknown is the more common mistake (docs/results.md).
  float unknown_below = 0.6F;
};

class Classroom {
 public:
  // How many lessons can be taken back, variations counted.
  static constexpr std::uint32_t kUndoDepth = 4096;

  // Throws SettingsError, StateError, CapacityError.
  Classroom(const ClassroomOptions& options, std::unique_ptr<Encoder> encoder);

  // False: the learner could not be opened again after the GPU failed or a state was exchanged, for
  // want of memory or disk. Then nothing else may be called but this, fault() and reopen().
  bool ready() const { return learner_.has_value() && pipeline_.has_value(); }
  const std::string& fault() const { return fault_; }
  void reopen() noexcept;

  // --- frames -----------------------------------------------------------------------------------
  Status look(const FrameView& frame, double now);
  // Another picture than the camera's: its answer alone, nothing is smoothed or remembered.
  Status ask_about(const FrameView& frame, Moment& moment);
  const Answer& answer() const { return answer_; }
  const Smoothing& smoothing() const { return smoothing_; }
  const StageTimes& times() const { return times_; }
  Guess guess(std::uint32_t slot, double confidence) const;

  // --- teaching ---------------------------------------------------------------------------------
  Reply begin_burst(std::uint32_t class_id);  // id: of the burst
  void drop_empty_burst(std::uint64_t burst);
  // The frame that look() saw last, as a lesson of that burst's class.
  Status teach_last(const FrameView& frame, std::uint64_t number, std::uint64_t burst);
  bool variations_pending() { return queue_.front() != nullptr; }
  // The next one that is due. False: there is none, or it could not be taught now.
  bool teach_variation();

  // --- changing one's mind ----------------------------------------------------------------------
  Reply add_class(const std::string& name);
  Reply rename(std::uint32_t class_id, const std::string& name);
  Reply forget(std::uint32_t class_id);
  Reply undo(std::uint64_t burst);
  Reply move(std::uint64_t burst, std::uint32_t class_id);

  // --- state files: exchange in three steps, so that only the last one stops the loop -----------
  Learner& learner() { return *learner_; }
  // Held: another thread reads the learner, which is not replaced meanwhile.
  void hold(bool held) { held_ = held; }
  bool held() const { return held_; }
  const StateStore& store() const { return store_; }
  void drop_pending();       // first: nothing more is taught
  Reply reopen_exchanged();  // last: closes, exchanges, opens

  // --- looking ----------------------------------------------------------------------------------
  Cards& cards() { return cards_; }
  void describe(State& state) const;  // encoder, classes, bursts, memory
  const Encoder& encoder() const { return *encoder_; }
  std::uint64_t lessons() const { return lessons_; }
  std::uint64_t dropped_variations() const { return dropped_variations_; }

 private:
  LearnerSettings settings() const;
  void open(Device device);
  Status teach(const Card& card, BurstRecord& burst);
  Reply refused(Status status, const std::string& what) const;
  bool undoable(const BurstRecord& burst) const;  // all of it is still in the learner's ring

  const ClassroomOptions options_;
  StateStore store_;
  std::unique_ptr<Encoder> encoder_;
  std::optional<Learner> learner_;
  std::optional<Pipeline> pipeline_;
  Answer answer_, unused_answer_;
  StageTimes times_, unused_times_;
  Cards cards_;
  Bursts bursts_;
  Smoothing smoothing_;
  const Variations variations_;
  Device device_;  // the CPU, once a GPU has failed
  VariationQueue queue_;
  SmallFrame varied_;
  std::uint64_t lessons_ = 0, dropped_variations_ = 0;
  bool held_ = false;
  std::string fault_;
};

}  // namespace jackdaw::live
