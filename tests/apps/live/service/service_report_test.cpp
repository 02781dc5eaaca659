// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/service/service_report.hpp"

#include "../session/stand_ins.hpp"
#include "fake_manager.hpp"
#include "live/steady_clock.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live::testing {
namespace {

using jackdaw::testing::TemporaryFolder;

constexpr double kWatchdog = 20.0;  // seconds, of the clock that the tests hand over

// A session and its report, with a clock of their own.
struct Service {
  TemporaryFolder folder;
  FakeManager manager{folder.path("notify")};
  Desk desk{folder.path("state")};
  ServiceReport report{NotifySocket(manager.address()), kWatchdog};
  double now = 1000.0;

  // So many seconds, of which the frame loop is given real time for some turns.
  std::vector<std::string> pass(double seconds) {
    std::vector<std::string> all;
    for (double end = now + seconds; now < end; now += 0.1) {
      report.turn(*desk.session, desk.session->turns(), now);
      for (std::string& message : manager.heard()) all.push_back(std::move(message));
      sleep_seconds(0.0005);
    }
    return all;
  }
  bool turns_on() {
    const std::uint64_t before = desk.session->turns();
    return desk.until([&] { return desk.session->turns() > before + 1; });
  }
};

int count(const std::vector<std::string>& messages, const std::string& field) {
  int found = 0;
  for (const std::string& message : messages) {
    found += ("\n" + message + "\n").find("\n" + field + "\n") != std::string::npos ? 1 : 0;
  }
  return found;
}

TEST_CASE("it is ready once, alive again and again, and says when it stops") {
  Service service;
  REQUIRE(service.turns_on());
  const auto first = service.pass(0.05);
  REQUIRE(first.size() == 1);
  CHECK(count(first, "READY=1") == 1);
  CHECK(count(first, "WATCHDOG=1") == 1);
  const auto later = service.pass(10 * kWatchdog);
  CHECK(count(later, "READY=1") == 0);
  CHECK(count(later, "WATCHDOG=1") >= 20);  // twice within each of the watchdog's times
  CHECK(later.size() <= 40);                // and not with every turn
  service.report.stopping();
  CHECK(count(service.manager.heard(), "STOPPING=1") == 1);
}

TEST_CASE("it is not ready before the loop has turned") {
  const TemporaryFolder folder;
  FakeManager manager(folder.path("notify"));
  const Desk desk(folder.path("state"));
  ServiceReport report(NotifySocket(manager.address()), kWatchdog);
  report.turn(*desk.session, 0, 1000.0);
  report.turn(*desk.session, 0, 2000.0);
  CHECK(manager.heard().empty());
  report.turn(*desk.session, 1, 2000.1);
  CHECK(count(manager.heard(), "READY=1") == 1);
}

TEST_CASE("a frame loop that is stuck no longer feeds the watchdog; going on, it does again") {
  Service service;
  REQUIRE(service.turns_on());
  CHECK(count(service.pass(kWatchdog), "WATCHDOG=1") >= 1);
  {
    // The camera's driver does not come back: capture() waits for this lock.
    const std::lock_guard<std::mutex> stuck(service.desk.hand->mutex);
    std::uint64_t turns = 0;
    REQUIRE(service.desk.until([&] {
      const std::uint64_t before = turns;
      turns = service.desk.session->turns();
      sleep_seconds(0.1);
      return turns == before && service.desk.session->turns() == before;
    }));
    service.pass(kWatchdog);  // what it did before it was stuck may be said once
    CHECK(service.pass(100 * kWatchdog).empty());
  }
  REQUIRE(service.turns_on());
  CHECK(count(service.pass(kWatchdog), "WATCHDOG=1") >= 1);
}

TEST_CASE("a camera that is gone is told, and does not stop the feeding") {
  Service service;
  service.desk.show("red", HandSource::Mode::kLost);
  REQUIRE(service.desk.until(
      [&] { return service.desk.session->state().source_status == SourceStatus::kLost; }));
  service.pass(kWatchdog);
  const auto messages = service.pass(10 * kWatchdog);
  CHECK(count(messages, "WATCHDOG=1") >= 20);
  REQUIRE_FALSE(messages.empty());
  CHECK(messages.back().find("STATUS=no picture, trying again") != std::string::npos);
}

TEST_CASE("without a watchdog only the status is sent") {
  Service service;
  ServiceReport report(NotifySocket(service.manager.address()), 0.0);
  REQUIRE(service.turns_on());
  report.turn(*service.desk.session, 1, 1000.0);
  report.turn(*service.desk.session, 2, 1001.0);
  report.turn(*service.desk.session, 3, 1010.0);
  const auto messages = service.manager.heard();
  CHECK(messages.size() == 2);
  CHECK(count(messages, "WATCHDOG=1") == 0);
}

TEST_CASE("the status is one line of what a person wants to know") {
  State state;
  state.source_uri = "csi://0";
  Moment moment;
  moment.answered_rate = 29.96;
  CHECK(status_line(state, moment) == "opening csi://0");
  state.source_status = SourceStatus::kRunning;
  CHECK(status_line(state, moment) == "30.0 frames a second, 0 classes; unknown");
  state.classes.resize(1);
  moment.answer = {1, "mug\nWATCHDOG=1", 0.9};  // a name cannot forge a field
  CHECK(status_line(state, moment) == "30.0 frames a second, 1 class; mug WATCHDOG=1");
  state.problems = {{"disk", true, "The disk is full."}};
  CHECK(status_line(state, moment) == "30.0 frames a second, 1 class; The disk is full.");
  state.source_status = SourceStatus::kLost;
  state.source_message = "it ended\nREADY=1";
  CHECK(status_line(state, moment) == "no picture, trying again: it ended READY=1");
}

}  // namespace
}  // namespace jackdaw::live::testing
