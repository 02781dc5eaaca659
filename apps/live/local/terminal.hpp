// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The terminal: keys as they are pressed, and one line that is written over and over. Where stdin
// or stdout is no terminal, nothing is read, and a line is printed only when the answer changes.
//
//   Terminal terminal(control);
//   while (!terminal.quit()) terminal.turn(0.1);

#include <memory>
#include <string>

#include "live/local/keys.hpp"

namespace jackdaw::live {

class Terminal {
 public:
  explicit Terminal(Control& control);
  ~Terminal();  // the terminal is as it was
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void turn(double seconds);  // waits so long for a key
  bool quit() const { return keys_.quit(); }

 private:
  class RawMode;

  void show();

  Control& control_;
  Keys keys_;
  std::unique_ptr<RawMode> raw_;  // null: no terminal
  std::string said_, last_answer_;
  double said_at_ = 0.0;
};

}  // namespace jackdaw::live
