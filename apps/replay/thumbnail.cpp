// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/thumbnail.hpp"

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "jackdaw/engines/picture.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kMostSide = 64;

// Every pixel is the mean of a square of `side` by `side`; what is left over at the edges is cut.
cv::Mat shrunk(const Picture& picture, std::size_t side) {
  const std::size_t width = std::size_t(picture.view.width),
                    height = std::size_t(picture.view.height);
  cv::Mat out(static_cast<int>(height / side), static_cast<int>(width / side), CV_8UC3);
  for (int y = 0; y < out.rows; ++y) {
    for (int x = 0; x < out.cols; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < side * side; ++i) {
          const std::size_t row = std::size_t(y) * side + i / side;
          const std::size_t column = std::size_t(x) * side + i % side;
          sum += std::to_integer<std::size_t>(picture.pixels[(row * width + column) * 3 + c]);
        }
        out.at<cv::Vec3b>(y, x)[static_cast<int>(c)] =
            static_cast<unsigned char>(sum / (side * side));
      }
    }
  }
  return out;
}

}  // namespace

std::string base64(const std::vector<unsigned char>& bytes) {
  const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = std::uint32_t{bytes[i]} << 16U;
    if (i + 1 < bytes.size()) group |= std::uint32_t{bytes[i + 1]} << 8U;
    if (i + 2 < bytes.size()) group |= bytes[i + 2];
    out += letters[group >> 18U & 63U];
    out += letters[group >> 12U & 63U];
    out += i + 1 < bytes.size() ? letters[group >> 6U & 63U] : '=';
    out += i + 2 < bytes.size() ? letters[group & 63U] : '=';
  }
  return out;
}

std::string thumbnail_of(const std::string& path) {
  Picture picture;
  if (!read_picture(path, picture).empty()) return "";
  const auto longest = std::size_t(std::max(picture.view.width, picture.view.height));
  const auto shortest = std::size_t(std::min(picture.view.width, picture.view.height));
  const std::size_t side = (longest + kMostSide - 1) / kMostSide;
  if (side == 0 || shortest < side) return "";
  std::vector<unsigned char> file;
  if (!cv::imencode(".png", shrunk(picture, side), file)) return "";
  return base64(file);
}

void add_thumbnails(const PictureSet& pictures, Results& results) {
  for (const DataInfo& data : results.data) {
    if (data.name == pictures.name && data.test != pictures.test.paths.size()) return;
  }
  for (Activations& a : results.exhibits.activations) {
    if (a.data != pictures.name) continue;
    for (SamplePicture& sample : a.pictures) {
      if (!sample.thumbnail.empty() || sample.picture >= pictures.test.paths.size()) continue;
      sample.thumbnail = thumbnail_of(pictures.test.paths[sample.picture]);
    }
  }
}

}  // namespace jackdaw::replay
