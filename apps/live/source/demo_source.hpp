// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// demo://: things that the program draws itself, for a machine without a camera.
//
//   demo://                        all of them, one after the other
//   demo://mug,ball?speed=2        these two, twice as fast
//   demo://mug                     only this one, all the time
//   demo://?hold=4&empty=1&seed=7  4 seconds each, a second of an empty table between them
//   demo://?control=/tmp/show      the thing that this file names, as soon as it does; an empty
//   file:
//                                  the empty table; no file: one after the other
//
// What a frame shows follows from its number alone (and from what was chosen), 30 numbers a second;
// who asks late gets the newest.

#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "live/source/demo/scene.hpp"
#include "live/source/flip.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::live {

class DemoSource : public Source {
 public:
  // Throws SettingsError for a thing that there is not, with the names of all.
  DemoSource(const SourceUri& uri, const SourceOptions& options);

  Capture capture(double deadline_seconds, SourceFrame& frame) override;
  std::uint64_t dropped() const override { return dropped_; }
  std::string uri() const override { return uri_; }

  // Puts this thing before the camera; "": the empty table; none: one after the other again.
  // False if there is no such thing. A control file goes before it.
  bool show(const std::optional<std::string>& name);

 private:
  std::optional<std::string> chosen() const;

  std::string uri_, control_;
  demo::Scene scene_;
  cv::Size size_;
  Flip flip_;
  double rate_;
  double started_ = -1.0;  // when frame 0 would have been; negative: not yet
  std::uint64_t last_ = 0, dropped_ = 0;
  std::optional<std::string> shown_;
  cv::Mat drawn_, picture_, scratch_;
};

}  // namespace jackdaw::live
