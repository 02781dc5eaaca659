// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The data as a list: "split,class,path" and one line a picture. Fields may be in "quotes", with
// quotes inside them doubled (RFC 4180); the order of lines is the order of a recorded stream.

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "files/whole_file.hpp"
#include "replay/picture_set.hpp"

namespace jackdaw::replay {
namespace {

struct Entry {
  bool test = false;
  std::string label, path;
};

// False if a quote is not closed.
bool split_fields(const std::string& line, std::vector<std::string>& fields) {
  fields.assign(1, "");
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char letter = line[i];
    if (quoted && letter == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += letter;
    }
  }
  return !quoted;
}

[[noreturn]] void fail(const std::string& csv, std::size_t number, const std::string& what) {
  throw DataError(csv + ":" + std::to_string(number) + ": " + what);
}

std::vector<Entry> read_entries(const std::string& csv) {
  std::string content = read_whole_file(csv);
  constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets write it
  if (content.rfind(kByteOrderMark, 0) == 0) content.erase(0, 3);
  std::istringstream text(content);
  bool header_seen = false;
  std::vector<Entry> entries;
  std::vector<std::string> fields;
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (!split_fields(line, fields)) fail(csv, number, "a quote is not closed");
    if (!header_seen) {
      header_seen = true;
      if (fields != std::vector<std::string>{"split", "class", "path"}) {
        fail(csv, number, "the first line must be split,class,path");
      }
      continue;
    }
    if (fields.size() != 3 || fields[1].empty() || fields[2].empty()) {
      fail(csv, number, "must be three fields: split,class,path");
    }
    if (fields[0] != "train" && fields[0] != "test") {
      fail(csv, number, "the split is \"" + fields[0] + "\"; give train or test");
    }
    entries.push_back({fields[0] == "test", fields[1], fields[2]});
  }
  if (entries.empty()) throw DataError(csv + ": lists no pictures");
  return entries;
}

}  // namespace

PictureSet read_picture_list(const std::string& csv) {
  const std::vector<Entry> entries = read_entries(csv);
  PictureSet set;
  const std::filesystem::path file(csv);
  set.name = file.stem().string();
  set.path = csv;
  for (const Entry& e : entries) set.classes.push_back(e.label);
  std::sort(set.classes.begin(), set.classes.end());
  set.classes.erase(std::unique(set.classes.begin(), set.classes.end()), set.classes.end());
  std::vector<bool> taught(set.classes.size()), tested(set.classes.size());
  for (const Entry& e : entries) {
    const auto at = std::lower_bound(set.classes.begin(), set.classes.end(), e.label);
    const auto label = static_cast<std::size_t>(at - set.classes.begin());
    PictureSplit& split = e.test ? set.test : set.train;
    split.paths.push_back((file.parent_path() / e.path).string());
    split.labels.push_back(static_cast<std::uint32_t>(label));
    (e.test ? tested : taught)[label] = true;
  }
  for (std::size_t c = 0; c < set.classes.size(); ++c) {
    if (taught[c] && tested[c]) continue;
    throw DataError(csv + ": the class \"" + set.classes[c] + "\" is empty: it has no picture to " +
                    (taught[c] ? "test with" : "teach"));
  }
  return set;
}

}  // namespace jackdaw::replay
