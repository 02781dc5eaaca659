// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which request asks for what. The table in routes.cpp is the one in docs/api.md.
//
//   const Match match = match_route("PATCH", "/api/classes/3");
//   if (match.endpoint) perform(match.endpoint->action, match.id);    // kRename, 3
//   else if (!match.allow.empty()) refuse(405, match.allow);          // else 404

#include <cstdint>
#include <string>
#include <string_view>

namespace jackdaw::live {

enum class Action : std::uint8_t {
  kState,
  kEvents,
  kPicture,
  kMovingPicture,
  kThumbnail,
  kAddClass,
  kRename,
  kForget,
  kTeach,
  kStopTeaching,
  kTeachPicture,
  kPredict,
  kUndo,
  kMove,
  kSetRegion,
  kClearRegion,
  kExport,
  kImport,
  kMerge,
  kHealth,
  kMetrics,
};

enum class Body : std::uint8_t { kNone, kJson, kPicture, kState };

// Who does it: the thread for quick things, the one for what may take seconds, or a stream.
enum class Lane : std::uint8_t { kQuick, kSlow, kStream };

struct Endpoint {
  const char* method;
  const char* path;  // ID stands for a whole number from 1 on
  Action action;
  Body body;
  Lane lane;
};

struct Match {
  const Endpoint* endpoint = nullptr;
  std::uint64_t id = 0;
  std::string allow;  // the methods that this path has; empty: there is no such path
};

// HEAD is found where GET is. The path is compared as it came, byte for byte: nothing is unescaped.
Match match_route(std::string_view method, std::string_view path);

// A whole number from 1 to `most` in decimal digits without a leading zero; 0: it is none.
std::uint64_t parse_id(std::string_view text, std::uint64_t most) noexcept;

}  // namespace jackdaw::live
