// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What the program does when it is started as the process that captures.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <opencv2/core/utils/logger.hpp>
#include <thread>

#include "jackdaw/error.hpp"
#include "live/source/process/capture_input.hpp"
#include "live/source/process/frame_sender.hpp"
#include "live/source/source.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

constexpr double kSignOfLife = 0.5;  // seconds

// Waits on purpose, and says so now and then.
void wait_until(double when, FrameSender& sender) {
  for (double left = when - steady_seconds(); left > 0.0; left = when - steady_seconds()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kSignOfLife)));
    if (left > kSignOfLife) sender.say(Word::kAlive);
  }
}

void send_live(const CaptureRequest& request, CaptureInput& input, FrameSender& sender) {
  cv::Mat picture;
  // Slower than the camera when asked: a camera often has only its own rates.
  double next = 0.0;
  while (input.read(picture)) {
    const double now = steady_seconds();
    if (request.options.rate > 0.0 && now < next - 0.002) continue;
    next = now + (request.options.rate > 0.0 ? 0.9 / request.options.rate : 0.0);
    sender.send(picture, now);
  }
  throw StateError(request.uri.kind == SourceKind::kRtsp || request.uri.kind == SourceKind::kRtp
                       ? "the stream ended"
                       : "the camera gives no more pictures; was it unplugged?");
}

void send_video(const CaptureRequest& request, std::unique_ptr<CaptureInput> input,
                FrameSender& sender) {
  const double rate = request.options.rate > 0.0 ? request.options.rate : input->rate();
  cv::Mat picture;
  double next = steady_seconds();
  bool any = false;
  for (int played = 0;; ++played) {
    while (input->read(picture)) {
      wait_until(next, sender);
      sender.send(picture, steady_seconds());
      next = std::max(next + 1.0 / rate, steady_seconds() - 1.0);  // no racing after a long stop
      any = true;
    }
    if (!any) throw StateError("the file holds no picture that can be decoded");
    if (request.options.loop >= 0 && played >= request.options.loop) break;
    input = open_input(request);
  }
  wait_until(next, sender);  // the last frame, too, is shown for its time
  sender.say(Word::kEnd);
  for (;;) ::pause();  // until the program has taken it and ends this process
}

}  // namespace

const char* const kCaptureCommand = "capture-process";

int capture_process(const std::vector<std::string>&) noexcept {
  try {
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_ERROR);
    FrameSender sender;
    const CaptureRequest request = sender.request();
    auto input = open_input(request);
    sender.say(Word::kOpened);
    if (request.uri.kind == SourceKind::kVideo) {
      send_video(request, std::move(input), sender);
    } else {
      send_live(request, *input, sender);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "\n%s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "\nthe capture process failed\n");
  }
  std::fflush(stderr);
  ::_exit(1);  // a camera's library may hang in its own clean-up
}

}  // namespace jackdaw::live
