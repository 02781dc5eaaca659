// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <array>
#include <set>
#include <string>
#include <thread>

#include "live/server/address.hpp"
#include "live/server/connection_table.hpp"
#include "live/server/host_guard.hpp"
#include "live/server/rate_limiter.hpp"
#include "live/server/server.hpp"
#include "live/server/token.hpp"

namespace jackdaw::live {
namespace {

ClientAddress v6(const char* text) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  REQUIRE(::inet_pton(AF_INET6, text, &address.sin6_addr) == 1);
  return client_address(reinterpret_cast<const sockaddr&>(address));
}

TEST_CASE("an address is counted by machine: IPv4 whole, IPv6 by its first 64 bits") {
  CHECK(v6("2001:db8::1").key == v6("2001:db8::ffff:1").key);
  CHECK(v6("2001:db8::1").key != v6("2001:db8:0:1::1").key);
  CHECK(v6("::ffff:10.0.0.7").key == "10.0.0.7");
  CHECK(v6("::ffff:127.0.0.5").loopback);
  CHECK(v6("::1").loopback);
  CHECK_FALSE(v6("::2").loopback);
  CHECK_FALSE(v6("::ffff:10.0.0.7").loopback);
}

TEST_CASE("hosts are taken apart as browsers write them, or not at all") {
  CHECK(parse_host("LocalHost:8000").name == "localhost");
  CHECK(parse_host("localhost:8000").port == 8000);
  CHECK(parse_host("[0:0:0:0:0:0:0:1]:80").name == "::1");
  CHECK(parse_host("a.b.").name == "a.b");
  for (const char* bad : {"", ":80", "a:", "a:0", "a:65536", "a:8x", "a b", "a/b", "a@b", "a,b",
                          "[::1", "[::1]80", "[1.2.3.4]", "[]", "::1", "a:80:80", "\xc3\xa4"}) {
    CAPTURE(std::string(bad));
    CHECK(parse_host(bad).name.empty());
  }
  CHECK(parse_host(std::string(300, 'a')).name.empty());
}

TEST_CASE("an origin is the same only with its scheme's port") {
  CHECK(same_origin("http://a:8000", "a:8000"));
  CHECK(same_origin("http://A", "a:80"));
  CHECK(same_origin("https://a", "a"));
  CHECK(same_origin("http://[::1]:8000", "[0::1]:8000"));
  CHECK_FALSE(same_origin("http://a:8000", "a"));
  CHECK_FALSE(same_origin("http://a", "b"));
  CHECK_FALSE(same_origin("null", "a"));
  CHECK_FALSE(same_origin("", ""));
  CHECK_FALSE(same_origin("http://", ""));
  CHECK_FALSE(same_origin("http://a/", "a"));
}

TEST_CASE("the guard knows this machine's own names and addresses and those it is told") {
  HostGuard guard("10.1.2.3", {"camera.example", "fd00::7", "[fd00::8]"});
  for (const char* host : {"localhost", "127.0.0.1:1", "[::1]", "10.1.2.3:8000",
                           "camera.example:8000", "[fd00::7]", "[fd00::8]:80"}) {
    CAPTURE(std::string(host));
    CHECK(guard.knows(host));
  }
  for (const std::string& own : own_addresses()) {
    CHECK(guard.knows(own.find(':') == std::string::npos ? own : '[' + own + ']'));
  }
  if (!own_name().empty()) CHECK(guard.knows(own_name() + ":8000"));
  CHECK_FALSE(guard.knows("example"));
  CHECK_FALSE(guard.knows("203.0.113.9"));
}

TEST_CASE("tokens: 128 bits, never the same, compared whole") {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string token = make_token();
    CHECK(token.size() == 32);
    CHECK(is_token(token));
    CHECK(seen.insert(token).second);
  }
  CHECK(same_secret("abc", "abc"));
  CHECK_FALSE(same_secret("abc", "abd"));
  CHECK_FALSE(same_secret("abc", "abcd"));
  CHECK_FALSE(is_token("short"));
  CHECK_FALSE(is_token("0123456789abcdef;"));
  CHECK(bearer_token("Bearer x") == "x");
  CHECK(bearer_token("bearer   x") == "x");
  CHECK(bearer_token("Basic x").empty());
  CHECK(bearer_token("Bearerx").empty());
}

