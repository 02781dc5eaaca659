// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <filesystem>

#include "stand_ins.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live::testing {
namespace {

using jackdaw::testing::TemporaryFolder;

std::string state_in(const TemporaryFolder& folder) { return folder.path() + "/state"; }

TEST_CASE("what is taught is known, what is not is unknown") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder));
  CHECK(desk.until([&] { return desk.session->moment().answered > 3; }));
  CHECK(desk.answer().empty());
  desk.teach("red");
  desk.teach("green");
  CHECK(desk.sees("red", "red"));
  CHECK(desk.sees("green", "green"));
  CHECK(desk.sees("blue", ""));
  const Moment moment = desk.session->moment();
  double sum = moment.unknown;
  for (const Guess& guess : moment.ranked) sum += guess.confidence;
  CHECK(sum == doctest::Approx(1.0).epsilon(0.001));
  CHECK(moment.answered_rate > 1.0);
  CHECK(desk.session->thumbnail(desk.card("red")->id) != nullptr);
  CHECK(desk.session->picture() != nullptr);
}

TEST_CASE("a burst is taken back as a whole, or was another class") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder), 3);
  desk.teach("red");
  const std::uint64_t wrong = desk.teach("green");
  const std::int64_t before = desk.card("red")->lessons;
  CHECK(desk.burst(wrong)->lessons == desk.burst(wrong)->frames * 4);  // three variations each

  REQUIRE(desk.session->undo(0).id == wrong);
  CHECK(desk.card("green")->lessons == 0);
  CHECK(desk.card("red")->lessons == before);
  CHECK(desk.burst(wrong) == nullptr);
  CHECK(desk.sees("green", ""));

  const std::uint64_t again = desk.teach("green");
  const std::int64_t lessons = desk.card("green")->lessons;
  REQUIRE(desk.session->move(again, desk.card("red")->id).outcome == Outcome::kOk);
  CHECK(desk.card("green")->lessons == 0);
  CHECK(desk.card("red")->lessons == before + lessons);
  CHECK(desk.sees("green", "red"));
  CHECK(desk.session->undo(again).outcome == Outcome::kOk);
  CHECK(desk.card("red")->lessons == before);
}

TEST_CASE("undo while variations are waiting leaves none of them behind") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder), 16);
  const std::uint32_t id = desk.make("red");
  const Reply reply = desk.session->teach(id, 0.05);
  REQUIRE(desk.until([&] { return desk.burst(reply.id) != nullptr; }));
  REQUIRE(desk.session->undo(reply.id).outcome == Outcome::kOk);
  const std::uint64_t frame = desk.session->moment().frame;
  REQUIRE(desk.until([&] { return desk.session->moment().frame > frame + 5; }));
  CHECK(desk.card("red")->lessons == 0);
}

TEST_CASE("classes are renamed and forgotten; ids are not given twice") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder));
  desk.teach("red");
  const std::uint32_t id = desk.card("red")->id;
  CHECK(desk.session->rename(id, "scarlet").outcome == Outcome::kOk);
  CHECK(desk.card("scarlet")->id == id);
  CHECK(desk.sees("red", "scarlet"));
  CHECK(desk.session->add_class("scarlet").outcome == Outcome::kConflict);
  CHECK(desk.session->rename(id, "").outcome == Outcome::kBadRequest);
  CHECK(desk.session->rename(99, "x").outcome == Outcome::kNotFound);
  CHECK(desk.session->forget(id).outcome == Outcome::kOk);
  CHECK(desk.session->thumbnail(id) == nullptr);
  CHECK(desk.sees("red", ""));
  CHECK(desk.make("red") != id);
  for (int i = 2; i <= 6; ++i) desk.make("class " + std::to_string(i));
  CHECK(desk.session->add_class("one too many").outcome == Outcome::kFull);
}

TEST_CASE("what was taught is there again, with its pictures and what can be undone") {
  const TemporaryFolder folder;
  std::int64_t lessons = 0;
  {
    Desk desk(state_in(folder), 2);
    desk.teach("red");
    desk.teach("green");
    lessons = desk.card("green")->lessons;
    CHECK(desk.session->set_region(Region{0.0, 0.0, 1.0, 0.75}).outcome == Outcome::kOk);
    CHECK(desk.session->set_region(Region{0.0, 0.0, 1.0, 1.0}).outcome == Outcome::kOk);
  }
  Desk desk(state_in(folder), 2);
  REQUIRE(desk.card("green") != nullptr);
  CHECK(desk.card("green")->lessons == lessons);
  REQUIRE(desk.session->state().region.has_value());
  CHECK(desk.session->state().region->height == 1.0);
  CHECK(desk.session->thumbnail(desk.card("green")->id) != nullptr);
  CHECK(desk.sees("red", "red"));
  CHECK(desk.sees("green", "green"));
  CHECK(desk.session->undo(0).outcome == Outcome::kOk);
  CHECK(desk.card("green")->lessons == 0);
}

