// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cameras, streams and videos: everything that may hang in a driver or a library. A process of its
// own opens and reads it; here its frames are taken, and it is killed and started again when it
// says nothing for too long, crashes, or writes nonsense.
//
//   ProcessSource source(uri, options);
//   ProcessSource source(uri, options, {"path/to/stand-in", {"hang"}, quick_times});   // in tests

#include <optional>
#include <string>
#include <vector>

#include "live/source/process/child_process.hpp"
#include "live/source/process/shared_frames.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::live {

struct CaptureTimes {          // seconds
  double opening = 15.0;       // from the start to the first frame
  double silence = 5.0;        // without a frame or a sign of life
  double first_pause = 0.5;    // before it is started again; doubled each time,
  double longest_pause = 8.0;  // up to this,
  double steady = 10.0;        // and back to the first once frames came for so long
};

struct CaptureProgram {
  std::string path;                    // empty: this program
  std::vector<std::string> arguments;  // before kCaptureCommand there are none; after it, these
  CaptureTimes times;
};

class ProcessSource : public Source {
 public:
  ProcessSource(SourceUri uri, SourceOptions options, CaptureProgram program = {});

  Capture capture(double deadline_seconds, SourceFrame& frame) override;
  std::string message() const override;
  std::uint64_t dropped() const override { return dropped_; }
  std::string uri() const override { return uri_.shown; }

  std::uint64_t starts() const { return starts_; }  // of the process, so far
  std::optional<pid_t> process() const;             // if one runs

 private:
  struct Running {  // gone and made anew with each process
    explicit Running(const CaptureProgram& program);
    SharedFrames memory;
    ChildProcess child;
    double started, heard;
    double first_frame = -1.0;
    std::uint32_t slot = kReaderSlot;
    std::uint64_t taken = 0;  // the process's number of the last frame taken
    bool opened = false, ended = false;
  };

  void start(double now);
  void lose(const std::string& why, double now);
  bool listen(double now);                    // false: it was lost
  bool take(double now, SourceFrame& frame);  // true: a frame
  std::string how_it_ended(int status) const;
  double time_of_patience() const;

  SourceUri uri_;
  SourceOptions options_;
  CaptureProgram program_;
  std::optional<Running> running_;
  std::uint64_t base_ = 0;  // number of the last frame of the processes before
  std::uint64_t handed_out_ = 0, dropped_ = 0, starts_ = 0;
  double retry_at_ = 0.0, pause_ = 0.0;
  std::string trouble_;  // empty: all is well
  bool over_ = false;    // a video is at its end
};

}  // namespace jackdaw::live
