// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the program and the process that captures say to one another, over a socket that keeps
// messages apart: first the program its request, then the process a note for each frame and event.
// Frames themselves lie in SharedFrames; a note that a full socket swallows loses nothing.
//
// The request goes this way, not as arguments, because anybody may read a process's arguments, and
// an address may hold a password.

#include <cstdint>
#include <string>

#include "live/source/source_uri.hpp"

namespace jackdaw::live {

constexpr int kLinkDescriptor = 3, kMemoryDescriptor = 4;  // of the process that captures
// Set in that process's environment, so that it starts none of its own, whatever it is.
inline constexpr const char* kCaptureMark = "JACKDAW_CAPTURE_PROCESS";

struct CaptureRequest {
  SourceUri uri;
  SourceOptions options;
};
std::string to_text(const CaptureRequest& request);
CaptureRequest request_from(const std::string& text);  // throws SettingsError

enum class Word : std::uint32_t {
  kOpened = 1,
  kFrame,  // there is a new one in the mailbox
  kAlive,  // waiting on purpose
  kEnd,    // a video is at its end
};

constexpr std::uint32_t kNoteMark = 0x4A434150;
struct Note {
  std::uint32_t mark = kNoteMark;
  std::uint32_t word = 0;
};

}  // namespace jackdaw::live