TEST_CASE("the rate limiter gives a burst, then so many a second, to each address") {
  RateLimiter limiter(10.0, 5.0);
  int given = 0;
  for (int i = 0; i < 20; ++i) given += limiter.allow("a", 100.0) ? 1 : 0;
  CHECK(given == 5);
  CHECK(limiter.allow("b", 100.0));
  given = 0;
  for (int i = 0; i < 20; ++i) given += limiter.allow("a", 100.25) ? 1 : 0;
  CHECK(given == 2);
  given = 0;
  for (int i = 0; i < 200; ++i) given += limiter.allow("c", 100.0, 10.0) ? 1 : 0;
  CHECK(given == 50);
}

TEST_CASE("the rate limiter's memory is bounded, and a flood of addresses shares one allowance") {
  RateLimiter limiter(1.0, 5.0);
  std::size_t given = 0;
  const std::size_t addresses = 3 * RateLimiter::kMostAddresses;
  for (std::size_t i = 0; i < addresses; ++i)
    given += limiter.allow(std::to_string(i), 50.0) ? 1U : 0U;
  CHECK(limiter.addresses() <= RateLimiter::kMostAddresses + 1);
  CHECK(given == RateLimiter::kMostAddresses + 5);
  CHECK(limiter.allow("later", 60.0));  // the quiet ones are forgotten
  CHECK(limiter.addresses() < 10);
}

struct Pair {
  Pair() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) == 0); }
  ~Pair() {
    for (const int end : ends) ::close(end);
  }
  bool cut() const {
    char byte = 0;
    return ::recv(ends[1], &byte, 1, 0) == 0;
  }
  std::array<int, 2> ends{};
};

TEST_CASE("a newcomer takes the place of who waited longest, never of who is being served") {
  ConnectionTable table({3, 2, 3, 100.0});
  const ClientAddress a{"a", false}, b{"b", false};
  std::array<Pair, 4> pairs;
  REQUIRE(table.admit(a));
  auto* first = table.opened(pairs[0].ends[0], a);
  REQUIRE(table.admit(a));
  auto* second = table.opened(pairs[1].ends[0], a);
  table.busy(first, ConnectionTable::kNever);
  CHECK(table.admit(a));  // the second goes
  CHECK(pairs[1].cut());
  CHECK_FALSE(pairs[0].cut());
  auto* third = table.opened(pairs[2].ends[0], a);
  table.busy(third, ConnectionTable::kNever);
  CHECK_FALSE(table.admit(a));  // both are being served
  CHECK(table.admit(b));
  table.closed(second);
  auto* fourth = table.opened(pairs[3].ends[0], b);
  table.busy(fourth, ConnectionTable::kNever);
  CHECK_FALSE(table.admit(b));  // three in all
  table.waiting(first);
  CHECK(table.admit(b));
  CHECK(pairs[0].cut());
  CHECK(table.size() == 3);
}

TEST_CASE("a connection is cut when its time is over, and only then") {
  ConnectionTable table({8, 8, 8, 0.05});
  std::array<Pair, 2> pairs;
  table.opened(pairs[0].ends[0], {"a", false});
  auto* served = table.opened(pairs[1].ends[0], {"a", false});
  table.busy(served, ConnectionTable::kNever);
  table.sweep();
  CHECK_FALSE(pairs[0].cut());
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  table.sweep();
  CHECK(pairs[0].cut());
  CHECK_FALSE(pairs[1].cut());
}

}  // namespace
}  // namespace jackdaw::live
