// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Capturing processes that go wrong, each in its own way; without a further argument, the real one.
//
//   capture_stand_in capture-process hang-after-5       // started by a ProcessSource
//   capture_stand_in parent                             // opens a source of its own, and dies

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "live/source/process/frame_sender.hpp"
#include "live/source/process_source.hpp"
#include "live/steady_clock.hpp"

using namespace jackdaw::live;  // a program of its own

namespace {

void nap(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

[[noreturn]] void hang() {
  for (;;) ::pause();
}

// All pixels of a frame are the same, and tell its number: a torn frame would show.
void send_frames(FrameSender& sender, int count, double pause) {
  static int number = 0;
  for (int i = 0; i < count; ++i) {
    ++number;
    sender.send(cv::Mat(240, 320, CV_8UC3, cv::Scalar::all(number % 251)), steady_seconds());
    if (pause > 0.0) nap(pause);
  }
}

void write_nonsense(FrameSender& sender, const std::string& what) {
  send_frames(sender, 1, 0.3);
  if (what == "nonsense-slot") sender.frames().mailbox().store(77U | kFreshMark);
  if (what == "nonsense-size" || what == "nonsense-product" || what == "nonsense-number") {
    const std::uint32_t slot = sender.frames().mailbox().load() % kFreshMark;
    SlotNotes& notes = sender.frames().notes(slot);
    notes = {320, 240, 2, 0.0};
    if (what == "nonsense-size") notes.width = 4000000000U;
    if (what == "nonsense-product") notes.width = notes.height = 16384;
    if (what == "nonsense-number") notes.number = 1;
    sender.frames().mailbox().store(slot | kFreshMark);
  }
  if (what == "nonsense-note") {
    static_cast<void>(::send(sender.link(), "hello, world", 12, MSG_NOSIGNAL));
  }
  hang();
}

void tell_descriptors() {
  std::set<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    const bool the_listing_itself = target.find("/proc/") == 0;
    if (!gone && !the_listing_itself) all.insert(target.substr(0, target.find(':')));
  }
  std::string text;
  for (const std::string& one : all) text += " " + one;
  std::fprintf(stderr, "descriptors:%s\n", text.c_str());
  std::_Exit(1);
}

void tell_arguments() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(in)), {});
  for (char& c : all) c = c == '\0' ? ' ' : c;
  std::fprintf(stderr, "arguments: %s\n", all.c_str());
  std::_Exit(1);
}

int act(const std::string& what) {
  FrameSender sender;
  const CaptureRequest request = sender.request();
  if (what == "hang") hang();
  if (what == "descriptors") tell_descriptors();
  if (what == "arguments") tell_arguments();
  if (what == "exit") {
    std::fprintf(stderr, "some library chatters\ncannot open %s, bye\n\n",
                 request.uri.location.c_str());
    return 1;
  }
  sender.say(Word::kOpened);
  if (what == "opens-only") hang();
  if (what == "hang-after-5") {
    send_frames(sender, 5, 0.03);
    hang();
  }
  if (what == "crash") {
    send_frames(sender, 3, 0.03);
    std::abort();
  }
  if (what == "end") {
    send_frames(sender, 3, 0.03);
    sender.say(Word::kEnd);
    hang();
  }
  if (what == "flood") {
    for (;;) {
      send_frames(sender, 1, 0.0);
      for (int i = 0; i < 100; ++i) sender.say(Word::kAlive);
      for (int i = 0; i < 10; ++i) std::fprintf(stderr, "chatter and chatter and chatter\n");
    }
  }
  if (what == "steady") send_frames(sender, 1000000, 0.01);
  write_nonsense(sender, what);
  return 1;
}

int be_parent(const char* self) {
  ProcessSource source(parse_source_uri("csi://0"), {}, {self, {"steady"}, {}});
  SourceFrame frame;
  for (int i = 0; i < 200; ++i) {
    if (source.capture(0.1, frame) != Capture::kFrame) continue;
    std::printf("%d\n", static_cast<int>(*source.process()));
    std::fflush(stdout);
    std::raise(SIGKILL);
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string("parent")) return be_parent(argv[0]);
  if (argc < 2 || argv[1] != std::string(kCaptureCommand)) return 64;
  if (argc == 2) return capture_process({});
  try {
    return act(argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
