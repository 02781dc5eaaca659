// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps the taught pictures as FOLDER/train/CLASS/NUMBER.png, ready for `jackdaw replay`. Written
// by a thread of its own; where the disk cannot keep up, pictures are left out and counted.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <opencv2/core.hpp>
#include <string>
#include <thread>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw::live {

// A folder's name for a class: letters, digits, '-', '_' and whatever is not ASCII stay; the rest
// becomes %XX. No two classes share one, and none leads out of the folder.
std::string folder_name(const std::string& label);

class Recorder {
 public:
  explicit Recorder(const std::string& folder);  // throws SettingsError if it cannot be written
  ~Recorder();                                   // writes what is waiting
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void keep(const FrameView& frame, const std::string& label);
  std::uint64_t left_out() const;
  std::string problem() const;  // of the last write; empty: all is well

 private:
  struct Item {
    cv::Mat picture;
    std::string label;
  };

  void run();
  void write(const Item& item);

  const std::string folder_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t left_out_ = 0, number_ = 0;
  std::string problem_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace jackdaw::live
