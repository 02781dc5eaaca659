// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/convert.hpp"

#include <cstdio>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "replay/picture_set.hpp"

namespace jackdaw::replay {
namespace {

namespace fs = std::filesystem;

class FolderWriter {
 public:
  FolderWriter(const RawSet& set, const std::string& out, const ConvertProgress& progress)
      : set_(set), partial_(out + ".partial"), progress_(progress) {}

  void write() {
    fs::remove_all(partial_);
    write_split("train", set_.train);
    write_split("test", set_.test);
  }

  const fs::path& partial() const { return partial_; }

 private:
  void write_split(const char* name, const RawPictures& pictures) {
    for (const std::string& label : set_.classes) fs::create_directories(partial_ / name / label);
    std::vector<std::size_t> count(set_.classes.size(), 0);
    for (std::size_t i = 0; i < pictures.labels.size(); ++i) {
      const std::uint32_t label = pictures.labels[i];
      char file[32];
      std::snprintf(file, sizeof file, "%05zu.png", count[label]++);
      write_picture(pictures, i, (partial_ / name / set_.classes[label] / file).string());
      const std::size_t total = set_.train.labels.size() + set_.test.labels.size();
      if (progress_) progress_(++done_, total);
    }
  }

  static void write_picture(const RawPictures& pictures, std::size_t index,
                            const std::string& path) {
    const std::size_t plane = std::size_t{pictures.width} * pictures.height;
    const char* from = pictures.pixels.data() + index * plane * pictures.planes;
    const bool grey = pictures.planes == 1;
    cv::Mat picture(static_cast<int>(pictures.height), static_cast<int>(pictures.width),
                    grey ? CV_8UC1 : CV_8UC3);
    for (std::size_t i = 0; i < plane; ++i) {
      for (std::size_t p = 0; p < pictures.planes; ++p) {
        const std::size_t channel = grey ? 0 : 2 - p;  // RGB becomes BGR
        picture.data[i * pictures.planes + channel] = static_cast<uchar>(from[p * plane + i]);
      }
    }
    bool written = false;
    try {
      written = cv::imwrite(path, picture);
    } catch (const cv::Exception&) {
    }
    if (!written) throw DataError(path + ": cannot be written; is the disk full?");
  }

  const RawSet& set_;
  fs::path partial_;
  const ConvertProgress& progress_;
  std::size_t done_ = 0;
};

// The folder beside it gets a name made from this one.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

Converted convert(const std::string& archive, const std::string& folder,
                  const ConvertProgress& progress) {
  const std::string out = without_slashes(folder);
  if (fs::exists(out)) throw DataError(out + ": is there already; give another folder");
  const RawSet set = fs::is_directory(archive) ? read_mnist(archive) : read_cifar(archive);
  FolderWriter writer(set, out, progress);
  try {
    writer.write();
    fs::rename(writer.partial(), out);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(writer.partial(), ignored);
    throw DataError(out + ": cannot be written: " + error.code().message());
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(writer.partial(), ignored);
    throw;
  }
  return {set.kind, set.classes.size(), set.train.labels.size(), set.test.labels.size()};
}

}  // namespace jackdaw::replay
