// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/local/window.hpp"

#include <cstdlib>
#include <opencv2/highgui.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

constexpr const char* kTitle = "jackdaw";
constexpr int kMilliseconds = 30;

bool has_display() {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

void write(cv::Mat& picture, const std::string& text, int y, double size) {
  const cv::Point at(12, y);
  cv::putText(picture, text, at, cv::FONT_HERSHEY_DUPLEX, size, {0, 0, 0}, 4, cv::LINE_AA);
  cv::putText(picture, text, at, cv::FONT_HERSHEY_DUPLEX, size, {255, 255, 255}, 1, cv::LINE_AA);
}

}  // namespace

Window::Window(Control& control) : control_(control), keys_(control) {
  if (!has_display()) {
    throw SettingsError(
        "--window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set; "
        "open the page in a browser instead");
  }
  cv::namedWindow(kTitle, cv::WINDOW_NORMAL);
}

Window::~Window() { cv::destroyWindow(kTitle); }

void Window::turn() {
  if (const Bytes jpeg = control_.picture()) {
    const cv::Mat file(1, static_cast<int>(jpeg->size()), CV_8U, const_cast<char*>(jpeg->data()));
    cv::Mat picture = cv::imdecode(file, cv::IMREAD_COLOR);
    if (!picture.empty()) {
      write(picture, live_line(control_.state(), control_.moment()), picture.rows - 16, 0.5);
      cv::imshow(kTitle, picture);
    }
  }
  const int key = cv::waitKey(kMilliseconds);
  if (key > 0 && key < 128) static_cast<void>(keys_.press(static_cast<char>(key)));
  closed_ = cv::getWindowProperty(kTitle, cv::WND_PROP_VISIBLE) < 1;
}

}  // namespace jackdaw::live
