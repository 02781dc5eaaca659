// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/server.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "apps/live/server/fake_control.hpp"
#include "jackdaw/error.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

ServerOptions anywhere() {
  ServerOptions options;
  options.port = 0;
  return options;
}

void refuses(const ServerOptions& options, const std::string& word) {
  testing::FakeControl control;
  try {
    const Server server(options, control);
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
}

TEST_CASE("a server that cannot be is refused with what to do") {
  ServerOptions options = anywhere();
  options.address = "camera";
  refuses(options, "127.0.0.1");
  options.address = "203.0.113.7";
  options.token = make_token();
  refuses(options, "this machine has no such address");
  options = anywhere();
  options.port = 70000;
  refuses(options, "65535");
  options = anywhere();
  options.token = "secret";
  refuses(options, "16 to 128");
  options = anywhere();
  options.page_folder = "/nowhere/at/all";
  refuses(options, "index.html");
}

TEST_CASE("other machines are let in only with a token") {
  ServerOptions options = anywhere();
  options.address = "0.0.0.0";
  refuses(options, "needs a token");
  options.token = make_token();
  testing::FakeControl control;
  const Server server(options, control);
  CHECK(server.url().find("0.0.0.0") == std::string::npos);
  CHECK(server.url().find("/?token=" + options.token) != std::string::npos);
}

TEST_CASE("a port in use is said so, and which one may be tried") {
  testing::FakeControl control;
  const Server first(anywhere(), control);
  ServerOptions options = anywhere();
  options.port = first.port();
  refuses(options, "--listen 127.0.0.1:" + std::to_string(first.port() + 1));
}

TEST_CASE("servers come and go at once, on the same port") {
  testing::FakeControl control;
  ServerOptions options = anywhere();
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    const Server server(options, control);
    CHECK(server.url() == "http://127.0.0.1:" + std::to_string(server.port()) + "/");
    options.port = server.port();
  }
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(10));
}

TEST_CASE("IPv6 loopback") {
  ServerOptions options = anywhere();
  options.address = "[::1]";
  testing::FakeControl control;
  try {
    const Server server(options, control);
    CHECK(server.url() == "http://[::1]:" + std::to_string(server.port()) + "/");
  } catch (const Error& error) {
    MESSAGE("no IPv6 here: " << error.what());
  }
}

}  // namespace
}  // namespace jackdaw::live
