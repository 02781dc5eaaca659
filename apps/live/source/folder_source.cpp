// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/folder_source.hpp"

#include <glob.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <thread>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/picture_folder.hpp"
#include "jackdaw/error.hpp"
#include "live/source/frame_of.hpp"
#include "live/source/natural_order.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

namespace fs = std::filesystem;

constexpr double kUsualRate = 30.0;

struct GlobResult {
  ~GlobResult() { ::globfree(&found); }
  glob_t found{};
};

std::vector<std::string> matching(const std::string& pattern) {
  GlobResult result;
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &result.found) != 0) return files;
  for (std::size_t i = 0; i < result.found.gl_pathc; ++i) {
    std::error_code ignored;
    const std::string path = result.found.gl_pathv[i];
    if (fs::is_regular_file(path, ignored)) files.push_back(path);
  }
  return files;
}

std::vector<std::string> files_of(const SourceUri& uri) {
  std::vector<std::string> files;
  std::error_code ignored;
  try {
    if (fs::is_directory(uri.location, ignored)) {
      files = list_pictures(uri.location);
    } else if (fs::exists(uri.location, ignored)) {
      files = {uri.location};
    } else {
      files = matching(uri.location);
    }
  } catch (const EncoderError& error) {
    throw SettingsError("source '" + uri.shown + "': " + error.what());
  }
  if (files.empty()) throw SettingsError("source '" + uri.shown + "': no picture matches");
  std::sort(files.begin(), files.end(), natural_less);
  return files;
}

}  // namespace

FolderSource::FolderSource(const SourceUri& uri, const SourceOptions& options)
    : uri_(uri.shown),
      root_(uri.location),
      files_(files_of(uri)),
      rate_(options.rate > 0.0 ? options.rate : kUsualRate),
      loop_(options.loop),
      flip_(parse_flip(options.flip)),
      size_(static_cast<int>(options.width), static_cast<int>(options.height)) {}

// folder/mug/12.png and folder/mug/blue/3.png are mugs; folder/12.png has no class. A pattern's
// pictures are of the folder that they lie in.
std::string FolderSource::class_of(const std::string& file) const {
  std::error_code ignored;
  if (!fs::is_directory(root_, ignored)) return fs::path(file).parent_path().filename().string();
  const fs::path below = fs::path(file).lexically_relative(fs::path(root_).lexically_normal());
  const fs::path first = *below.begin();
  return first == below ? std::string() : first.string();
}

std::string FolderSource::message() const {
  if (unreadable_ == 0) return {};
  return std::to_string(unreadable_) + (unreadable_ == 1 ? " picture" : " pictures") +
         " could not be read; the last: " + fault_;
}

Capture FolderSource::capture(double deadline_seconds, SourceFrame& frame) {
  double now = steady_seconds();
  const double deadline = now + std::max(deadline_seconds, 0.0);
  if (due_ < 0.0) due_ = now;
  for (;; now = steady_seconds()) {
    if (next_ >= files_.size()) {
      const bool again = (loop_ < 0 || played_ < loop_) && any_this_time_;
      if (!again) return Capture::kEnd;
      ++played_;
      next_ = 0;
      any_this_time_ = false;
    }
    if (due_ > now) {
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(due_, deadline) - now));
      if (due_ > deadline) return Capture::kTimeout;
    }
    const std::string& file = files_[next_++];
    const std::string fault = read_picture(file, picture_);
    if (!fault.empty()) {
      ++unreadable_;
      fault_ = fault;
      if (steady_seconds() > deadline) return Capture::kTimeout;
      continue;
    }
    any_this_time_ = true;
    now = steady_seconds();
    due_ = std::max(due_ + 1.0 / rate_, now - 1.0 / rate_);  // late is late: no hurrying afterwards
    frame.view = picture_.view;
    if (flip_ != Flip::kNone || size_.area() > 0) {
      const cv::Mat own(static_cast<int>(picture_.view.height),
                        static_cast<int>(picture_.view.width), CV_8UC3, picture_.pixels.data(),
                        picture_.view.stride);
      if (size_.area() > 0) cv::resize(own, turned_, size_, 0, 0, cv::INTER_AREA);
      if (size_.area() == 0) own.copyTo(turned_);
      turn(turned_, flip_, scratch_);
      frame.view = frame_of(turned_);
    }
    frame.number = ++number_;
    frame.captured_at = now;
    frame.name = class_of(file);
    return Capture::kFrame;
  }
}

}  // namespace jackdaw::live
