// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace jackdaw::live {
namespace {

std::string text_of(int family, const void* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* done = ::inet_ntop(family, bytes, text.data(), static_cast<socklen_t>(text.size()));
  return done == nullptr ? std::string() : std::string(done);
}

// The address inside, as it may lie at any alignment behind a sockaddr.
template <class Address>
Address read_as(const sockaddr& address) {
  Address out{};
  std::memcpy(&out, &address, sizeof out);
  return out;
}

bool is_loopback(const in_addr& address) { return (ntohl(address.s_addr) >> 24) == 127; }

in_addr mapped(const in6_addr& address) {
  in_addr out{};
  std::memcpy(&out, address.s6_addr + 12, sizeof out);
  return out;
}

}  // namespace

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) return is_loopback(read_as<sockaddr_in>(address).sin_addr);
  if (address.sa_family != AF_INET6) return false;
  const in6_addr inside = read_as<sockaddr_in6>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&inside)) return is_loopback(mapped(inside));
  return IN6_IS_ADDR_LOOPBACK(&inside);
}

ClientAddress client_address(const sockaddr& address) {
  const bool loopback = is_loopback(address);
  if (address.sa_family == AF_INET) {
    const in_addr inside = read_as<sockaddr_in>(address).sin_addr;
    return {text_of(AF_INET, &inside), loopback};
  }
  if (address.sa_family != AF_INET6) return {"unknown", false};
  in6_addr inside = read_as<sockaddr_in6>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&inside)) {
    const in_addr v4 = mapped(inside);
    return {text_of(AF_INET, &v4), loopback};
  }
  if (!loopback) std::fill(inside.s6_addr + 8, inside.s6_addr + 16, std::uint8_t{0});
  return {text_of(AF_INET6, &inside), loopback};
}

std::vector<std::string> own_addresses() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner(first, &::freeifaddrs);
  std::vector<std::string> v4, v6;
  for (const ifaddrs* i = first; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0) continue;
    if (i->ifa_addr->sa_family == AF_INET) {
      const in_addr inside = read_as<sockaddr_in>(*i->ifa_addr).sin_addr;
      v4.push_back(text_of(AF_INET, &inside));
    } else if (i->ifa_addr->sa_family == AF_INET6) {
      const in6_addr inside = read_as<sockaddr_in6>(*i->ifa_addr).sin6_addr;
      v6.push_back(text_of(AF_INET6, &inside));
    }
  }
  v4.insert(v4.end(), v6.begin(), v6.end());
  return v4;
}

std::string own_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

std::string canonical_address(const std::string& text) {
  in_addr v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4) == 1) return text_of(AF_INET, &v4);
  in6_addr v6{};
  if (::inet_pton(AF_INET6, text.c_str(), &v6) == 1) return text_of(AF_INET6, &v6);
  return {};
}

}  // namespace jackdaw::live
