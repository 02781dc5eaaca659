// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/picture_set.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/picture_folder.hpp"

namespace jackdaw::replay {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> class_folders(const fs::path& split) {
  std::vector<std::string> names;
  try {
    for (const auto& entry : fs::directory_iterator(split)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.' && entry.is_directory()) names.push_back(name);
    }
  } catch (const fs::filesystem_error& error) {
    throw DataError(split.string() + ": cannot be read: " + error.code().message() +
                    "; the data must lie in DIR/train/CLASS/* and DIR/test/CLASS/*");
  }
  std::sort(names.begin(), names.end());
  return names;
}

PictureSplit read_split(const fs::path& folder, const std::vector<std::string>& classes,
                        std::vector<std::string>& left_out) {
  PictureSplit split;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::vector<std::string> paths;
    try {
      paths = list_pictures((folder / classes[c]).string(), &left_out);
    } catch (const EncoderError& error) {
      throw DataError("the class \"" + classes[c] +
                      "\" is empty or cannot be read: " + error.what());
    }
    split.paths.insert(split.paths.end(), paths.begin(), paths.end());
    split.labels.resize(split.paths.size(), static_cast<std::uint32_t>(c));
  }
  return split;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> only;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  return only.front();
}

// Every n-th of each class.
PictureSplit thinned(const PictureSplit& all, std::size_t classes, std::uint32_t most) {
  std::vector<std::vector<std::size_t>> of_class(classes);
  for (std::size_t i = 0; i < all.labels.size(); ++i) of_class[all.labels[i]].push_back(i);
  PictureSplit some;
  for (std::size_t c = 0; c < classes; ++c) {
    const std::size_t kept = std::min<std::size_t>(most, of_class[c].size());
    for (std::size_t i = 0; i < kept; ++i) {
      some.paths.push_back(all.paths[of_class[c][i * of_class[c].size() / kept]]);
      some.labels.push_back(static_cast<std::uint32_t>(c));
    }
  }
  return some;
}

}  // namespace

PictureSet read_picture_folders(const std::string& folder) {
  PictureSet set;
  const fs::path root(folder);
  set.path = folder;
  // As the caller calls it, also where that is a link: what is known of a data set hangs on its
  // name.
  const fs::path whole = fs::absolute(root / "").lexically_normal().parent_path();
  set.name = whole.filename().string();
  set.classes = class_folders(root / "train");
  const std::vector<std::string> tested = class_folders(root / "test");
  if (set.classes.empty()) {
    throw DataError((root / "train").string() + ": holds no class; make a folder for each");
  }
  if (set.classes != tested) {
    throw DataError(folder + ": train and test do not have the same classes: \"" +
                    first_difference(set.classes, tested) + "\" is in only one of them");
  }
  set.train = read_split(root / "train", set.classes, set.left_out);
  set.test = read_split(root / "test", set.classes, set.left_out);
  return set;
}

PictureSet read_picture_set(const std::string& path, std::uint32_t most) {
  const std::string ending = fs::path(path).extension().string();
  PictureSet set =
      ending == ".csv" || ending == ".CSV" ? read_picture_list(path) : read_picture_folders(path);
  if (set.classes.size() < 2) {
    throw DataError(path + ": holds one class, \"" + set.classes.front() +
                    "\"; there is nothing to tell apart. Give two or more");
  }
  if (most > 0) {
    set.train = thinned(set.train, set.classes.size(), most);
    set.test = thinned(set.test, set.classes.size(), most);
  }
  return set;
}

}  // namespace jackdaw::replay
