// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Capturing processes that hang, crash, flood, lie and end, and the source that keeps its head.

#include "live/source/process_source.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

// Generous where a busy machine may be late, short where something is waited for on purpose.
CaptureTimes quick() {
  CaptureTimes times;
  times.opening = 3.0;
  times.silence = 0.6;
  times.first_pause = 0.1;
  times.longest_pause = 0.4;
  return times;
}

ProcessSource stand_in(const std::string& what, const std::string& uri = "csi://0",
                       CaptureTimes times = quick()) {
  return {parse_source_uri(uri), {}, {JACKDAW_CAPTURE_STAND_IN, {what}, times}};
}

// Calls until it answers `wanted`; a capture() that overstays its deadline is a failure.
bool comes_to(ProcessSource& source, Capture wanted, SourceFrame& frame, double within = 20.0) {
  const double end = steady_seconds() + within;
  while (steady_seconds() < end) {
    const double before = steady_seconds();
    const Capture got = source.capture(0.1, frame);
    CHECK(steady_seconds() - before < 2.0);
    if (got == wanted) return true;
  }
  return false;
}

bool whole(const FrameView& view) {
  const std::byte first = view.data[0];
  return std::all_of(view.data, view.data + view.stride * view.height,
                     [first](std::byte b) { return b == first; });
}

bool alive(pid_t id) { return ::kill(id, 0) == 0; }

}  // namespace

TEST_CASE("a process that hangs while opening is killed and started again") {
  CaptureTimes times = quick();
  times.opening = 0.4;
  ProcessSource source = stand_in("hang", "csi://0", times);
  SourceFrame frame;
  CHECK(source.capture(0.0, frame) == Capture::kTimeout);
  const pid_t first = source.process().value();
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("csi://0: it did not open within 0.4 s") == 0);
  CHECK(source.message().find("trying again") != std::string::npos);
  const std::uint64_t before = source.starts();
  const double end = steady_seconds() + 20.0;
  while (source.starts() == before && steady_seconds() < end) source.capture(0.1, frame);
  CHECK(source.starts() > before);
  CHECK(source.capture(0.0, frame) == Capture::kLost);  // still lost while it opens again
  ChildProcess::reap_leftovers();
  for (int i = 0; i < 100 && alive(first); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ChildProcess::reap_leftovers();
  }
  CHECK_FALSE(alive(first));
}

TEST_CASE("a camera that opens and gives nothing is told from one that does not open") {
  CaptureTimes times = quick();
  times.opening = 1.0;
  ProcessSource source = stand_in("opens-only", "csi://0", times);
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("it opened, but gave no picture within 1 s") != std::string::npos);
}

TEST_CASE("a process that hangs after some frames is started again, and numbers go on") {
  ProcessSource source = stand_in("hang-after-5");
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  CHECK(frame.view.width == 320);
  CHECK(frame.view.height == 240);
  CHECK(check(frame.view) == Status::kOk);
  CHECK(std::abs(frame.captured_at - steady_seconds()) < 5.0);
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("no picture for 0.6 s") != std::string::npos);
  const std::uint64_t last = frame.number;
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  CHECK(frame.number > last);
  CHECK(source.message().empty());
  CHECK(source.starts() == 2);
}

TEST_CASE("pauses double up to the longest") {
  CaptureTimes times = quick();
  times.first_pause = 0.05;
  times.longest_pause = 0.2;
  ProcessSource source = stand_in("crash", "csi://0", times);
  SourceFrame frame;
  std::vector<double> pauses;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(comes_to(source, Capture::kLost, frame));
    const double lost = steady_seconds();
    const std::uint64_t starts = source.starts();
    while (source.starts() == starts && steady_seconds() < lost + 10.0) source.capture(0.01, frame);
    pauses.push_back(steady_seconds() - lost);
  }
  // Never shorter than asked; a busy machine may make them longer.
  const double least[] = {0.05, 0.1, 0.2, 0.2, 0.2};
  for (std::size_t i = 0; i < pauses.size(); ++i) CHECK(pauses[i] >= least[i] - 0.02);
}

TEST_CASE("a process that crashes is said to have, and started again") {
  ProcessSource source = stand_in("crash");
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("its process crashed (Aborted)") != std::string::npos);
  REQUIRE(comes_to(source, Capture::kFrame, frame));
}

TEST_CASE("a flood of frames, notes and chatter: newest frame, whole, in time") {
  ProcessSource source = stand_in("flood");
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  std::uint64_t last = 0;
  int frames = 0;
  for (int i = 0; i < 150; ++i) {
    const double before = steady_seconds();
    if (source.capture(0.5, frame) != Capture::kFrame) continue;
    CHECK(steady_seconds() - before < 1.5);
    ++frames;
    REQUIRE(frame.number > last);
    last = frame.number;
    REQUIRE(whole(frame.view));
    CHECK(static_cast<std::uint64_t>(frame.view.data[0]) == frame.number % 251);
    if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    REQUIRE(whole(frame.view));  // nobody writes to it while it is ours
  }
  CHECK(frames >= 100);
  CHECK(source.dropped() > 0);
  CHECK(source.starts() == 1);
  CHECK(source.dropped() < last);
}

