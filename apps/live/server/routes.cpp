// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/routes.hpp"

#include <limits>

namespace jackdaw::live {
namespace {

constexpr std::uint64_t kMostId = std::numeric_limits<std::uint64_t>::max();

constexpr Endpoint kEndpoints[] = {
    {"GET", "/api/state", Action::kState, Body::kNone, Lane::kQuick},
    {"GET", "/api/events", Action::kEvents, Body::kNone, Lane::kStream},
    {"GET", "/api/picture.jpg", Action::kPicture, Body::kNone, Lane::kQuick},
    {"GET", "/api/picture.mjpeg", Action::kMovingPicture, Body::kNone, Lane::kStream},
    {"GET", "/api/classes/ID/thumbnail.jpg", Action::kThumbnail, Body::kNone, Lane::kQuick},
    {"POST", "/api/classes", Action::kAddClass, Body::kJson, Lane::kQuick},
    {"PATCH", "/api/classes/ID", Action::kRename, Body::kJson, Lane::kQuick},
    {"DELETE", "/api/classes/ID", Action::kForget, Body::kNone, Lane::kQuick},
    {"POST", "/api/teach", Action::kTeach, Body::kJson, Lane::kQuick},
    {"DELETE", "/api/teach", Action::kStopTeaching, Body::kNone, Lane::kQuick},
    {"POST", "/api/teach/picture", Action::kTeachPicture, Body::kPicture, Lane::kSlow},
    {"POST", "/api/predict", Action::kPredict, Body::kPicture, Lane::kSlow},
    {"POST", "/api/undo", Action::kUndo, Body::kJson, Lane::kQuick},
    {"POST", "/api/bursts/ID/move", Action::kMove, Body::kJson, Lane::kQuick},
    {"PUT", "/api/region", Action::kSetRegion, Body::kJson, Lane::kQuick},
    {"DELETE", "/api/region", Action::kClearRegion, Body::kNone, Lane::kQuick},
    {"GET", "/api/state-file", Action::kExport, Body::kNone, Lane::kSlow},
    {"POST", "/api/state-file", Action::kImport, Body::kState, Lane::kSlow},
    {"POST", "/api/state-file/merge", Action::kMerge, Body::kState, Lane::kSlow},
    {"GET", "/healthz", Action::kHealth, Body::kNone, Lane::kQuick},
    {"GET", "/metrics", Action::kMetrics, Body::kNone, Lane::kQuick},
};

bool fits(std::string_view pattern, std::string_view path, std::uint64_t& id) {
  const std::size_t at = pattern.find("ID");
  if (at == std::string_view::npos) return pattern == path;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + 2);
  if (path.size() <= before.size() + after.size() || path.substr(0, at) != before ||
      path.substr(path.size() - after.size()) != after) {
    return false;
  }
  id = parse_id(path.substr(at, path.size() - before.size() - after.size()), kMostId);
  return id != 0;
}

}  // namespace

std::uint64_t parse_id(std::string_view text, std::uint64_t most) noexcept {
  if (text.empty() || text.front() == '0') return 0;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (most - digit) / 10) return 0;
    value = 10 * value + digit;
  }
  return value;
}

Match match_route(std::string_view method, std::string_view path) {
  Match match;
  const std::string_view asked = method == "HEAD" ? std::string_view("GET") : method;
  for (const Endpoint& endpoint : kEndpoints) {
    std::uint64_t id = 0;
    if (!fits(endpoint.path, path, id)) continue;
    match.id = id;
    if (asked == endpoint.method) match.endpoint = &endpoint;
    if (!match.allow.empty()) match.allow += ", ";
    match.allow += endpoint.method;
    if (std::string_view(endpoint.method) == "GET") match.allow += ", HEAD";
  }
  return match;
}

}  // namespace jackdaw::live
