// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a key does, in the terminal and in the window: 1-9 teach that class for a second (held, the
// key repeats), u takes the last burst back, q quits.

#include <string>

#include "live/control.hpp"

namespace jackdaw::live {

class Keys {
 public:
  explicit Keys(Control& control) : control_(control) {}

  // What to say about it; empty: nothing.
  std::string press(char key);
  bool quit() const { return quit_; }

 private:
  std::string teach(std::size_t place);

  Control& control_;
  bool quit_ = false;
};

// "mug 93 %   30.0 frames/s   encode 4.1 ms   3 classes"
std::string live_line(const State& state, const Moment& moment);

}  // namespace jackdaw::live