TEST_CASE("the newest frame is taken, however late the reader comes") {
  ProcessSource source = stand_in("steady");
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kFrame, frame));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  CHECK(steady_seconds() - frame.captured_at < 0.3);
  CHECK(source.dropped() >= 5);
}

TEST_CASE("nonsense in the shared memory or on the link is noticed, and harms nobody") {
  for (const char* what :
       {"nonsense-slot", "nonsense-size", "nonsense-product", "nonsense-number", "nonsense-note"}) {
    CAPTURE(std::string(what));
    ProcessSource source = stand_in(what);
    SourceFrame frame;
    REQUIRE(comes_to(source, Capture::kFrame, frame));
    REQUIRE(comes_to(source, Capture::kLost, frame));
    CHECK(source.message().find("nonsense") != std::string::npos);
    CHECK_FALSE(source.process());
  }
}

TEST_CASE("a video ends, a camera that says so is lost") {
  SourceFrame frame;
  ProcessSource video({SourceKind::kVideo, "clip.avi", "file://clip.avi", {}}, {},
                      {JACKDAW_CAPTURE_STAND_IN, {"end"}, quick()});
  REQUIRE(comes_to(video, Capture::kEnd, frame));
  CHECK(frame.number == 3);  // the last frame was handed out before
  CHECK(video.capture(0.1, frame) == Capture::kEnd);
  CHECK(video.starts() == 1);
  ProcessSource camera = stand_in("end");
  REQUIRE(comes_to(camera, Capture::kLost, frame));
}

TEST_CASE("its last line is the message, without user and password") {
  const std::string uri = "rtsp://caretaker:s3cr%40t@192.0.2.1/live";
  ProcessSource source = stand_in("exit", uri);
  SourceFrame frame;
  REQUIRE(comes_to(source, Capture::kLost, frame));
  const std::string said = source.message() + source.uri();
  CHECK(said.find("cannot open rtsp://192.0.2.1/live, bye") != std::string::npos);
  for (const char* secret : {"caretaker", "s3cr", "chatters"}) {
    CHECK(said.find(secret) == std::string::npos);
  }
}

TEST_CASE("arguments hold no secret, and nothing that was open is inherited") {
  SourceFrame frame;
  ProcessSource source = stand_in("arguments", "rtsp://caretaker:s3cret@192.0.2.1/live");
  REQUIRE(comes_to(source, Capture::kLost, frame));
  CHECK(source.message().find("capture-process arguments") != std::string::npos);
  CHECK(source.message().find("s3cret") == std::string::npos);
  CHECK(source.message().find("192.0.2.1/live: arguments") != std::string::npos);

  const int left_open = ::open("/dev/zero", O_RDONLY);  // on purpose without O_CLOEXEC
  REQUIRE(left_open >= 0);
  ProcessSource second = stand_in("descriptors");
  REQUIRE(comes_to(second, Capture::kLost, frame));
  INFO(second.message());
  CHECK(second.message().find("descriptors: /dev/null /memfd pipe socket;") != std::string::npos);
  ::close(left_open);
}

TEST_CASE("a program that is not there is said, and tried again") {
  ProcessSource source(parse_source_uri("csi://0"), {}, {"/nonexistent/jackdaw", {}, quick()});
  SourceFrame frame;
  CHECK(source.capture(0.1, frame) == Capture::kLost);
  CHECK(source.message().find("/nonexistent/jackdaw") != std::string::npos);
}

TEST_CASE("the process goes away with the source") {
  pid_t id = 0;
  {
    ProcessSource source = stand_in("steady");
    SourceFrame frame;
    REQUIRE(comes_to(source, Capture::kFrame, frame));
    id = source.process().value();
    CHECK(alive(id));
  }
  for (int i = 0; i < 200 && alive(id); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ChildProcess::reap_leftovers();
  }
  CHECK_FALSE(alive(id));
}

TEST_CASE("the process goes away with its program") {
  struct Closer {
    void operator()(std::FILE* file) const { ::pclose(file); }
  };
  const std::string command = std::string(JACKDAW_CAPTURE_STAND_IN) + " parent";
  std::unique_ptr<std::FILE, Closer> out(::popen(command.c_str(), "r"));
  REQUIRE(out);
  int id = 0;
  REQUIRE(std::fscanf(out.get(), "%d", &id) == 1);
  out.reset();  // the parent has killed itself
  for (int i = 0; i < 500 && alive(id); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_FALSE(alive(id));
}

}  // namespace jackdaw::live
