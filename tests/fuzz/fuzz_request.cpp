// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what the camera app's server makes of a request: the first line is its method, the second
// its path, the third a Host, the fourth an Origin, the rest its body. Whatever comes, the answer
// has a known status, and JSON where it says so.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "apps/live/server/fake_control.hpp"
#include "live/server/api.hpp"
#include "live/server/host_guard.hpp"

namespace {

using namespace jackdaw::live;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static testing::FakeControl control(100);
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view method = take_line(text), path = take_line(text);
  const std::string_view host = take_line(text), origin = take_line(text);

  const HostName name = parse_host(host);
  require(name.port >= 0 && name.port <= 65535);
  if (same_origin(origin, host)) require(!name.name.empty());

  const Match match = match_route(method, path);
  if (match.endpoint == nullptr || text.substr(0, 4) == "slow") return 0;
  require(!match.allow.empty());
  const Answer answer = perform({match.endpoint->action, match.id, host, text}, control);
  static const std::set<unsigned> known = {200, 201, 400, 404, 409, 500, 503, 507};
  require(known.count(answer.status) == 1 && answer.body != nullptr);
  if (std::string_view(answer.content_type) == "application/json") {
    require(nlohmann::json::accept(*answer.body));
  }
  return 0;
}
