// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/picture.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <random>
#include <string>
#include <vector>

#include "engines/picture_bytes.hpp"
#include "engines/says.hpp"
#include "picture/container.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw {
namespace {

using testing::says;

using testing::TemporaryFolder;
using File = std::vector<unsigned char>;
using Bgr = std::array<int, 3>;

std::string decode(const File& file, Picture& picture) {
  return decode_picture({reinterpret_cast<const std::byte*>(file.data()), file.size()}, "x.jpg",
                        picture);
}

template <std::size_t N>
File file_of(const unsigned char (&bytes)[N]) {
  return File(bytes, bytes + N);
}

File encoded(const char* ending, const cv::Mat& picture, const std::vector<int>& options = {}) {
  File file;
  REQUIRE(cv::imencode(ending, picture, file, options));
  return file;
}

// Noise: a row that is missing or filled up shows.
cv::Mat picture_of(int width, int height, int type = CV_8UC3) {
  cv::Mat picture(height, width, type);
  cv::RNG random(testing::seed());
  random.fill(picture, cv::RNG::UNIFORM, 0, CV_MAT_DEPTH(type) == CV_16U ? 65536 : 256);
  return picture;
}

Bgr pixel(const Picture& picture, std::size_t x, std::size_t y) {
  const std::byte* at = picture.view.data + y * picture.view.stride + 3 * x;
  return {std::to_integer<int>(at[0]), std::to_integer<int>(at[1]), std::to_integer<int>(at[2])};
}

bool near(const Bgr& a, const Bgr& b, int most) {
  return std::abs(a[0] - b[0]) <= most && std::abs(a[1] - b[1]) <= most &&
         std::abs(a[2] - b[2]) <= most;
}

bool same(const Picture& picture, const cv::Mat& bgr) {
  REQUIRE(bgr.isContinuous());
  return picture.view.width == static_cast<std::uint32_t>(bgr.cols) &&
         picture.view.height == static_cast<std::uint32_t>(bgr.rows) &&
         picture.pixels.size() == bgr.total() * 3 &&
         std::memcmp(picture.pixels.data(), bgr.data, picture.pixels.size()) == 0;
}

struct Format {
  const char* ending;
  File file;
};

std::vector<Format> every_format() {
  const cv::Mat colour = picture_of(37, 23), grey = picture_of(37, 23, CV_8UC1);
  return {{".png", encoded(".png", colour)},
          {".png of 16 bits", encoded(".png", picture_of(37, 23, CV_16UC3))},
          {".png with transparency", encoded(".png", picture_of(37, 23, CV_8UC4))},
          {".jpg", encoded(".jpg", colour)},
          {".jpg of grey", encoded(".jpg", grey)},
          {".jpg with restarts", encoded(".jpg", colour, {cv::IMWRITE_JPEG_RST_INTERVAL, 1})},
          {".jpg in several scans", file_of(testing::kProgressiveJpeg)},
          {".webp", encoded(".webp", colour, {cv::IMWRITE_WEBP_QUALITY, 80})},
          {".webp without loss", encoded(".webp", colour, {cv::IMWRITE_WEBP_QUALITY, 101})},
          {".bmp", encoded(".bmp", colour)},
          {".bmp of grey", encoded(".bmp", grey)},
          {".ppm", encoded(".ppm", colour)},
          {".pgm", encoded(".pgm", grey)},
          {".pbm", encoded(".pbm", grey)},
          {".tif", encoded(".tif", colour)}};
}

TEST_CASE("every format gives what OpenCV gives") {
  Picture picture;
  for (const Format& format : every_format()) {
    INFO(format.ending);
    CHECK(decode(format.file, picture) == "");
    CHECK(check(picture.view) == Status::kOk);
    CHECK(picture.view.format == PixelFormat::kBgr);
    if (std::string(format.ending) != ".png with transparency") {
      CHECK(same(picture, cv::imdecode(format.file, cv::IMREAD_COLOR)));
    }
  }
}

TEST_CASE("a file that is cut off anywhere is refused, or nothing of the picture is missing") {
  Picture whole, cut;
  for (const Format& format : every_format()) {
    INFO(format.ending);
    REQUIRE(decode(format.file, whole) == "");
    for (std::size_t size = 0; size < format.file.size(); size += 7) {
      CAPTURE(size);
      const File part(format.file.begin(), format.file.begin() + static_cast<std::ptrdiff_t>(size));
      const std::string fault = decode(part, cut);
      if (fault.empty()) {
        CHECK(cut.pixels == whole.pixels);
      } else {
        CHECK(fault.substr(0, 6) == "x.jpg ");
        CHECK(cut.view.data == nullptr);
      }
    }
    for (std::size_t less = 1; less <= 3; ++less) {  // the end is where it is easily missed
      const File part(format.file.begin(), format.file.end() - static_cast<std::ptrdiff_t>(less));
      if (decode(part, cut).empty()) CHECK(cut.pixels == whole.pixels);
    }
  }
}

TEST_CASE("flipped bits never do more than change the picture or have it refused") {
  std::mt19937_64 random(testing::seed());
  Picture picture;
  for (const Format& format : every_format()) {
    INFO(format.ending);
    for (int round = 0; round < 200; ++round) {
      File file = format.file;
      const std::size_t most =
          round % 2 == 0 ? file.size() : std::min<std::size_t>(64, file.size());
      for (std::uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
        file[random() % most] ^= static_cast<unsigned char>(1U << random() % 8);
      }
      if (decode(file, picture).empty()) CHECK(check(picture.view) == Status::kOk);
    }
  }
}

TEST_CASE("a JPEG that is damaged inside is refused, also where its end is there") {
  if (!sees_jpeg_damage()) {
    MESSAGE("skipped: built without libjpeg");
    return;
  }
  std::mt19937_64 random(testing::seed());
  Picture picture;
  for (const std::vector<int>& options :
       {std::vector<int>{}, std::vector<int>{cv::IMWRITE_JPEG_PROGRESSIVE, 1}}) {
    const File whole = encoded(".jpg", picture_of(160, 120), options);
    REQUIRE(whole.size() > 4000);
    REQUIRE(decode(whole, picture) == "");
    const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2);
    const std::string damaged = "x.jpg is damaged: there are errors inside its JPEG data";

    File zeros = whole;
    std::fill_n(zeros.begin() + (middle - whole.begin()), 400, static_cast<unsigned char>(0));
    CHECK(decode(zeros, picture) == damaged);

    File noise = whole;
    for (std::ptrdiff_t i = 0; i < 400; ++i) {
      noise[static_cast<std::size_t>(middle - whole.begin() + i)] =
          static_cast<unsigned char>(random() % 255);  // no FF: no marker
    }
    CHECK(decode(noise, picture) == damaged);

    File half(whole.begin(), middle);
    half.insert(half.end(), {0xFF, 0xD9});
    CHECK(decode(half, picture) == damaged);
    CHECK(picture.view.data == nullptr);

    // What some cameras put before the end is no damage.
    File filled = whole;
    filled.insert(filled.end() - 2, 8, static_cast<unsigned char>(0));
    CHECK(decode(filled, picture) == "");
  }
}

