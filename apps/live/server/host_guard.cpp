// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/host_guard.hpp"

#include <algorithm>

#include "live/server/address.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

constexpr std::size_t kLongestName = 255;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                  c == '_';
         });
}

// -1: no port.
int parse_port(std::string_view text) {
  if (text.empty() || text.size() > 5) return -1;
  int port = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    port = 10 * port + (c - '0');
  }
  return port >= 1 && port <= 65535 ? port : -1;
}

}  // namespace

HostName parse_host(std::string_view header) {
  HostName out;
  std::string_view rest;
  if (!header.empty() && header.front() == '[') {
    const std::size_t end = header.find(']');
    if (end == std::string_view::npos) return {};
    out.name = canonical_address(std::string(header.substr(1, end - 1)));
    if (out.name.find(':') == std::string::npos) return {};
    rest = header.substr(end + 1);
  } else {
    const std::size_t colon = header.find(':');
    out.name = lower(header.substr(0, colon));
    if (!out.name.empty() && out.name.back() == '.') out.name.pop_back();
    if (!is_name(out.name)) return {};
    rest = colon == std::string_view::npos ? std::string_view() : header.substr(colon);
  }
  if (rest.empty()) return out;
  if (rest.front() != ':') return {};
  out.port = parse_port(rest.substr(1));
  return out.port < 0 ? HostName{} : out;
}

bool same_origin(std::string_view origin, std::string_view host) {
  const std::size_t scheme_end = origin.find("://");
  if (scheme_end == std::string_view::npos) return false;  // "null" among others
  const std::string scheme = lower(origin.substr(0, scheme_end));
  if (scheme != "http" && scheme != "https") return false;
  const int default_port = scheme == "http" ? 80 : 443;
  HostName from = parse_host(origin.substr(scheme_end + 3)), to = parse_host(host);
  if (from.port == 0) from.port = default_port;
  if (to.port == 0) to.port = default_port;
  return !from.name.empty() && from.name == to.name && from.port == to.port;
}

HostGuard::HostGuard(const std::string& address, const std::vector<std::string>& allow_hosts)
    : names_{"localhost", "127.0.0.1", "::1", address} {
  for (const std::string& name : allow_hosts) {
    const bool bare_v6 = !canonical_address(name).empty() && name.find(':') != std::string::npos;
    names_.insert(bare_v6 ? canonical_address(name) : parse_host(name).name);
  }
  if (const std::string name = lower(own_name()); !name.empty()) {
    names_.insert(name);
    const std::string first = name.substr(0, name.find('.'));
    names_.insert(first);
    names_.insert(first + ".local");
  }
  names_.erase("");
}

bool HostGuard::knows(std::string_view host_header) {
  const std::string name = parse_host(host_header).name;
  if (name.empty()) return false;
  if (names_.count(name) > 0 || own_.count(name) > 0) return true;
  if (canonical_address(name).empty() || steady_seconds() - looked_at_ < 1.0) return false;
  looked_at_ = steady_seconds();
  const std::vector<std::string> now = own_addresses();
  own_ = std::set<std::string>(now.begin(), now.end());
  return own_.count(name) > 0;
}

}  // namespace jackdaw::live
