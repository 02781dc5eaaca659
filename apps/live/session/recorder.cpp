// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/recorder.hpp"

#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>

#include "jackdaw/error.hpp"
#include "live/session/viewfinder.hpp"

namespace jackdaw::live {
namespace {

constexpr std::size_t kMostWaitingBytes = std::size_t{128} << 20;  // one picture always may

std::size_t bytes_of(const cv::Mat& picture) { return picture.total() * picture.elemSize(); }

}  // namespace

std::string folder_name(const std::string& label) {
  std::string name;
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_') {
      name += c;
    } else {
      char escaped[4];
      std::snprintf(escaped, sizeof(escaped), "%%%02X", byte);
      name += escaped;
    }
  }
  return name;
}

Recorder::Recorder(const std::string& folder) : folder_(folder) {
  std::error_code error;
  std::filesystem::create_directories(folder_ + "/train", error);
  if (error || ::access((folder_ + "/train").c_str(), W_OK) != 0) {
    throw SettingsError("--record " + folder + " cannot be written" +
                        (error ? ": " + error.message() : ""));
  }
  // Names that continue after those of an earlier start, and sort in the order of teaching.
  number_ = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                           std::chrono::system_clock::now().time_since_epoch())
                                           .count()) *
            1000;
  thread_ = std::thread([this] { run(); });
}

Recorder::~Recorder() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Recorder::keep(const FrameView& frame, const std::string& label) {
  Item item{as_mat(frame).clone(), label};
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t bytes = waiting_bytes_ + bytes_of(item.picture);
    if (!queue_.empty() && bytes > kMostWaitingBytes) {
      ++left_out_;
      return;
    }
    waiting_bytes_ = bytes;
    queue_.push_back(std::move(item));
  }
  changed_.notify_one();
}

std::uint64_t Recorder::left_out() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return left_out_;
}

std::string Recorder::problem() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return problem_;
}

void Recorder::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Item item = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    try {
      write(item);
    } catch (const std::exception&) {  // no memory, say
      const std::lock_guard<std::mutex> failed(mutex_);
      ++left_out_;
    }
    lock.lock();
    waiting_bytes_ -= bytes_of(item.picture);
  }
}

void Recorder::write(const Item& item) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(folder_) / "train" / folder_name(item.label);
  const fs::path path = folder / (std::to_string(number_++) + ".png");
  const fs::path partial = fs::path(folder_) / ".partial.png";
  std::error_code error;
  fs::create_directories(folder, error);
  std::string fault;
  try {
    if (!cv::imwrite(partial.string(), item.picture, {cv::IMWRITE_PNG_COMPRESSION, 1})) {
      fault = "cannot be written";
    }
  } catch (const cv::Exception&) {
    fault = "cannot be encoded";
  }
  if (fault.empty()) {
    fs::rename(partial, path, error);
    if (error) fault = error.message();
  } else {
    fs::remove(partial, error);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  problem_ = fault.empty() ? "" : "The picture " + path.string() + " is not kept: " + fault;
  if (!fault.empty()) ++left_out_;
}

}  // namespace jackdaw::live
