// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/frame_sender.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

constexpr int kWaitForRequest = 10000;  // ms

// Libraries of the program may have opened some without O_CLOEXEC.
void close_inherited() {
  std::vector<int> open;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return;
  while (const dirent* entry = ::readdir(folder)) {
    const int number = std::atoi(entry->d_name);
    if (number > kMemoryDescriptor && number != ::dirfd(folder)) open.push_back(number);
  }
  ::closedir(folder);
  for (const int number : open) ::close(number);
}

// A thread that waits for the program's end of the link to close: the signal below is bound to the
// thread that started this process, and a thread may end before its program.
void end_with_program(int link) {
  const int own = ::fcntl(link, F_DUPFD_CLOEXEC, 0);  // open for as long as the process lives
  if (own < 0) throw StateError("the capture process has no descriptor left");
  std::thread([own] {
    for (;;) {
      pollfd wait{own, 0, 0};
      ::poll(&wait, 1, -1);
      if ((wait.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) ::_exit(0);
    }
  }).detach();
}

}  // namespace

FrameSender::FrameSender()
    : link_(kLinkDescriptor), frames_(SharedFrames::of_descriptor(kMemoryDescriptor)) {
  close_inherited();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN);
  end_with_program(link_.get());  // also if the program was gone before prctl
}

CaptureRequest FrameSender::request() {
  pollfd wait{link_.get(), POLLIN, 0};
  std::array<char, 16384> buffer;
  const ssize_t got = ::poll(&wait, 1, kWaitForRequest) == 1
                          ? ::recv(link_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)
                          : -1;
  if (got <= 0) throw StateError("the capture process was not told what to capture");
  return request_from(std::string(buffer.data(), static_cast<std::size_t>(got)));
}

void FrameSender::send(const cv::Mat& picture, double captured_at) {
  const std::size_t row_bytes = static_cast<std::size_t>(picture.cols) * 3;
  if (picture.type() != CV_8UC3 || picture.empty() ||
      row_bytes > kMostFrameBytes / static_cast<std::size_t>(picture.rows)) {
    throw StateError("a frame of " + std::to_string(picture.cols) + "x" +
                     std::to_string(picture.rows) +
                     " is more than can be taken (8192x4320); ask for a smaller size");
  }
  std::byte* to = frames_.writable_pixels(slot_);
  for (int y = 0; y < picture.rows; ++y, to += row_bytes) {
    std::memcpy(to, picture.ptr(y), row_bytes);
  }
  frames_.notes(slot_) = {static_cast<std::uint32_t>(picture.cols),
                          static_cast<std::uint32_t>(picture.rows), ++sent_, captured_at};
  slot_ = frames_.mailbox().exchange(slot_ | kFreshMark, std::memory_order_acq_rel) % kFreshMark;
  if (slot_ >= kFrameSlots) slot_ = kWriterSlot;  // only this side writes here; be that as it may
  say(Word::kFrame);
}

void FrameSender::say(Word word) {
  Note note;
  note.word = static_cast<std::uint32_t>(word);
  static_cast<void>(::send(link_.get(), &note, sizeof note, MSG_DONTWAIT | MSG_NOSIGNAL));
}

}  // namespace jackdaw::live
