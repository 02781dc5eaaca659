// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What people call a source, taken apart and checked.
//
//   const SourceUri uri = parse_source_uri("rtsp://me:secret@192.168.1.7/stream");
//   uri.kind;      // SourceKind::kRtsp
//   uri.location;  // all of it, for who opens it
//   uri.shown;     // "rtsp://192.168.1.7/stream", for everybody else
//
// csi://0, v4l2:///dev/video0 or /dev/video0 or 0, rtsp://…, rtp://@:5000, file://clip.mp4 or
// clip.mp4, file://folder/ or folder, folder/*.jpg, one picture, demo://mug,ball?speed=2

#include <map>
#include <string>

#include "live/source/source.hpp"

namespace jackdaw::live {

enum class SourceKind : std::uint8_t { kCsi, kV4l2, kRtsp, kRtp, kVideo, kPictures, kDemo };

struct SourceUri {
  SourceKind kind = SourceKind::kDemo;
  // csi: the sensor's number; v4l2: the device's path; rtsp: the whole address; rtp: ADDRESS:PORT;
  // videos and pictures: a path, a folder or a pattern; demo: the things' names
  std::string location;
  std::string shown;                           // without user and password
  std::map<std::string, std::string> choices;  // what came after a ?, of demo and rtp
};

// Throws SettingsError, without the password, where it is no source; or a file that is not there.
SourceUri parse_source_uri(const std::string& text);

// Size, rate, flip and loop. Throws SettingsError.
void check_options(const SourceOptions& options);

// A text from elsewhere (a library's complaint about an address) without the address's secrets.
std::string without_secrets(std::string text, const SourceUri& uri);

// A number among the choices, or what it is otherwise. Throws SettingsError if it is none or out of
// range.
double number_choice(const SourceUri& uri, const std::string& name, double otherwise, double least,
                     double most);

}  // namespace jackdaw::live
