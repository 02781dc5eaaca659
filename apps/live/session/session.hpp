// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The camera app's inside: a thread that captures, answers and teaches, and Control for all who
// look at it or ask something of it.
//
//   Session session(options, open_source(options.source), make_encoder(manifest));
//   session.start();
//   Server server(server_options, session);
//   while (!session.ended()) ...
//
// The loop alone touches source, encoder and learner; what others ask is done between two frames.
// A frame is answered first and taught after; variations of taught frames fill the time until the
// next frame, and one of them is taught a frame even where there is none left.

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "live/control.hpp"
#include "live/session/board.hpp"
#include "live/session/classroom.hpp"
#include "live/session/errands.hpp"
#include "live/session/meters.hpp"
#include "live/session/recorder.hpp"
#include "live/session/viewfinder.hpp"
#include "live/source/frozen.hpp"
#include "live/source/source.hpp"

namespace jackdaw::live {

struct SessionOptions {
  ClassroomOptions classroom;
  std::string record_folder;  // empty: taught pictures are not kept
  bool teach_names = false;   // every frame of a folder of pictures is taught as its class's folder
  bool camera = false;        // the source is one, so the same frame again and again is a fault
};

class Session final : public Control {
 public:
  Session(const SessionOptions& options, std::unique_ptr<Source> source,
          std::unique_ptr<Encoder> encoder);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();
  // Waits for the loop. False: what was taught last is not on the disk.
  bool stop();
  bool ended() const noexcept { return ended_.load(); }  // the source is at its end
  // Grows with every turn of the loop, also while the camera is gone: what a watchdog looks at.
  std::uint64_t turns() const noexcept { return turns_.load(); }

  State state() const override { return board_.state(); }
  Moment moment() const override { return board_.moment(); }
  Versions versions() const noexcept override { return board_.versions(); }
  Versions wait(Versions seen, double seconds) const override { return board_.wait(seen, seconds); }
  Bytes picture() override;
  Bytes thumbnail(std::uint32_t class_id) const override;

  Reply teach(std::uint32_t class_id, double seconds) override;
  Reply stop_teaching() override;
  Reply teach_picture(std::uint32_t class_id, Span<const std::byte> file) override;
  Reply predict_picture(Span<const std::byte> file, Moment& moment) override;
  Reply add_class(const std::string& name) override;
  Reply rename(std::uint32_t class_id, const std::string& name) override;
  Reply forget(std::uint32_t class_id) override;
  Reply undo(std::uint64_t burst_id) override;
  Reply move(std::uint64_t burst_id, std::uint32_t class_id) override;
  Reply set_region(const std::optional<Region>& region) override;
  Reply export_state(Bytes& file) override;
  Reply import_state(Span<const std::byte> file) override;
  Reply merge_state(Span<const std::byte> file) override;

 private:
  struct Teaching {
    std::uint32_t class_id = 0;
    std::uint64_t burst = 0;
    double until = 0.0;  // seconds, steady clock
  };

  // --- the loop ---------------------------------------------------------------------------------
  void run();
  void turn();
  void wait_for_the_learner();
  void on_frame(const SourceFrame& frame, double waited);
  void teach_frame(const FrameView& frame, const SourceFrame& from);
  void count_missed();
  void teach_by_name(const FrameView& frame, const SourceFrame& from);
  void teach_variations();
  void publish_moment(const SourceFrame& frame, double now);
  void publish_state(double now);
  void fill_answer(Moment& moment) const;
  void list_problems(double now);
  void set_source_status(SourceStatus status, const std::string& message);
  FrameView in_region(const FrameView& frame) const;

  // --- from other threads -----------------------------------------------------------------------
  // Does it between two frames; `changes` says whether the state that is shown changes by it.
  template <class Errand>
  Reply ask(const Errand& errand, bool changes = true);
  template <class Errand>
  Reply change(const Errand& errand);
  void let_go(const std::function<void()>& errand);
  Reply take_in(Span<const std::byte> file, bool merge);
  Reply wait_until_durable(std::uint64_t sequence, std::uint64_t burst) const;

  const SessionOptions options_;
  std::unique_ptr<Source> source_;
  Classroom room_;
  std::unique_ptr<Recorder> recorder_;
  FrozenDetector frozen_;
  Viewfinder viewfinder_;
  Board board_;
  Errands errands_;

  // The loop's own.
  State shown_;
  Moment moment_;
  std::vector<SmoothedClass> ranked_;
  std::optional<Teaching> teaching_;
  bool exchanging_ = false;  // a state file is being taken in: nothing is taught
  bool state_changed_ = true;
  double state_published_ = 0.0, checked_ = 0.0, failed_encoding_ = -1e9, last_frame_at_ = 0.0;
  double missed_at_ = -1e9;
  std::uint64_t missed_ = 0;  // frames that were to be taught and could not be
  Status last_failure_ = Status::kOk;
  RateMeter captured_, answered_;
  Level capture_, preprocess_, encode_, answer_, teach_, period_, variation_;
  std::uint64_t last_number_ = 0;
  std::string disk_problem_;

  mutable std::mutex thumbnails_mutex_;
  std::vector<std::pair<std::uint32_t, Bytes>> thumbnails_;  // class id, JPEG
  std::atomic<std::uint64_t> durable_{0}, turns_{0};
  std::atomic<bool> stopping_{false}, ended_{false};
  std::thread thread_;
};

}  // namespace jackdaw::live
