// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "apps/replay/synthetic.hpp"
#include "jackdaw/error.hpp"
#include "replay/draw.hpp"
#include "replay/schedule.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

struct World {
  std::vector<std::string> classes;
  std::vector<std::uint32_t> labels;
  std::vector<std::vector<std::uint32_t>> pictures;

  World(std::size_t count, std::size_t each) {
    for (std::size_t c = 0; c < count; ++c) {
      classes.push_back("c" + std::to_string(c));
      labels.insert(labels.end(), each, static_cast<std::uint32_t>(c));
    }
    pictures = by_class(labels, count);
  }

  Stream draw(const std::string& name, std::uint32_t batches, std::uint32_t size,
              std::uint64_t seed = testing::seed(), const std::string& superclasses = "") const {
    return make_schedule(name, {superclasses})->draw({classes, pictures, batches, size, seed});
  }

  std::set<std::uint32_t> met(const Stream& stream, std::size_t first, std::size_t end) const {
    std::set<std::uint32_t> out;
    for (std::size_t b = first; b < end; ++b) {
      for (const std::uint32_t picture : stream.batch(b)) out.insert(labels[picture]);
    }
    return out;
  }
};

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST_CASE("5way teaches five pairs of classes, one after the other, in 1000 batches") {
  const World world(10, 50);
  const Stream stream = world.draw("5way", 1000, 12);
  REQUIRE(stream.batches() == 1000);
  REQUIRE(stream.tasks.size() == 5);
  std::set<std::uint32_t> all;
  for (std::size_t t = 0; t < 5; ++t) {
    const auto met = world.met(stream, 200 * t, 200 * (t + 1));
    CHECK(met == std::set<std::uint32_t>(stream.tasks[t].begin(), stream.tasks[t].end()));
    CHECK(met.size() == 2);
    all.insert(met.begin(), met.end());
  }
  CHECK(all.size() == 10);
  for (std::size_t b = 0; b < 1000; ++b) REQUIRE(stream.batch(b).size() == 12);
}

TEST_CASE("the same seed gives the same stream, another one another partition") {
  const World world(10, 50);
  for (const char* name : {"iid", "5way", "10way", "gaussian", "lowdata", "shots:5", "unequal"}) {
    CAPTURE(std::string(name));
    const Stream a = world.draw(name, 200, 4), b = world.draw(name, 200, 4);
    CHECK(a.pictures == b.pictures);
    CHECK(a.ends == b.ends);
    CHECK(a.tasks == b.tasks);
    CHECK(world.draw(name, 200, 4, testing::seed() + 1).pictures != a.pictures);
  }
}

TEST_CASE("streams are the same bits on every machine") {
  const World world(4, 5);
  const auto first = [&](const char* name) {
    const Stream s = world.draw(name, 8, 2, 7);
    return std::vector<std::uint32_t>(s.pictures.begin(), s.pictures.begin() + 8);
  };
  // Written down once; whatever changes them changes everybody's results.
  CHECK(first("iid") == std::vector<std::uint32_t>{3, 14, 5, 18, 2, 5, 5, 3});
  CHECK(first("4way") == std::vector<std::uint32_t>{8, 9, 5, 8, 12, 10, 10, 13});
  CHECK(first("gaussian") == std::vector<std::uint32_t>{9, 7, 8, 7, 11, 10, 11, 12});
}

TEST_CASE("fewer batches shorten every part in proportion") {
  const World world(10, 50);
  const Stream stream = world.draw("5way", 57, 8);
  REQUIRE(stream.batches() == 57);
  for (std::size_t t = 0; t < 5; ++t) {
    const std::size_t first = 57 * t / 5, end = 57 * (t + 1) / 5;
    CHECK(world.met(stream, first, end).size() == 2);
  }
}

TEST_CASE("every picture of the current classes is as likely as any other") {
  const World world(4, 25);
  const Stream stream = world.draw("iid", 1000, 100);
  std::vector<int> count(100, 0);
  for (const std::uint32_t picture : stream.pictures) ++count[picture];
  // 1000 expected, deviation 31.5: seven deviations.
  for (const int n : count) CHECK(std::abs(n - 1000) < 220);
}

