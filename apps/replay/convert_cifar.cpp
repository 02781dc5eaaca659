// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// CIFAR's binary archives: records of a label (CIFAR-100: superclass, class) and 3 planes of 32x32.

#include <sstream>

#include "replay/archive.hpp"
#include "replay/convert.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kPixels = std::size_t{3} * 32 * 32;
using Files = std::map<std::string, std::string>;

const std::string& file_in(const Files& files, const std::string& ending, const std::string& path) {
  for (const auto& [name, content] : files) {
    const std::string whole = "/" + name;
    if (whole.size() > ending.size() &&
        whole.compare(whole.size() - ending.size() - 1, std::string::npos, "/" + ending) == 0) {
      return content;
    }
  }
  throw DataError(path + ": holds no " + ending +
                  "; give cifar-10-binary.tar.gz or cifar-100-binary.tar.gz");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.find_first_of("/\\") != std::string::npos || line == "." || line == "..") {
      throw DataError("a class is called \"" + line + "\", which cannot be a folder");
    }
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// label_bytes: 1 or 2; the last of them is the class.
void append(const std::string& records, std::size_t label_bytes, std::size_t classes,
            const std::string& path, RawPictures& out) {
  const std::size_t each = label_bytes + kPixels;
  if (records.empty() || records.size() % each != 0) {
    throw DataError(path + ": a file in it is cut off; fetch it again");
  }
  for (std::size_t at = 0; at < records.size(); at += each) {
    const auto label = static_cast<unsigned char>(records[at + label_bytes - 1]);
    if (label >= classes) throw DataError(path + ": holds a label that has no name");
    out.labels.push_back(label);
    out.pixels.append(records, at + label_bytes, kPixels);
  }
}

}  // namespace

RawSet read_cifar(const std::string& archive) {
  const Files files = read_tar(read_gzip(archive), archive);
  RawSet set;
  for (RawPictures* split : {&set.train, &set.test}) {
    split->width = split->height = 32;
    split->planes = 3;
  }
  bool hundred = false;
  for (const auto& file : files) {
    hundred |= file.first.find("fine_label_names.txt") != std::string::npos;
  }
  if (hundred) {
    set.kind = "CIFAR-100";
    set.classes = lines_of(file_in(files, "fine_label_names.txt", archive));
    append(file_in(files, "train.bin", archive), 2, set.classes.size(), archive, set.train);
    append(file_in(files, "test.bin", archive), 2, set.classes.size(), archive, set.test);
    return set;
  }
  set.kind = "CIFAR-10";
  set.classes = lines_of(file_in(files, "batches.meta.txt", archive));
  for (int part = 1; part <= 5; ++part) {
    const std::string name = "data_batch_" + std::to_string(part) + ".bin";
    append(file_in(files, name, archive), 1, set.classes.size(), archive, set.train);
  }
  append(file_in(files, "test_batch.bin", archive), 1, set.classes.size(), archive, set.test);
  return set;
}

}  // namespace jackdaw::replay
