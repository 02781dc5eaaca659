// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/encoder_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string encoders_folder() { return cache_folder() + "/encoders"; }

bool is_path(const std::string& text) {
  return text.find('/') != std::string::npos || text == "." || text == ".." ||
         fs::path(text).extension() == ".json";
}

// Folders with a manifest, in order of their names; hidden ones are somebody's half-done work.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    std::error_code ignored;
    if (name[0] != '.' && fs::exists(entries->path() / kManifest, ignored)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void fail_not_there(const std::string& name, const std::string& folder) {
  std::string text = "there is no encoder \"" + name + "\" in " + folder +
                     "; get it with: " + "jackdaw engine get " + name;
  std::string known;
  for (const std::string& other : names_in(folder)) known += (known.empty() ? "" : ", ") + other;
  if (!known.empty()) text += " (there are: " + known + ")";
  std::error_code ignored;
  if (fs::exists(name, ignored)) text += "; for the path in this folder write ./" + name;
  throw EncoderError(text);
}

}  // namespace

std::string cache_folder() {
  if (const std::string own = variable("JACKDAW_CACHE"); !own.empty()) return own;
  // The XDG specification: a relative path in its variables counts as not set.
  if (const std::string xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/') {
    return xdg + "/jackdaw";
  }
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/jackdaw";
  throw EncoderError(
      "none of JACKDAW_CACHE, XDG_CACHE_HOME and HOME is set, so there is no folder for encoders; "
      "set JACKDAW_CACHE to one");
}

Manifest find_encoder(const std::string& name_or_path) {
  if (name_or_path.empty()) {
    throw EncoderError("the encoder's name is empty; give a name or the path of a manifest.json");
  }
  std::error_code ignored;
  if (is_path(name_or_path)) {
    const bool folder = fs::is_directory(name_or_path, ignored);
    return read_manifest(folder ? (fs::path(name_or_path) / kManifest).string() : name_or_path);
  }
  const std::string folder = encoders_folder();
  const std::string manifest = folder + "/" + name_or_path + "/" + kManifest;
  if (!fs::exists(manifest, ignored)) fail_not_there(name_or_path, folder);
  return read_manifest(manifest);
}

std::vector<ListedEncoder> list_encoders() {
  const std::string folder = encoders_folder();
  std::vector<ListedEncoder> list;
  for (const std::string& name : names_in(folder)) {
    ListedEncoder encoder;
    encoder.name = name;
    encoder.folder = folder + "/" + name;
    try {
      encoder.manifest = read_manifest(encoder.folder + "/" + kManifest);
    } catch (const Error& error) {
      encoder.fault = error.what();
    }
    list.push_back(std::move(encoder));
  }
  return list;
}

}  // namespace jackdaw