TEST_CASE("a camera that is gone or frozen is said, and nothing is learned from it") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder));
  const std::uint32_t id = desk.make("red");
  desk.show("red", HandSource::Mode::kLost);
  REQUIRE(desk.until([&] { return desk.session->state().source_status == SourceStatus::kLost; }));
  CHECK(desk.session->state().problems.at(0).id == "camera-lost");
  CHECK(desk.session->state().problems.at(0).text == "The camera is gone.");
  CHECK(desk.session->teach(id, 0.1).outcome == Outcome::kConflict);

  desk.show("red", HandSource::Mode::kFrozen);
  REQUIRE(desk.until([&] { return desk.session->state().source_status == SourceStatus::kFrozen; }));
  const std::int64_t before = desk.card("red")->lessons;
  CHECK(desk.session->teach(id, 0.5).outcome == Outcome::kConflict);
  const std::uint64_t frame = desk.session->moment().frame;
  REQUIRE(desk.until([&] { return desk.session->moment().frame > frame + 20; }));
  CHECK(desk.card("red")->lessons == before);

  desk.show("red");
  REQUIRE(
      desk.until([&] { return desk.session->state().source_status == SourceStatus::kRunning; }));
  CHECK(desk.session->state().problems.empty());
}

TEST_CASE("only the region counts") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder));
  for (const Region bad : {Region{-0.1, 0, 0.5, 0.5}, Region{0.6, 0, 0.5, 0.5},
                           Region{0, 0, 0.001, 1}, Region{0, 0, 0.0 / 0.0, 1}}) {
    CHECK(desk.session->set_region(bad).outcome == Outcome::kBadRequest);
  }
  CHECK(desk.session->set_region(Region{0.0, 0.0, 0.5, 0.5}).outcome == Outcome::kOk);
  desk.teach("red");
  CHECK(desk.session->state().region->width == 0.5);
  CHECK(desk.session->set_region(Region{0.5, 0.5, 0.5, 0.5}).outcome == Outcome::kOk);
  CHECK(desk.until([&] { return desk.answer().empty(); }));  // another quarter looks different
  CHECK(desk.session->set_region(Region{0.0, 0.0, 0.5, 0.5}).outcome == Outcome::kOk);
  CHECK(desk.until([&] { return desk.answer() == "red"; }));
  CHECK(desk.session->set_region(std::nullopt).outcome == Outcome::kOk);
}

TEST_CASE("pictures from outside are taught, asked about, or refused") {
  const TemporaryFolder folder;
  Desk desk(state_in(folder));
  const std::uint32_t id = desk.make("blue");
  const std::string file = picture_file("blue");
  for (int i = 0; i < 5; ++i) {
    const Reply reply = desk.session->teach_picture(id, bytes_of(file));
    REQUIRE_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
    CHECK(desk.until([&] { return desk.burst(reply.id)->durable; }));
  }
  Moment moment;
  REQUIRE(desk.session->predict_picture(bytes_of(file), moment).outcome == Outcome::kOk);
  CHECK(moment.answer.name == "blue");
  CHECK(desk.session->predict_picture(bytes_of("nonsense"), moment).outcome ==
        Outcome::kBadRequest);
  CHECK(desk.session->teach_picture(77, bytes_of(file)).outcome == Outcome::kNotFound);
  CHECK(desk.session->teach_picture(id, bytes_of(file.substr(0, file.size() / 2))).outcome ==
        Outcome::kBadRequest);
}

TEST_CASE("taught pictures are kept as class folders") {
  const TemporaryFolder folder;
  const std::string record = folder.path() + "/record";
  {
    Desk desk(state_in(folder), 0, "grid", record);
    desk.show("red");
    const std::uint32_t id = desk.make("../a b/é");
    const Reply reply = desk.session->teach(id, 10.0);
    REQUIRE(desk.until([&] { return desk.burst(reply.id) && desk.burst(reply.id)->frames >= 3; }));
  }
  namespace fs = std::filesystem;
  const fs::path kept = fs::path(record) / "train" / "%2E%2E%2Fa%20b%2Fé";
  REQUIRE(fs::is_directory(kept));
  const auto pictures = std::distance(fs::directory_iterator(kept), fs::directory_iterator());
  CHECK(pictures >= 3);
}

}  // namespace
}  // namespace jackdaw::live::testing
