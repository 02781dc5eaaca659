// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kEnd = 0xD9, kScan = 0xDA, kExif = 0xE1;

bool is_frame_header(std::uint32_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

// Markers that stand alone: restarts, and TEM.
bool has_no_length(std::uint32_t marker) {
  return (marker >= 0xD0 && marker <= 0xD7) || marker == 1;
}

// Behind a scan's data: where the next marker that is not a restart begins.
std::uint64_t end_of_scan(Bytes file, std::uint64_t at) {
  for (; at < file.size(); ++at) {
    if (file.u8(at) != 0xFF || !file.has(at, 2)) continue;
    const std::uint32_t next = file.u8(at + 1);
    if (next != 0 && next != 0xFF && !has_no_length(next)) break;
  }
  return at;
}

}  // namespace

// Segments of FF, marker, length, data; the data of a scan follows its segment and has a length
// that nobody says. What cameras append behind the end is not looked at.
std::string check_jpeg(Bytes file, Container& container) {
  container.jpeg = true;
  const std::string cut_off = "is cut off: its JPEG data has no end marker";
  bool scanned = false;
  for (std::uint64_t at = 2; file.has(at, 2);) {
    if (file.u8(at) != 0xFF) {
      return "is damaged: its JPEG data has no marker at byte " + std::to_string(at);
    }
    const std::uint32_t marker = file.u8(at + 1);
    if (marker == 0xFF) {  // fill
      ++at;
      continue;
    }
    if (marker == kEnd) return scanned ? "" : "is damaged: its JPEG data has no picture in it";
    if (has_no_length(marker)) {
      at += 2;
      continue;
    }
    const std::uint64_t length = file.u16(at + 2);
    if (!file.has(at + 2, 2) || !file.has(at + 2, length)) return cut_off;
    if (length < 2 || marker == 0 || marker == 0xD8) {
      return "is damaged: its JPEG data has an impossible marker at byte " + std::to_string(at);
    }
    if (is_frame_header(marker)) {
      if (container.width != 0) return "is damaged: its JPEG data has two sizes";
      container.height = file.u16(at + 5);
      container.width = file.u16(at + 7);
    }
    if (marker == kExif && file.is(at + 4, {"Exif\0\0", 6}) && length >= 8) {
      container.orientation = exif_orientation(file.part(at + 10, length - 8));
    }
    at += 2 + length;
    if (marker == kScan) {
      if (container.width == 0) return "is damaged: its JPEG data has no size before the picture";
      scanned = true;
      at = end_of_scan(file, at);
    }
  }
  return cut_off;
}

}  // namespace jackdaw
