// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures of a folder, a pattern or a single file, one after the other, at a rate: the folder
// below which a picture lies is its class. In the order of their names, 2 before 10, class by
// class.
//
// No picture is skipped: when pictures cannot be read as fast as the rate asks, or the caller comes
// late, they come later. A picture that cannot be read is counted and said, and the next one taken.

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "jackdaw/engines/picture.hpp"
#include "live/source/flip.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::live {

class FolderSource : public Source {
 public:
  // Throws SettingsError if there are no pictures.
  FolderSource(const SourceUri& uri, const SourceOptions& options);

  Capture capture(double deadline_seconds, SourceFrame& frame) override;
  std::string message() const override;
  std::string uri() const override { return uri_; }

  std::size_t size() const { return files_.size(); }
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  std::string class_of(const std::string& file) const;

  std::string uri_, root_;
  std::vector<std::string> files_;
  double rate_;
  int loop_;
  Flip flip_;
  cv::Size size_;  // none: the picture's own
  std::size_t next_ = 0;
  int played_ = 0;
  bool any_this_time_ = false;  // in this round, at least one could be read
  double due_ = -1.0;           // when the next picture is
  std::uint64_t number_ = 0, unreadable_ = 0;
  std::string fault_;  // of the last that could not be read
  Picture picture_;
  cv::Mat turned_, scratch_;
};

}  // namespace jackdaw::live
