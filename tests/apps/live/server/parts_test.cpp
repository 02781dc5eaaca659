// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "device/sensors.hpp"
#include "jackdaw/error.hpp"
#include "live/server/body_fields.hpp"
#include "live/server/metrics.hpp"
#include "live/server/page_files.hpp"
#include "live/server/routes.hpp"
#include "live/server/stream.hpp"
#include "live/server/views.hpp"
#include "live/server/worker.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

Bytes bytes(const std::string& text) { return std::make_shared<const std::string>(text); }

std::string taken(Stream& stream, std::size_t most) {
  std::string buffer(most, '\0');
  buffer.resize(stream.take(buffer.data(), most));
  return buffer;
}

TEST_CASE("a path has its methods, and nothing but whole numbers for ID") {
  CHECK(match_route("PATCH", "/api/classes/3").endpoint->action == Action::kRename);
  CHECK(match_route("PATCH", "/api/classes/3").id == 3);
  CHECK(match_route("HEAD", "/api/state").endpoint->action == Action::kState);
  CHECK(match_route("POST", "/api/state").endpoint == nullptr);
  CHECK(match_route("POST", "/api/state").allow == "GET, HEAD");
  CHECK(match_route("GET", "/api/state-file").allow == "GET, HEAD, POST");
  CHECK(match_route("GET", "/api").allow.empty());
  CHECK(match_route("POST", "/api/bursts/18446744073709551615/move").id ==
        std::numeric_limits<std::uint64_t>::max());
  for (const char* id :
       {"0", "01", "", "+1", "-1", "1 ", "a", "18446744073709551616", "99999999999999999999999"}) {
    CAPTURE(std::string(id));
    CHECK(match_route("PATCH", "/api/classes/" + std::string(id)).allow.empty());
  }
  CHECK(parse_id("255", 255) == 255);
  CHECK(parse_id("256", 255) == 0);
}

TEST_CASE("fields are read with their type and range, and none is left over") {
  BodyFields body(R"({"class": 4294967295, "seconds": 1, "name": "кружка"})");
  CHECK(body.whole("class", 1, 4294967295) == 4294967295);
  CHECK(body.number("seconds", 0.0, 60.0) == 1.0);
  CHECK_THROWS_AS(body.done(), BadRequest);
  CHECK(body.name("name") == "кружка");
  CHECK_NOTHROW(body.done());
  CHECK_FALSE(body.has("burst"));
  CHECK_THROWS_WITH(body.whole("class", 1, 9),
                    "The field \"class\" must be a whole number from 1 to 9.");
  CHECK_THROWS_WITH(body.number("seconds", 0.0, 0.5),
                    "The field \"seconds\" must be a number from 0 to 0.5.");
  CHECK_THROWS_WITH(body.name("seconds"), "The field \"seconds\" must be a text.");
  CHECK_THROWS_WITH(body.whole("burst", 1, 9), "The field \"burst\" is missing.");
  CHECK_NOTHROW(BodyFields("{\"a\": {\"b\": {\"c\": {}}}}"));
  CHECK_THROWS_WITH(BodyFields("{\"a\": {\"b\": {\"c\": {\"d\": {}}}}}"),
                    "The body is nested too deeply.");
  CHECK_THROWS_WITH(BodyFields(std::string_view("{}\0{}", 5)),
                    "The body is not JSON: something is wrong at byte 3.");
}

TEST_CASE("what is shown is JSON whatever names and numbers hold") {
  State state;
  ClassCard card;
  card.id = 1;
  card.name = "\xff\"<\n";
  state.classes.push_back(card);
  state.state_folder = "/\xfe";
  state.region = Region{std::numeric_limits<double>::quiet_NaN(), 0.0, 1.0, 1.0};
  const auto json = nlohmann::json::parse(state_json(state));
  CHECK(json["classes"][0]["name"] == "\xef\xbf\xbd\"<\n");
  CHECK(json["region"]["x"] == 0.0);
  CHECK(state_json(state).find('\n') == std::string::npos);  // an event's data is one line
  Moment moment;
  moment.answered_rate = std::numeric_limits<double>::infinity();
  CHECK(nlohmann::json::parse(moment_json(moment))["rate"]["answered"] == 0.0);
  CHECK(nlohmann::json::parse(moment_json(moment))["raw"].is_null());
}

TEST_CASE("a stream sends what is begun to its end, and then only the newest") {
  Stream stream(Stream::Kind::kEvents);
  CHECK(stream.empty());
  CHECK(taken(stream, 10).empty());
  stream.offer(Stream::Slot::kMoment, bytes("m1-long"));
  CHECK(taken(stream, 2) == "m1");
  stream.offer(Stream::Slot::kMoment, bytes("m2"));
  stream.offer(Stream::Slot::kMoment, bytes("m3"));
  stream.offer(Stream::Slot::kState, bytes("s1"));
  CHECK(taken(stream, 100) == "-longs1m3");
  CHECK(stream.empty());
}

TEST_CASE("events and parts are framed as their readers expect") {
  CHECK(*event_bytes(7, "moment", "{}") == "id: 7\nevent: moment\ndata: {}\n\n");
  CHECK(event_heartbeat()->front() == ':');
  CHECK(*picture_hello() + *picture_part("JPEG") ==
        "--jackdaw-frame\r\nContent-Type: image/jpeg\r\nContent-Length: "
        "4\r\n\r\nJPEG\r\n--jackdaw-frame\r\n");
}

