// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/local/terminal.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>

#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
}

// At most so many bytes, and no part of a character.
std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text;
}

}  // namespace

// Keys come at once and are not shown; Ctrl-C still interrupts.
class Terminal::RawMode {
 public:
  RawMode() {
    ::tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~RawMode() { ::tcsetattr(STDIN_FILENO, TCSANOW, &before_); }
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

 private:
  termios before_{};
};

Terminal::Terminal(Control& control) : control_(control), keys_(control) {
  if (::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1) {
    raw_ = std::make_unique<RawMode>();
    std::printf("keys: 1-9 teach, u undo, q quit\n");
  }
}

Terminal::~Terminal() {
  if (raw_) std::printf("\n");
}

void Terminal::turn(double seconds) {
  if (!raw_) {
    sleep_seconds(seconds);
    show();
    return;
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, static_cast<int>(seconds * 1e3)) > 0) {
    char key = 0;
    while (::read(STDIN_FILENO, &key, 1) == 1) {
      if (const std::string said = keys_.press(key); !said.empty()) {
        said_ = said;
        said_at_ = steady_seconds();
      }
    }
  }
  show();
}

void Terminal::show() {
  constexpr double kSaidFor = 2.0;  // seconds
  const Moment moment = control_.moment();
  if (!raw_) {
    const std::string answer = moment.answer.class_id == 0 ? "unknown" : moment.answer.name;
    if (moment.answered == 0 || answer == last_answer_) return;
    last_answer_ = answer;
    std::printf("%s\n", live_line(control_.state(), moment).c_str());
    std::fflush(stdout);
    return;
  }
  std::string line = live_line(control_.state(), moment);
  if (steady_seconds() - said_at_ < kSaidFor) line = said_ + "   " + line;
  std::printf("\r\x1b[K%s", cut(line, columns()).c_str());
  std::fflush(stdout);
}

}  // namespace jackdaw::live
