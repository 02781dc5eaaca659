// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where frames come from: csi://0, v4l2:///dev/video0, rtsp://..., a video file, a folder of
// pictures, or demo://, things that the program draws itself.
//
//   SourceOptions options;
//   options.uri = "demo://mug,ball?speed=2";
//   auto source = open_source(options);                  // throws SettingsError for a bad URI only
//   SourceFrame frame;
//   switch (source->capture(1.0, frame)) { case Capture::kFrame: use(frame.view); ... }
//
// A camera that is not there, goes away or hangs is no reason to throw: capture() answers kLost
// with a message, and later calls try again with back-off. No call takes longer than its deadline;
// kLost comes at once when the source is lost, and from then on at the deadline.
//
// Cameras, streams and videos are read by a process of their own, which is this program again:
//
//   if (argc > 1 && argv[1] == std::string(kCaptureCommand))         // first thing in main()
//     return capture_process({argv + 2, argv + argc});
//
// For one thread: that process goes away with the thread that captures.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw::live {

struct SourceOptions {
  std::string uri;                      // a bare path or camera number is understood, too
  std::uint32_t width = 0, height = 0;  // asked of the camera; 0: 1280x720, or what the file has
  double rate = 0.0;                    // frames a second; 0: the camera's own, folders 30
  std::string flip = "none";            // none, rotate-90 (clockwise), …: see flip.hpp
  int loop = 0;                         // files: play again so often; -1: for ever
  std::string program;  // that does kCaptureCommand; empty: this one. Tests name another
};

enum class Capture : std::uint8_t {
  kFrame,    // a new frame
  kTimeout,  // none within the deadline; the source may still be well
  kLost,     // the source is gone or hangs; message() says why, the next calls try to get it back
  kEnd,      // a file or folder is at its end
};

struct SourceFrame {
  FrameView view;            // BGR in host memory; stays until the next capture()
  std::uint64_t number = 0;  // counted by the source from 1; a gap: frames that nobody took
  double captured_at = 0.0;  // seconds, steady clock
  std::string name;          // folders: the picture's class folder; demo: the thing; else empty
};

class Source {
 public:
  virtual ~Source() = default;
  // Takes the newest frame that has not been taken yet, or waits for one. Older ones are dropped;
  // but of a folder no picture is, however slow the reader.
  virtual Capture capture(double deadline_seconds, SourceFrame& frame) = 0;
  virtual std::string message() const { return {}; }   // for people; empty: all is well
  virtual std::uint64_t dropped() const { return 0; }  // frames that were never handed out
  virtual std::string uri() const = 0;                 // without user and password
};

std::unique_ptr<Source> open_source(const SourceOptions& options);

extern const char* const kCaptureCommand;
int capture_process(const std::vector<std::string>& arguments) noexcept;

}  // namespace jackdaw::live