TEST_CASE("gaussian: each class comes around its peak, peaks are spaced evenly") {
  const World world(10, 20);
  std::vector<double> sum(10, 0.0), mean(10, 0.0);
  for (std::uint64_t run = 0; run < 20; ++run) {
    const Stream stream = world.draw("gaussian", 1000, 4, testing::seed() + run);
    REQUIRE(stream.batches() == 1000);
    REQUIRE(stream.tasks.size() == 10);
    std::map<std::uint32_t, std::size_t> position;
    for (std::size_t i = 0; i < 10; ++i) position[stream.tasks[i].at(0)] = i;
    for (std::size_t b = 0; b < 1000; ++b) {
      CHECK(world.met(stream, b, b + 1).size() >= 1);
      for (const std::uint32_t picture : stream.batch(b)) {
        const std::size_t i = position[world.labels[picture]];
        sum[i] += 1.0;
        mean[i] += static_cast<double>(b);
        CHECK(std::abs(static_cast<double>(b) - (100.0 * static_cast<double>(i) + 50.0)) < 320.0);
      }
    }
  }
  for (std::size_t i = 0; i < 10; ++i) {
    // Near both ends a class has no neighbour on one side and takes more of the batches there.
    CHECK(std::abs(mean[i] / sum[i] - (100.0 * static_cast<double>(i) + 50.0)) < 30.0);
  }
}

TEST_CASE("gaussian goes on with a hundred classes and with few batches") {
  const World world(100, 3);
  CHECK(world.draw("gaussian", 1000, 2).batches() == 1000);
  CHECK(world.draw("gaussian", 57, 2).batches() == 57);
}

TEST_CASE("shots give each class that many pictures, none twice, one class after the other") {
  const World world(6, 10);
  const Stream stream = world.draw("shots:5", 0, 2);
  CHECK(stream.batches() == 6 * 3);  // 2 + 2 + 1 a class
  CHECK(stream.pictures.size() == 30);
  CHECK(std::set<std::uint32_t>(stream.pictures.begin(), stream.pictures.end()).size() == 30);
  for (std::size_t b = 0; b < stream.batches(); ++b) CHECK(world.met(stream, b, b + 1).size() == 1);
  CHECK(world.draw("shots:50", 0, 2).pictures.size() == 60);  // there are no more
}

TEST_CASE("unequal gives ten classes ten very different numbers") {
  const World world(10, 1200);
  const Stream stream = world.draw("unequal", 0, 48);
  std::vector<std::size_t> count(10, 0);
  for (const std::uint32_t picture : stream.pictures) ++count[world.labels[picture]];
  std::sort(count.begin(), count.end());
  CHECK(count == std::vector<std::size_t>{5, 5, 10, 20, 50, 100, 200, 500, 1000, 1000});
}

TEST_CASE("20way goes by superclass where the file knows every class") {
  testing::TemporaryFolder folder;
  write(folder.path("s.json"),
        R"({"superclasses": {"even": ["c0", "c2", "c4"], "odd": ["c1", "c3", "c5"]}})");
  const World six(6, 4), eight(8, 4);
  const auto schedule = make_schedule("2way", {folder.path("s.json")});
  CHECK(schedule->grouping(six.classes) == "superclass");
  CHECK(schedule->grouping(eight.classes) == "random");
  Stream stream = schedule->draw({six.classes, six.pictures, 10, 4, testing::seed()});
  std::sort(stream.tasks.begin(), stream.tasks.end());
  CHECK(stream.tasks == std::vector<std::vector<std::uint32_t>>{{0, 2, 4}, {1, 3, 5}});
}

