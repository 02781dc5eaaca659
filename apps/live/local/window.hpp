// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A window with the picture and the answer, where there is a display; the same keys as in the
// terminal. For the main thread.

#include "live/local/keys.hpp"

namespace jackdaw::live {

class Window {
 public:
  explicit Window(Control& control);  // throws SettingsError where there is no display
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void turn();  // draws, and waits some milliseconds for a key
  bool quit() const { return keys_.quit() || closed_; }

 private:
  Control& control_;
  Keys keys_;
  bool closed_ = false;
};

}  // namespace jackdaw::live
