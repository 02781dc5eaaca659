// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which pictures there are and what is on them. From folders, DIR/train/CLASS/* and
// DIR/test/CLASS/* (in a class's folder at any depth), or from a list in a CSV file with a line
// "split,class,path" first; paths are relative to the list.
//
//   PictureSet set = read_picture_set("data/cifar10");      // throws DataError

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {

// The data cannot be used as they are; the text names the folder or file and what to do.
struct DataError : Error {
  using Error::Error;
};

struct PictureSplit {
  std::vector<std::string> paths;
  std::vector<std::uint32_t> labels;  // indices into the classes
};

struct PictureSet {
  std::string name;  // the folder's or the list's
  std::string path;
  std::vector<std::string> classes;  // in the order of their names
  PictureSplit train, test;
  // Files in the folders of classes that are no pictures by their endings, and links to folders.
  std::vector<std::string> left_out;
};

// most: at most so many pictures a class in each split, evenly spread over them; 0: all.
PictureSet read_picture_set(const std::string& path, std::uint32_t most = 0);

PictureSet read_picture_folders(const std::string& folder);
PictureSet read_picture_list(const std::string& csv);

}  // namespace jackdaw::replay
