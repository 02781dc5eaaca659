// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/viewfinder.hpp"

#include <algorithm>
#include <chrono>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace jackdaw::live {

cv::Mat as_mat(const FrameView& frame) {
  // OpenCV has no type for pixels that must not be written; nobody here writes them.
  auto* const data = const_cast<std::byte*>(frame.data);
  return {static_cast<int>(frame.height), static_cast<int>(frame.width), CV_8UC3, data,
          frame.stride};
}

std::string to_jpeg(const cv::Mat& picture, int most_width, int quality) {
  cv::Mat smaller = picture;
  if (picture.cols > most_width) {
    const double scale = static_cast<double>(most_width) / picture.cols;
    const int height = std::max(1, static_cast<int>(picture.rows * scale));
    cv::resize(picture, smaller, {most_width, height}, 0, 0, cv::INTER_AREA);
  }
  std::vector<unsigned char> file;
  if (smaller.empty() ||
      !cv::imencode(".jpg", smaller, file, {cv::IMWRITE_JPEG_QUALITY, quality})) {
    return {};
  }
  return {file.begin(), file.end()};
}

constexpr double kStillLooking = 2.0;  // seconds
constexpr auto kForTheNext = std::chrono::milliseconds(300);

void Viewfinder::show(const FrameView& frame, std::uint64_t number, double now) {
  if (now - looked_.load() > kStillLooking && number_ != 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    as_mat(frame).copyTo(picture_);
    number_ = number;
  }
  shown_.notify_all();
}

Bytes Viewfinder::jpeg(double now) {
  const bool first_look = now - looked_.exchange(now) > kStillLooking;
  const std::lock_guard<std::mutex> one_at_a_time(encoding_);
  std::uint64_t number = 0;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    // Nobody looked for a while, so what is here is old: the next frame is not far.
    if (first_look)
      shown_.wait_for(lock, kForTheNext, [&, old = number_] { return number_ != old; });
    if (number_ == 0) return nullptr;
    if (number_ == encoded_number_) return encoded_;
    picture_.copyTo(work_);
    number = number_;
  }
  constexpr int kQuality = 80;
  std::string file = to_jpeg(work_, kMostWidth, kQuality);
  if (file.empty()) return nullptr;
  encoded_ = std::make_shared<const std::string>(std::move(file));
  encoded_number_ = number;
  return encoded_;
}

}  // namespace jackdaw::live