TEST_CASE("any PNG with a flipped bit is refused, unless it is behind the end") {
  const File file = encoded(".png", picture_of(5, 4));
  Picture picture;
  for (std::size_t at = 0; at < file.size(); ++at) {
    File flipped = file;
    flipped[at] ^= 0x10U;
    CAPTURE(at);
    CHECK(decode(flipped, picture) != "");
  }
}

TEST_CASE("one pixel is a picture") {
  Picture picture;
  for (const char* ending : {".png", ".bmp", ".ppm", ".tif"}) {
    const cv::Mat one(1, 1, CV_8UC3, cv::Scalar(1, 2, 3));
    CHECK(decode(encoded(ending, one), picture) == "");
    CHECK(same(picture, one));
  }
  CHECK(decode(encoded(".jpg", cv::Mat(1, 1, CV_8UC3, cv::Scalar(90, 90, 90))), picture) == "");
  CHECK(near(pixel(picture, 0, 0), {90, 90, 90}, 2));
}

TEST_CASE("a size beyond the limits is refused from the header, at once") {
  Picture picture;
  const auto start = std::chrono::steady_clock::now();
  CHECK(says(decode(file_of(testing::kHugePng), picture), "has 20000x20000 pixels; at most 16384"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
  CHECK(picture.pixels.capacity() < 1000);

  File wide = encoded(".jpg", picture_of(16, 16));
  for (std::size_t at = 0; at + 9 < wide.size(); ++at) {  // the frame header's size
    if (wide[at] == 0xFF && wide[at + 1] == 0xC0) {
      wide[at + 5] = wide[at + 7] = 0x3F;  // 16144 x 16144 > 100 million
      break;
    }
  }
  CHECK(says(decode(wide, picture), "100 million in all are read"));
  CHECK(says(decode(File(std::size_t{65} << 20U), picture), "at most 67108864 are read"));
}

TEST_CASE("a file with two sizes is refused: the decoder might take the other one") {
  const File jpeg = encoded(".jpg", picture_of(16, 16));
  const File marker{0xFF, 0xC0};
  const auto frame = std::search(jpeg.begin(), jpeg.end(), marker.begin(), marker.end());
  REQUIRE(frame != jpeg.end());
  const auto length = 2 + 256 * frame[2] + frame[3];
  File twice(jpeg.begin(), frame + length);
  twice.insert(twice.end(), frame, jpeg.end());
  Picture picture;
  CHECK(says(decode(twice, picture), "has two sizes"));
  File tiff = file_of(testing::kTiff);
  const std::size_t directory = tiff[4] + 256U * tiff[5];
  for (std::size_t i = 0; i < 12; ++i) tiff[directory + 14 + i] = tiff[directory + 2 + i];
  CHECK(says(decode(tiff, picture), "are not in order"));
}

TEST_CASE("what is no picture says so with its name") {
  const TemporaryFolder folder;
  const std::string path = folder.path("notes.jpg");
  std::ofstream(path) << "buy milk\n";
  Picture picture;
  CHECK(says(read_picture(path, picture), path + " is not a picture that OpenCV reads"));
  CHECK(says(read_picture(folder.path("none.png"), picture), "none.png"));
  CHECK(says(read_picture(folder.path(""), picture), "is not a file"));
  CHECK(says(decode({}, picture), "x.jpg is empty"));
  CHECK(says(decode(file_of(testing::kShortPng), picture), "is damaged"));
  std::ofstream(folder.path("one.png"), std::ios::binary)
      .write(reinterpret_cast<const char*>(testing::kPalettePng), sizeof testing::kPalettePng);
  CHECK(read_picture(folder.path("one.png"), picture) == "");
  CHECK(picture.view.width == 4);
}

TEST_CASE("grey, 16 bits, palettes and CMYK become BGR of 8 bits") {
  Picture picture;
  REQUIRE(decode(encoded(".png", cv::Mat(1, 1, CV_8UC1, cv::Scalar(77))), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{77, 77, 77});
  const cv::Mat deep(1, 1, CV_16UC3, cv::Scalar(0xFFFF, 0x8080, 0));
  for (const char* ending : {".png", ".ppm", ".tif"}) {
    INFO(ending);
    REQUIRE(decode(encoded(ending, deep), picture) == "");
    CHECK(near(pixel(picture, 0, 0), {255, 128, 0}, 1));
  }
  REQUIRE(decode(file_of(testing::kPalettePng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{0, 0, 255});
  CHECK(pixel(picture, 1, 0) == Bgr{0, 255, 0});
  CHECK(pixel(picture, 3, 0) == Bgr{255, 255, 255});
  REQUIRE(decode(file_of(testing::kCmykJpeg), picture) == "");
  CHECK(near(pixel(picture, 3, 3), {0, 0, 255}, 3));
  REQUIRE(decode(file_of(testing::kTiff), picture) == "");
  CHECK(pixel(picture, 2, 1) == Bgr{30, 20, 10});
}

TEST_CASE("transparency is laid over black") {
  Picture picture;
  REQUIRE(decode(file_of(testing::kPaletteTransparentPng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{0, 0, 255});
  CHECK(pixel(picture, 1, 0) == Bgr{0, 128, 0});
  CHECK(pixel(picture, 2, 0) == Bgr{0, 0, 0});
  CHECK(pixel(picture, 3, 0) == Bgr{255, 255, 255});
  REQUIRE(decode(file_of(testing::kGreyAlphaPng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{200, 200, 200});
  CHECK(pixel(picture, 1, 0) == Bgr{40, 40, 40});
  REQUIRE(decode(file_of(testing::kDeepAlphaPng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{0, 128, 255});
  CHECK(near(pixel(picture, 1, 0), {0, 26, 51}, 1));
  REQUIRE(decode(file_of(testing::kGreyKeyPng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{10, 10, 10});
  CHECK(pixel(picture, 1, 0) == Bgr{0, 0, 0});
  CHECK(pixel(picture, 2, 0) == Bgr{201, 201, 201});
  REQUIRE(decode(file_of(testing::kGreyKey2BitPng), picture) == "");
  CHECK(pixel(picture, 1, 0) == Bgr{85, 85, 85});
  CHECK(pixel(picture, 2, 0) == Bgr{0, 0, 0});
  CHECK(pixel(picture, 3, 0) == Bgr{255, 255, 255});
  REQUIRE(decode(file_of(testing::kColourKeyPng), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{0, 0, 0});
  CHECK(pixel(picture, 1, 0) == Bgr{6, 8, 9});
  const cv::Mat half(1, 1, CV_8UC4, cv::Scalar(10, 100, 200, 51));
  REQUIRE(decode(encoded(".webp", half, {cv::IMWRITE_WEBP_QUALITY, 101}), picture) == "");
  CHECK(pixel(picture, 0, 0) == Bgr{2, 20, 40});
}

// Red at the left, blue at the right, with EXIF that says how to turn it.
File turned_jpeg(unsigned char orientation) {
  cv::Mat picture(16, 32, CV_8UC3, cv::Scalar(0, 0, 255));
  picture.colRange(16, 32).setTo(cv::Scalar(255, 0, 0));
  const File plain = encoded(".jpg", picture);
  const unsigned char exif[] = {0xFF, 0xE1, 0, 34, 'E',         'x', 'i', 'f', 0,    0, 'I', 'I',
                                '*',  0,    8, 0,  0,           0,   1,   0,   0x12, 1, 3,   0,
                                1,    0,    0, 0,  orientation, 0,   0,   0,   0,    0, 0,   0};
  File file(plain.begin(), plain.begin() + 2);
  file.insert(file.end(), exif, exif + 36);
  file.insert(file.end(), plain.begin() + 2, plain.end());
  return file;
}

TEST_CASE("the orientation in EXIF is followed") {
  Picture picture;
  for (unsigned char orientation = 1; orientation <= 8; ++orientation) {
    CAPTURE(int{orientation});
    const File file = turned_jpeg(orientation);
    REQUIRE(decode(file, picture) == "");
    CHECK(same(picture, cv::imdecode(file, cv::IMREAD_COLOR)));  // OpenCV follows it, too
    CHECK(picture.view.width == (orientation < 5 ? 32U : 16U));
  }
  REQUIRE(decode(turned_jpeg(6), picture) == "");
  CHECK(near(pixel(picture, 8, 4), {0, 0, 255}, 8));  // clockwise: what was left is on top
  REQUIRE(decode(turned_jpeg(9), picture) == "");
  CHECK(picture.view.width == 32);
  REQUIRE(decode(file_of(testing::kTurnedAlphaPng), picture) == "");
  REQUIRE(picture.view.height == 2);
  CHECK(pixel(picture, 0, 0) == Bgr{0, 0, 255});
  CHECK(pixel(picture, 0, 1) == Bgr{255, 0, 0});
}

TEST_CASE("the memory of one picture is used for the next") {
  Picture picture;
  REQUIRE(decode(encoded(".png", picture_of(40, 30)), picture) == "");
  const std::byte* before = picture.pixels.data();
  const cv::Mat small = picture_of(20, 10);
  REQUIRE(decode(encoded(".png", small), picture) == "");
  CHECK(picture.pixels.data() == before);
  CHECK(same(picture, small));
}

}  // namespace
}  // namespace jackdaw
