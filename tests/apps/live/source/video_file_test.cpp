// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A real video, written here and read through the real capturing process.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <opencv2/videoio.hpp>

#include "jackdaw/error.hpp"
#include "live/source/source.hpp"
#include "live/steady_clock.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

using jackdaw::testing::TemporaryFolder;

constexpr int kFrames = 12;

// Frame i is grey of brightness 20 * i, but for a dark left half.
void write_video(const std::string& path) {
  cv::VideoWriter writer(path, cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'),
                         20.0, {320, 240});
  REQUIRE(writer.isOpened());
  for (int i = 0; i < kFrames; ++i) {
    cv::Mat picture(240, 320, CV_8UC3, cv::Scalar::all(20 * i));
    picture.colRange(0, 160).setTo(0);
    writer.write(picture);
  }
}

SourceOptions options_for(const std::string& path) {
  SourceOptions options;
  options.uri = "file://" + path;
  options.program = JACKDAW_CAPTURE_STAND_IN;
  return options;
}

int brightness(const FrameView& view, std::uint32_t x) {
  return static_cast<int>(view.data[view.stride * (view.height / 2) + 3 * x]);
}

struct Played {
  std::vector<int> brightness;
  std::uint64_t last = 0;
  double seconds = 0.0;
  Capture end = Capture::kTimeout;
};

Played play(Source& source) {
  Played played;
  SourceFrame frame;
  double first = 0.0;
  for (const double stop = steady_seconds() + 60.0; steady_seconds() < stop;) {
    const Capture got = source.capture(0.5, frame);
    if (got == Capture::kEnd) {
      played.end = got;
      break;
    }
    if (got == Capture::kLost) FAIL(source.message());
    if (got != Capture::kFrame) continue;
    if (played.brightness.empty()) first = frame.captured_at;
    played.seconds = frame.captured_at - first;
    played.brightness.push_back(brightness(frame.view, frame.view.width - 20));
    played.last = frame.number;
  }
  return played;
}

}  // namespace

TEST_CASE("a video is played at its rate, to its end") {
  TemporaryFolder folder;
  write_video(folder.path("clip.avi"));
  const auto source = open_source(options_for(folder.path("clip.avi")));
  const Played played = play(*source);
  CHECK(played.end == Capture::kEnd);
  CHECK(played.last == kFrames);
  CHECK(played.brightness.size() + source->dropped() == kFrames);
  CHECK(std::abs(played.brightness.back() - 20 * (kFrames - 1)) <= 4);  // JPEG
  CHECK(std::is_sorted(played.brightness.begin(), played.brightness.end()));
  CHECK(played.seconds >=
        (kFrames - 1) / 20.0 - 0.06 - 0.05 * static_cast<double>(source->dropped()));
}

TEST_CASE("a video is played again as often as asked, resized and turned") {
  TemporaryFolder folder;
  write_video(folder.path("clip.avi"));
  SourceOptions options = options_for(folder.path("clip.avi"));
  options.loop = 2;
  options.rate = 200.0;
  options.width = 160;
  options.height = 120;
  options.flip = "rotate-90";
  const auto source = open_source(options);
  SourceFrame frame;
  while (source->capture(1.0, frame) == Capture::kTimeout) continue;
  CHECK(frame.view.width == 120);
  CHECK(frame.view.height == 160);
  const Played played = play(*source);
  CHECK(played.last == 3 * kFrames);
}

TEST_CASE("what is no video is lost with a sentence") {
  TemporaryFolder folder;
  std::ofstream(folder.path("clip.mp4")) << "not a video at all";
  const auto source = open_source(options_for(folder.path("clip.mp4")));
  SourceFrame frame;
  Capture got = Capture::kTimeout;
  for (int i = 0; i < 60 && got == Capture::kTimeout; ++i) got = source->capture(0.5, frame);
  CHECK(got == Capture::kLost);
  CHECK(source->message().find("cannot be read as a video") != std::string::npos);
}

TEST_CASE("a camera that is not there is lost with a sentence, not an exception") {
  SourceOptions options;
  options.uri = "/dev/video250";
  options.program = JACKDAW_CAPTURE_STAND_IN;
  const auto source = open_source(options);
  SourceFrame frame;
  Capture got = Capture::kTimeout;
  for (int i = 0; i < 60 && got == Capture::kTimeout; ++i) got = source->capture(0.5, frame);
  CHECK(got == Capture::kLost);
  INFO(source->message());
  CHECK(source->message().find("v4l2:///dev/video250: there is no /dev/video250") == 0);
}

}  // namespace jackdaw::live