TEST_CASE("a schedule of the user's own: parts, recorded order, shortening") {
  testing::TemporaryFolder folder;
  const std::string path = folder.path("day.json");
  write(path, R"({"jackdaw_schedule": 1, "batch_size": 3, "parts": [
    {"classes": ["c1"], "batches": 2, "order": "recorded"},
    {"classes": ["c0", "c2"], "batches": 4},
    {"classes": ["c1"], "batches": 2, "order": "recorded"}]})");
  const World world(3, 10);
  const auto schedule = make_schedule("file:" + path, {});
  CHECK(schedule->full_batches() == 8);
  CHECK(schedule->batch_size() == 3);
  CHECK(schedule->least_batches(3) == 3);
  const Stream stream = schedule->draw({world.classes, world.pictures, 8, 3, testing::seed()});
  REQUIRE(stream.batches() == 8);
  std::vector<std::uint32_t> recorded;
  for (const std::size_t b : {0U, 1U, 6U, 7U}) {
    for (const std::uint32_t picture : stream.batch(b)) recorded.push_back(picture);
  }
  std::vector<std::uint32_t> expected(10);  // the last batch has but one picture left
  std::iota(expected.begin(), expected.end(), 10U);
  CHECK(recorded == expected);
  CHECK(world.met(stream, 2, 6) == std::set<std::uint32_t>{0, 2});
  const Stream half = schedule->draw({world.classes, world.pictures, 4, 3, testing::seed()});
  CHECK(half.batches() == 4);
  CHECK(world.met(half, 1, 3).count(1) == 0);
  CHECK(world.met(half, 3, 4) == std::set<std::uint32_t>{1});
}

void refuses(const std::string& name, const std::string& word) {
  CAPTURE(name);
  const World world(3, 4);
  try {
    static_cast<void>(world.draw(name, 10, 2));
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
}

TEST_CASE("schedules that cannot be had are refused with what is wrong") {
  testing::TemporaryFolder folder;
  for (const char* name : {"", "way", "0way", "-1way", "5 way", "shots:", "shots:0", "sometimes"}) {
    refuses(name, "there is no schedule");
  }
  refuses("5way", "5");  // of three classes
  const auto file = [&](const std::string& text) {
    write(folder.path("s.json"), text);
    return "file:" + folder.path("s.json");
  };
  refuses("file:" + folder.path("none.json"), "none.json");
  refuses(file("{"), "not a schedule");
  refuses(file("[]"), "not a schedule");
  refuses(file(R"({"jackdaw_schedule": 2, "parts": []})"), "jackdaw_schedule");
  refuses(file(R"({"jackdaw_schedule": 1, "parts": []})"), "no parts");
  refuses(file(R"({"jackdaw_schedule": 1, "parts": [{"classes": [], "batches": 1}]})"), "no class");
  refuses(file(R"({"jackdaw_schedule": 1, "parts": [{"classes": ["c0"], "batches": -1}]})"),
          "batches");
  refuses(file(R"({"jackdaw_schedule": 1, "parts": [{"classes": ["dog"], "batches": 1}]})"),
          "\"dog\"");
  refuses(file(R"({"jackdaw_schedule": 1, "parts": [
             {"classes": ["c0", "c1"], "batches": 1, "order": "recorded"}]})"),
          "give one");
  const auto part = [&](const std::string& fields) {
    return file(R"({"jackdaw_schedule": 1, "parts": [{"classes": ["c0"], )" + fields + "}]}");
  };
  refuses(part(R"("batches": 1.7)"), "1.7");
  refuses(part(R"("batches": 1, "ordr": "recorded")"), "\"ordr\"");
  refuses(part(R"("batches": 1000001)"), "1000000");
  for (const char* size : {"0", "1.5", "4097", "\"8\""}) {
    refuses(file(std::string(R"({"jackdaw_schedule": 1, "batch_size": )") + size +
                 R"(, "parts": [{"classes": ["c0"], "batches": 1}]})"),
            "batch_size");
  }
  refuses("file:", "names no file");
  // Shortened to ten batches: nothing would be left of the first part.
  refuses(file(R"({"jackdaw_schedule": 1, "parts": [{"classes": ["c0"], "batches": 1},
               {"classes": ["c1"], "batches": 1000}, {"classes": ["c2"], "batches": 1}]})"),
          "gets none");
}

TEST_CASE("portable_exp is exp") {
  for (double x = 0.0; x > -40.0; x -= 0.37) {
    CHECK(portable_exp(x) == doctest::Approx(std::exp(x)).epsilon(1e-12));
  }
  CHECK(portable_exp(-1e9) == 0.0);
}

}  // namespace
}  // namespace jackdaw::replay
