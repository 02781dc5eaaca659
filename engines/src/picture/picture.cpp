// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/picture.hpp"

#include <algorithm>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "files/whole_file.hpp"
#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint64_t kMostPixels = 100'000'000;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20U;

std::string check_size(const Container& container) {
  const std::string size =
      std::to_string(container.width) + "x" + std::to_string(container.height) + " pixels";
  if (container.width == 0 || container.height == 0) return "is damaged: it has " + size;
  if (container.width > kMostPixelsASide || container.height > kMostPixelsASide ||
      container.width * container.height > kMostPixels) {
    return "has " + size + "; at most " + std::to_string(kMostPixelsASide) + " a side and " +
           std::to_string(kMostPixels / 1'000'000) + " million in all are read; make it smaller";
  }
  return "";
}

// Transparency over black: a colour times how much of it there is, rounded.
void lay_over_black(const cv::Mat& from, cv::Mat& to) {
  for (int y = 0; y < from.rows; ++y) {
    const cv::Vec4b* in = from.ptr<cv::Vec4b>(y);
    cv::Vec3b* out = to.ptr<cv::Vec3b>(y);
    for (int x = 0; x < from.cols; ++x) {
      for (int c = 0; c < 3; ++c) {
        out[x][c] = static_cast<std::uint8_t>((in[x][c] * in[x][3] + 127) / 255);
      }
    }
  }
}

void orient(int orientation, cv::Mat& picture) {
  cv::Mat turned;
  switch (orientation) {
    case 2:
      cv::flip(picture, turned, 1);
      break;
    case 3:
      cv::flip(picture, turned, -1);
      break;
    case 4:
      cv::flip(picture, turned, 0);
      break;
    case 5:
      cv::transpose(picture, turned);
      break;
    case 6:
      cv::rotate(picture, turned, cv::ROTATE_90_CLOCKWISE);
      break;
    case 7:
      cv::rotate(picture, turned, cv::ROTATE_180);
      cv::transpose(turned, turned);
      break;
    case 8:
      cv::rotate(picture, turned, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    default:
      return;
  }
  picture = turned;
}

// Into the memory that `bgr` has; false if OpenCV cannot.
bool decode(const cv::Mat& file, const Container& container, cv::Mat& bgr) {
  const cv::Size size = bgr.size();
  if (!container.transparent) {
    cv::imdecode(file, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION, &bgr);
    return bgr.size() == size && bgr.type() == CV_8UC3;
  }
  cv::Mat decoded = cv::imdecode(file, cv::IMREAD_UNCHANGED);
  if (decoded.size() != size) return false;
  const bool grey = decoded.channels() == 1 && container.grey_key >= 0;
  if (grey) decoded.setTo(0, decoded == container.grey_key);
  if (decoded.depth() == CV_16U) decoded.convertTo(decoded, CV_8U, 1.0 / 257.0);
  if (decoded.type() == CV_8UC4) {
    lay_over_black(decoded, bgr);
    return true;
  }
  if (!grey || decoded.type() != CV_8UC1) return false;
  const cv::Mat channels[] = {decoded, decoded, decoded};
  cv::merge(channels, 3, bgr);
  return true;
}

std::string decode_checked(Span<const std::byte> file, const Container& container,
                           Picture& picture) {
  const auto width = static_cast<std::size_t>(container.width);
  const auto height = static_cast<std::size_t>(container.height);
  picture.pixels.resize(width * height * 3);
  cv::Mat bgr(static_cast<int>(height), static_cast<int>(width), CV_8UC3, picture.pixels.data());
  const cv::Mat bytes(1, static_cast<int>(file.size()), CV_8U,
                      const_cast<std::byte*>(file.data()));  // only read
  if (!decode(bytes, container, bgr)) return "is damaged: OpenCV cannot decode it";
  orient(container.orientation, bgr);
  const auto* pixels = reinterpret_cast<const std::byte*>(bgr.data);
  if (pixels != picture.pixels.data()) {
    std::copy(pixels, pixels + picture.pixels.size(), picture.pixels.begin());
  }
  picture.view = FrameView{PixelFormat::kBgr, static_cast<std::uint32_t>(bgr.cols),
                           static_cast<std::uint32_t>(bgr.rows), picture.pixels.data(),
                           static_cast<std::size_t>(bgr.cols) * 3};
  return "";
}

}  // namespace

std::string decode_picture(Span<const std::byte> file, const std::string& name, Picture& picture) {
  picture.view = {};
  if (file.empty()) return name + " is empty";
  if (file.size() > kMostFileBytes) {
    return name + " has " + std::to_string(file.size()) + " bytes; at most " +
           std::to_string(kMostFileBytes) + " are read";
  }
  Container container;
  std::string fault = check_container(Bytes(file), container);
  if (fault.empty()) fault = check_size(container);
  try {
    if (fault.empty() && container.jpeg) fault = jpeg_damage(file);
    if (fault.empty()) fault = decode_checked(file, container, picture);
  } catch (const cv::Exception& error) {
    fault = "is damaged: OpenCV cannot decode it: " + error.err;
  } catch (const std::bad_alloc&) {
    fault = "needs more memory than there is";
  }
  return fault.empty() ? fault : name + " " + fault;
}

std::string read_picture(const std::string& path, Picture& picture) {
  picture.view = {};
  try {
    const std::string file = read_whole_file(path, kMostFileBytes);
    return decode_picture({reinterpret_cast<const std::byte*>(file.data()), file.size()}, path,
                          picture);
  } catch (const FileError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return path + " needs more memory than there is";
  }
}

}  // namespace jackdaw
