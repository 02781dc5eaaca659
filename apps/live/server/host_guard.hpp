// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a request was meant for us and came from our own page. A page of somebody else can make a
// browser send requests here, under a name of its own that it lets point to this machine (Host), or
// from its own origin (Origin); both are refused.
//
//   HostGuard guard("127.0.0.1", {"camera.example"});
//   guard.knows("localhost:8000");                      // true, whatever the port: it may be
//   forwarded same_origin("http://localhost:8000", "localhost:8000");

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jackdaw::live {

// A Host header taken apart: in lower case, an IPv6 address without brackets and in one spelling.
// Empty name: it is none.
struct HostName {
  std::string name;
  int port = 0;  // 0: not given
};
HostName parse_host(std::string_view header);

bool same_origin(std::string_view origin, std::string_view host);

class HostGuard {
 public:
  HostGuard(const std::string& address, const std::vector<std::string>& allow_hosts);
  // For the event thread alone: it looks again at the machine's addresses, which come and go.
  bool knows(std::string_view host_header);

 private:
  std::set<std::string> names_;
  std::set<std::string> own_;
  double looked_at_ = -1e9;
};

}  // namespace jackdaw::live
