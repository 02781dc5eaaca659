// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/source_uri.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "jackdaw/error.hpp"
#include "live/source/flip.hpp"
#include "live/source/network_address.hpp"

namespace jackdaw::live {
namespace {

constexpr std::size_t kLongestUri = 4096;
constexpr unsigned long kMostCameras = 256;
const char* const kAccepted =
    "csi://0, v4l2:///dev/video0, /dev/video0, 0, rtsp://HOST/PATH, rtp://@:PORT, a video file, a "
    "picture, a folder of pictures, 'folder/*.jpg', demo://";

[[noreturn]] void refuse(const std::string& shown, const std::string& why) {
  throw SettingsError("source '" + shown + "': " + why + "; accepted are " + kAccepted);
}

bool all_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Without leading zeros, so that a camera has one name.
std::string camera_number(const std::string& text, const std::string& shown) {
  if (!all_digits(text) || text.size() > 6 ||
      std::strtoul(text.c_str(), nullptr, 10) >= kMostCameras) {
    refuse(shown, "'" + text + "' is no camera number");
  }
  return std::to_string(std::strtoul(text.c_str(), nullptr, 10));
}

SourceUri video_device(const std::string& path, const std::string& shown) {
  static const std::string kPrefix = "/dev/video";
  const bool by_number = path.compare(0, kPrefix.size(), kPrefix) == 0;
  const bool by_name = path.compare(0, 10, "/dev/v4l/b") == 0;  // by-id, by-path
  if (by_name) return {SourceKind::kV4l2, path, "v4l2://" + path, {}};
  if (!by_number) refuse(shown, "a V4L2 camera is a device such as /dev/video0");
  const std::string device = kPrefix + camera_number(path.substr(kPrefix.size()), shown);
  return {SourceKind::kV4l2, device, "v4l2://" + device, {}};
}

bool is_single_picture(const std::filesystem::path& path) {
  static const char* const kEndings[] = {".png", ".jpg", ".jpeg", ".webp", ".bmp",
                                         ".pgm", ".ppm", ".tif",  ".tiff"};
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

SourceUri file_or_folder(const std::string& path, const std::string& shown) {
  if (path.empty()) refuse(shown, "no file is named");
  if (path.compare(0, 10, "/dev/video") == 0 || path.compare(0, 9, "/dev/v4l/") == 0) {
    return video_device(path, shown);
  }
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const std::string uri = "file://" + path;
  if (std::filesystem::is_directory(status)) return {SourceKind::kPictures, path, uri, {}};
  if (std::filesystem::exists(status)) {
    const auto kind = is_single_picture(path) ? SourceKind::kPictures : SourceKind::kVideo;
    return {kind, path, uri, {}};
  }
  if (path.find_first_of("*?[") != std::string::npos) return {SourceKind::kPictures, path, uri, {}};
  refuse(shown, "there is no such file or folder");
}

std::map<std::string, std::string> parse_choices(const std::string& text,
                                                 const std::string& shown) {
  std::map<std::string, std::string> choices;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('&', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(shown, "'" + one + "' after the ? is not NAME=VALUE");
    }
    choices[one.substr(0, equals)] = one.substr(equals + 1);
    at = end + 1;
  }
  return choices;
}

// Only those that a kind of source knows.
void allow_choices(const SourceUri& uri, std::initializer_list<const char*> known) {
  for (const auto& [name, value] : uri.choices) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string all;
    for (const char* one : known) all += (all.empty() ? "" : ", ") + std::string(one);
    throw SettingsError("source '" + uri.shown + "': there is no choice '" + name +
                        "'; there are: " + all);
  }
}

SourceUri with_choices(SourceKind kind, const std::string& rest, const std::string& shown,
                       std::initializer_list<const char*> known) {
  const std::size_t mark = rest.find('?');
  SourceUri uri{kind, rest.substr(0, mark), shown, {}};
  if (mark != std::string::npos) uri.choices = parse_choices(rest.substr(mark + 1), shown);
  allow_choices(uri, known);
  return uri;
}

}  // namespace

SourceUri parse_source_uri(const std::string& text) {
  const std::string shown = shown_address(text);
  if (text.empty()) refuse(shown, "it is empty");
  if (text.size() > kLongestUri) refuse(shown.substr(0, 60) + "…", "it is longer than 4096 bytes");
  if (std::any_of(text.begin(), text.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7F; })) {
    refuse(shown, "it holds a control character");
  }
  const std::size_t colon = text.find("://");
  if (colon == std::string::npos) {
    if (all_digits(text)) return video_device("/dev/video" + text, shown);
    return file_or_folder(text, shown);
  }
  const std::string scheme = text.substr(0, colon);
  const std::string rest = text.substr(colon + 3);
  if (scheme == "csi") {
    const std::string number = camera_number(rest, shown);
    return {SourceKind::kCsi, number, "csi://" + number, {}};
  }
  if (scheme == "v4l2") return video_device(all_digits(rest) ? "/dev/video" + rest : rest, shown);
  if (scheme == "file") return file_or_folder(rest, shown);
  if (scheme == "demo") {
    return with_choices(SourceKind::kDemo, rest, shown,
                        {"speed", "hold", "empty", "seed", "control"});
  }
  if (scheme == "rtsp" || scheme == "rtsps") {
    check_stream_address(text);
    return {SourceKind::kRtsp, text, shown, {}};
  }
  if (scheme == "rtp") {
    SourceUri uri = with_choices(SourceKind::kRtp, rest, shown, {"codec"});
    uri.location = check_listening_address(uri.location, shown);
    const auto codec = uri.choices.find("codec");
    if (codec != uri.choices.end() && codec->second != "h264" && codec->second != "h265") {
      throw SettingsError("source '" + shown + "': codec is h264 or h265");
    }
    return uri;
  }
  refuse(shown, "'" + shown_address(scheme) + "://' is no kind of source");
}

void check_options(const SourceOptions& options) {
  const auto bad_side = [](std::uint32_t side) { return side < 16 || side > 8192; };
  if (options.width != 0 || options.height != 0) {
    if (bad_side(options.width) || bad_side(options.height)) {
      throw SettingsError("a picture of " + std::to_string(options.width) + "x" +
                          std::to_string(options.height) +
                          " cannot be asked for; give both, from 16 to 8192 pixels, or none");
    }
  }
  if (!std::isfinite(options.rate) || options.rate < 0.0 || options.rate > 1000.0 ||
      (options.rate > 0.0 && options.rate < 0.01)) {
    throw SettingsError("a rate is 0.01 to 1000 frames a second, or 0 for the source's own");
  }
  if (options.loop < -1) {
    throw SettingsError("loop is how often a file is played again: 0, 1, …, or -1 for ever");
  }
  static_cast<void>(parse_flip(options.flip));
}

double number_choice(const SourceUri& uri, const std::string& name, double otherwise, double least,
                     double most) {
  const auto found = uri.choices.find(name);
  if (found == uri.choices.end()) return otherwise;
  char* end = nullptr;
  const double value = std::strtod(found->second.c_str(), &end);
  if (found->second.empty() || *end != '\0' || !(value >= least && value <= most)) {
    const auto plain = [](double number) {
      std::string digits = std::to_string(number);
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
      return digits;
    };
    throw SettingsError("source '" + uri.shown + "': " + name + " is a number from " +
                        plain(least) + " to " + plain(most) + ", not '" + found->second + "'");
  }
  return value;
}

std::string without_secrets(std::string text, const SourceUri& uri) {
  return uri.kind == SourceKind::kRtsp ? hide_secrets(std::move(text), uri.location, uri.shown)
                                       : text;
}

}  // namespace jackdaw::live