TEST_CASE("a worker's queue is bounded, and what it cannot do any more it gives up") {
  std::promise<void> gate;
  const std::shared_future<void> opened = gate.get_future().share();
  std::atomic<int> ran{0}, given_up{0}, started{0};
  {
    Worker worker(2);
    const auto task = [&] {
      return Worker::Task{[&] {
                            ++started;
                            opened.wait();
                            ++ran;
                          },
                          [&] { ++given_up; }};
    };
    REQUIRE(worker.submit(task()));
    while (started == 0) std::this_thread::yield();
    CHECK(worker.submit(task()));
    CHECK(worker.submit(task()));
    CHECK_FALSE(worker.submit(task()));
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      gate.set_value();
    });
    worker.stop();
    opener.join();
    CHECK_FALSE(worker.submit(task()));
  }
  CHECK(ran == 1);
  CHECK(given_up == 2);
}

TEST_CASE("a page is what lies in the folder itself, and nothing else") {
  testing::TemporaryFolder folder;
  CHECK_THROWS_AS(PageFiles(folder.path("none")), SettingsError);
  CHECK_THROWS_AS(PageFiles(folder.path()), SettingsError);
  write(folder.path("index.html"), "index");
  write(folder.path("app.js"), "script");
  write(folder.path("notes.txt"), "notes");
  write(folder.path(".hidden.js"), "hidden");
  write(folder.path("inner/x.js"), "inner");
  const PageFiles page(folder.path());
  write(folder.path("index.html"), "changed later");
  CHECK(*page.find("/")->body == "index");
  CHECK(page.find("/index.html")->body == page.find("/")->body);
  CHECK(std::string(page.find("/app.js")->content_type) == "text/javascript; charset=utf-8");
  for (const char* path :
       {"", "index.html", "/notes.txt", "/.hidden.js", "/inner/x.js", "/../index.html", "//"}) {
    CAPTURE(std::string(path));
    CHECK(page.find(path) == nullptr);
  }
}

TEST_CASE("a Jetson's sensors are read, and what is broken is left out") {
  testing::TemporaryFolder root;
  const std::string thermal = root.path("sys/class/thermal/"),
                    cpu = root.path("sys/devices/system/cpu/cpufreq/");
  write(thermal + "thermal_zone0/type", "cpu-thermal\n");
  write(thermal + "thermal_zone0/temp", "48500\n");
  write(thermal + "thermal_zone10/type", "tj-thermal\n");
  write(thermal + "thermal_zone10/temp", "-1500\n");
  write(thermal + "thermal_zone2/temp", "51000\n");        // no type
  write(thermal + "thermal_zone3/type", "gpu-thermal\n");  // no temp: switched off
  write(thermal + "thermal_zone4/temp", "hot\n");
  write(thermal + "cooling_device0/type", "pwm-fan\n");
  write(thermal + "cooling_device0/cur_state", "2\n");
  write(thermal + "cooling_device0/max_state", "4\n");
  write(cpu + "policy0/cpuinfo_max_freq", "1510400\n");
  write(cpu + "policy0/scaling_max_freq", "1113600\n");
  write(root.path("var/lib/nvpmodel/status"), "pmode:0002\n");
  write(root.path("etc/nvpmodel.conf"),
        "# < POWER_MODEL ID=2 NAME=OLD >\n< POWER_MODEL ID=0 NAME=15W >\n< POWER_MODEL ID=2 "
        "NAME=MAXN_SUPER >\n");
  const device::DeviceSensors sensors = device::read_sensors(root.path());
  REQUIRE(sensors.zones.size() == 3);
  CHECK(sensors.zones[0].name == "cpu-thermal");
  CHECK(sensors.zones[0].celsius == 48.5);
  CHECK(sensors.zones[1].name == "thermal_zone2");
  CHECK(sensors.zones[2].celsius == -1.5);
  REQUIRE(sensors.coolers.size() == 1);
  CHECK(sensors.coolers[0].state == 2.0);
  REQUIRE(sensors.clocks.size() == 1);
  CHECK(sensors.clocks[0].allowed_hertz == 1.1136e9);
  REQUIRE(sensors.power_mode);
  CHECK(sensors.power_mode->number == 2);
  CHECK(sensors.power_mode->name == "MAXN_SUPER");

  const std::string text = metrics_text({}, {}, {}, sensors);
  for (const char* line : {"jackdaw_temperature_celsius{zone=\"cpu-thermal\",index=\"0\"} 48.5\n",
                           "jackdaw_cooling_ratio{device=\"pwm-fan\",index=\"0\"} 0.5\n",
                           "jackdaw_cpu_limited{policy=\"policy0\"} 1\n",
                           "jackdaw_power_mode{name=\"MAXN_SUPER\"} 2\n"}) {
    CAPTURE(std::string(line));
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("a machine without sensors has none") {
  testing::TemporaryFolder root;
  const device::DeviceSensors sensors = device::read_sensors(root.path());
  CHECK(sensors.zones.empty());
  CHECK_FALSE(sensors.power_mode);
  CHECK(metrics_text({}, {}, {}, sensors).find("temperature") == std::string::npos);
}

}  // namespace
}  // namespace jackdaw::live
