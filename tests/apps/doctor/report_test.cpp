// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "doctor/allocation_count.hpp"
#include "doctor/doctor.hpp"

namespace jackdaw::doctor {
namespace {

Finding fine(const DoctorOptions&) { return ok("all of /home/ada/x", {{"at", "10.0.0.7"}}); }
Finding broken(const DoctorOptions&) { throw std::runtime_error("it broke"); }

}  // namespace

TEST_CASE("doctor: what does not belong into an issue is taken out") {
  const Redaction r("/srv/ada", "ada", "orin-7");
  CHECK(r.clean("/srv/ada/state and /home/bob/x") == "~/state and ~/x");
  CHECK(r.clean("rtsp://me:secret@192.168.1.7:554/s") == "rtsp://(address)/s");
  CHECK(r.clean("at 192.168.1.7, fe80::1 and 1:2:3:4:5:6:7:8") ==
        "at (address), (address) and (address)");
  CHECK(r.clean("00:04:4b:aa:bb:cc") == "(address)");
  CHECK(r.clean("/data/ada/x by ada@orin-7") == "/data/(user)/x by (user)@(host)");
  CHECK(r.clean("CUDA 12.6, L4T 36.4.3, csi://0, v4l2:///dev/video0, Canada") ==
        "CUDA 12.6, L4T 36.4.3, csi://0, v4l2:///dev/video0, Canada");
  const Redaction long_name("", "", "orin-7.example.org");
  CHECK(long_name.clean("orin-7.example.org is orin-7, not orin-70") ==
        "(host) is (host), not orin-70");
  CHECK(Redaction("", "", "localhost.localdomain").clean("on localhost") == "on localhost");
}

TEST_CASE("doctor: a report has every check, also those that throw or are left out") {
  const std::vector<Check> checks{{"a", "g", "one", false, fine},
                                  {"b", "g", "two", false, broken},
                                  {"c", "h", "three", true, broken}};
  DoctorOptions options;
  options.quick = true;
  const Report report = examine(options, checks, Redaction("", "", ""), {});
  CHECK(report.count(Outcome::kFailed) == 1);
  const auto json = nlohmann::json::parse(report_json(report));
  CHECK(json["counts"]["not_run"] == 1);
  CHECK(json["findings"][0]["text"] == "all of ~/x");
  CHECK(json["findings"][0]["facts"]["at"] == "(address)");
  CHECK(json["findings"][1]["text"] == "it broke");
  CHECK(report_text(report).find("1 ok, 0 warnings, 1 failed, 1 not run") != std::string::npos);
}

TEST_CASE("doctor: allocations are counted, and only while asked to") {
  auto before = std::make_unique<int>(1);
  const AllocationCount count;
  CHECK(count.so_far() == 0);
  before = std::make_unique<int>(2);
  CHECK(count.so_far() == 1);
}

}  // namespace jackdaw::doctor
