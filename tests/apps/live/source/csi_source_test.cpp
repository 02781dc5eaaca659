// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The CSI path from end to end: the real capturing process, OpenCV's GStreamer, and elements that
// stand in for those of a Jetson, and hang, freeze and end as those do.

#include <doctest/doctest.h>

#include <cstdlib>

#include "live/source/frozen.hpp"
#include "live/source/process_source.hpp"
#include "live/steady_clock.hpp"
#include "support/temporary_folder.hpp"

#ifndef JACKDAW_GST_STAND_INS
#include "support/skip.hpp"

TEST_CASE("the CSI path") {
  jackdaw::testing::skip("no GStreamer development files: libgstreamer-plugins-base1.0-dev");
}
#else

namespace jackdaw::live {
namespace {

// A registry of its own, so that none of the user's is touched, and no other plugin asked.
struct StandIns {
  explicit StandIns(const std::string& order) {
    ::setenv("GST_PLUGIN_PATH", JACKDAW_GST_STAND_INS, 1);
    ::setenv("GST_REGISTRY", registry().c_str(), 1);
    ::setenv("JACKDAW_STAND_IN", order.c_str(), 1);
  }
  static const std::string& registry() {
    static const jackdaw::testing::TemporaryFolder folder;
    static const std::string path = folder.path("registry.bin");
    return path;
  }
};

ProcessSource camera(const std::string& order, SourceOptions options = {}) {
  const StandIns in_place(order);
  CaptureTimes times;
  // The first start fills the registry: every plugin there is gets opened.
  times.opening = order == "hang-open" ? 2.0 : 60.0;
  times.silence = 2.0;
  times.first_pause = 0.2;
  options.width = 320;
  options.height = 240;
  return {parse_source_uri("csi://0"), options, {JACKDAW_CAPTURE_STAND_IN, {}, times}};
}

bool comes_to(ProcessSource& source, Capture wanted, SourceFrame& frame) {
  for (const double end = steady_seconds() + 70.0; steady_seconds() < end;) {
    const Capture got = source.capture(0.2, frame);
    if (got == wanted) return true;
    if (got == Capture::kLost) MESSAGE(source.message());
  }
  return false;
}

int grey(const FrameView& view, std::uint32_t x) {
  return static_cast<int>(view.data[view.stride * 10 + 3 * x]);
}

}  // namespace

TEST_CASE("frames come through the pipeline, upright and turned") {
  SourceFrame frame;
  ProcessSource upright = camera("");
  REQUIRE(comes_to(upright, Capture::kFrame, frame));
  CHECK(frame.view.width == 320);
  CHECK(frame.view.height == 240);
  CHECK(grey(frame.view, 20) < 60);
  CHECK(grey(frame.view, 300) == 200);
  FrozenDetector detector({5, 0.2});
  for (int i = 0; i < 20; ++i) {
    if (upright.capture(1.0, frame) == Capture::kFrame)
      CHECK_FALSE(detector.same_again(frame.view, frame.captured_at));
  }
  SourceOptions options;
  options.flip = "rotate-180";
  ProcessSource turned = camera("", options);
  REQUIRE(comes_to(turned, Capture::kFrame, frame));
  CHECK(grey(frame.view, 20) == 200);
  CHECK(grey(frame.view, 300) < 60);
}

TEST_CASE("a camera that hangs while it opens is lost in time") {
  SourceFrame frame;
  ProcessSource source = camera("hang-open");
  const double before = steady_seconds();
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(steady_seconds() - before < 30.0);
  CHECK(source.message().find("did not open within 2 s") != std::string::npos);
}

TEST_CASE("a camera that hangs is lost, and comes back") {
  SourceFrame frame;
  ProcessSource source = camera("hang:10");
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("no picture for 2 s") != std::string::npos);
  const StandIns repaired("");
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  CHECK(source.message().empty());
}

TEST_CASE("a camera that freezes still gives frames, and the detector notices") {
  SourceFrame frame;
  ProcessSource source = camera("freeze:5");
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  FrozenDetector detector({10, 0.5});
  bool frozen = false;
  for (int i = 0; i < 200 && !frozen; ++i) {
    if (source.capture(1.0, frame) == Capture::kFrame)
      frozen = detector.same_again(frame.view, frame.captured_at);
  }
  CHECK(frozen);
}

TEST_CASE("a camera that ends is lost, with a sentence") {
  SourceFrame frame;
  ProcessSource source = camera("end:10");
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("gives no more pictures") != std::string::npos);
}

TEST_CASE("without the elements, what to look for is said") {
  SourceFrame frame;
  ProcessSource source = camera("");
  ::setenv("GST_PLUGIN_PATH", "/nonexistent", 1);
  ::setenv("GST_REGISTRY", (StandIns::registry() + ".none").c_str(), 1);
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("no element 'nvarguscamerasrc'") != std::string::npos);
}

}  // namespace jackdaw::live
#endif
