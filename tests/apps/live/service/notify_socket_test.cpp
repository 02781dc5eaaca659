// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/service/notify_socket.hpp"

#include <unistd.h>

#include <cstdlib>

#include "fake_manager.hpp"
#include "support/log.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live::testing {
namespace {

using Messages = std::vector<std::string>;

TEST_CASE("a message arrives at a socket with a path and at one with an abstract name") {
  const jackdaw::testing::TemporaryFolder folder;
  for (const std::string& address :
       {folder.path("notify"), "@jackdaw-test-" + std::to_string(::getpid())}) {
    CAPTURE(address);
    FakeManager manager(address);
    ::setenv("NOTIFY_SOCKET", address.c_str(), 1);
    const NotifySocket socket = NotifySocket::from_environment();
    CHECK(std::getenv("NOTIFY_SOCKET") == nullptr);  // not for the processes it starts
    REQUIRE(socket.asked());
    CHECK(socket.send("READY=1\nSTATUS=up"));
    CHECK(manager.heard() == Messages{"READY=1\nSTATUS=up"});
  }
}

TEST_CASE("where nobody asked, nothing is sent") {
  ::unsetenv("NOTIFY_SOCKET");
  const NotifySocket socket = NotifySocket::from_environment();
  CHECK_FALSE(socket.asked());
  CHECK_FALSE(socket.send("READY=1"));
}

TEST_CASE("an address that cannot be one is said, and does no harm") {
  for (const std::string& address : {std::string("notify"), std::string("@"), std::string("/"),
                                     std::string("vsock:2:3"), "/" + std::string(200, 'a')}) {
    CAPTURE(address);
    (void)jackdaw::testing::take_log();
    const NotifySocket socket(address);
    CHECK_FALSE(socket.asked());
    CHECK_FALSE(socket.send("READY=1"));
    const auto said = jackdaw::testing::take_log();
    REQUIRE(said.size() == 1);
    CHECK(said[0].text.find("NOTIFY_SOCKET=" + address) == 0);
  }
}

TEST_CASE("a manager that is gone or does not listen keeps nobody waiting") {
  const jackdaw::testing::TemporaryFolder folder;
  const NotifySocket nobody(folder.path("nobody"));
  CHECK(nobody.asked());
  CHECK_FALSE(nobody.send("WATCHDOG=1"));
  FakeManager manager(folder.path("notify"));
  const NotifySocket socket(manager.address());
  int sent = 0;
  while (sent < 100000 && socket.send("WATCHDOG=1")) ++sent;
  CHECK(sent < 100000);  // the queue is full, and the call came back
  CHECK(manager.heard().size() == static_cast<std::size_t>(sent));
  CHECK(socket.send("WATCHDOG=1"));
}

TEST_CASE("the watchdog's time is read, if it is meant for this process") {
  const auto seconds = [](const char* microseconds, const std::string& process) {
    ::setenv("WATCHDOG_USEC", microseconds, 1);
    if (process.empty()) {
      ::unsetenv("WATCHDOG_PID");
    } else {
      ::setenv("WATCHDOG_PID", process.c_str(), 1);
    }
    const double read = watchdog_seconds_from_environment();
    CHECK(std::getenv("WATCHDOG_USEC") == nullptr);
    CHECK(std::getenv("WATCHDOG_PID") == nullptr);
    return read;
  };
  CHECK(seconds("30000000", "") == doctest::Approx(30.0));
  CHECK(seconds("30000000", std::to_string(::getpid())) == doctest::Approx(30.0));
  CHECK(seconds("30000000", "1") == 0.0);
  CHECK(seconds("", "") == 0.0);
  CHECK(seconds("-5", "") == 0.0);
  CHECK(seconds("soon", "") == 0.0);
  CHECK(watchdog_seconds_from_environment() == 0.0);
}

}  // namespace
}  // namespace jackdaw::live::testing
