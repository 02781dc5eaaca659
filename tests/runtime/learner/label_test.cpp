// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What may be the name of a class.
#include "jackdaw/label.hpp"

#include <string>

#include "learner/registry.hpp"
#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

using namespace std::string_literals;

TEST_CASE("Well-formed UTF-8 of 1 to 63 bytes without control characters is a label") {
  const std::string good[] = {"a",
                              " ",
                              "~",
                              "mug",
                              "Gr\xC3\xB6\xC3\x9F"
                              "e",
                              "\xC2\xA0",  // U+00A0, the first after the controls
                              "\xDF\xBF",  // U+07FF
                              "\xE0\xA0\x80",
                              "\xED\x9F\xBF",
                              "\xEE\x80\x80",
                              "\xEF\xBF\xBF",  // U+0800 D7FF E000 FFFF
                              "\xF0\x90\x80\x80",
                              "\xF4\x8F\xBF\xBF",  // U+10000 10FFFF
                              "\xE2\x98\x95 and \xF0\x9F\x90\xA6",
                              std::string(63, 'x'),
                              std::string(61, 'x') + "\xC3\xB6",
                              std::string(60, 'x') + "\xE2\x98\x95"};
  for (const std::string& text : good) {
    CAPTURE(text);
    CHECK(Label(text).text() == text);
  }
}

TEST_CASE("Anything else is no label") {
  const std::string bad[] = {"",
                             std::string(64, 'x'),
                             std::string(200, 'x'),
                             std::string(300, 'x'),
                             std::string(62, 'x') + "\xC3\xB6",  // 64 bytes, 63 characters
                             "\0"s,
                             "a\0b"s,
                             "\x1F",
                             "tab\t",
                             "line\n",
                             "\x7F",
                             "\xC2\x80",
                             "\xC2\x9F",  // controls
                             "\x80",
                             "\xBF",
                             "a\x80",  // a continuation without a lead
                             "\xC0\xAF",
                             "\xC1\xBF",
                             "\xE0\x80\xAF",
                             "\xE0\x9F\xBF",
                             "\xF0\x80\x80\xAF",
                             "\xF0\x8F\xBF\xBF",
                             "\xED\xA0\x80",
                             "\xED\xBF\xBF",
                             "\xED\xAF\xBF\xED\xBF\xBF",  // surrogates
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xF8\x88\x80\x80\x80",
                             "\xFE",
                             "\xFF",
                             "\xC3",
                             "\xE2\x98",
                             "\xF0\x9F\x90",
                             "a\xC3",  // cut off
                             "\xC3"
                             "a",
                             "\xE2\x98"
                             "a",
                             "\xE2"
                             "a\x95",
                             "\xF0\x9F\x90"
                             "a",
                             "\xC3\xC3\xB6"};
  for (const std::string& text : bad) {
    CAPTURE(text);
    CHECK(Label(text).empty());
    CHECK(Label(text).text().empty());
  }
}

TEST_CASE("Labels are equal when their bytes are") {
  CHECK(Label("mug") == Label("mug"));
  CHECK(Label("mug") != Label("Mug"));
  CHECK(Label("mug") != Label("mug "));
  CHECK(Label("\xC3\xB6") != Label("o\xCC\x88"));  // both look like an umlaut; neither is changed
}

TEST_CASE(
    "The registry finds what was put in, by name and by identity, and gives the lowest free slot") {
  Registry registry(3);
  CHECK(registry.free_slot() == 0);
  registry.set(0, Label("a"), 10);
  registry.set(2, Label("b"), 0);  // an identity like that of a free slot
  CHECK(registry.free_slot() == 1);
  CHECK(registry.find(Label("b")) == 2);
  CHECK(registry.find(std::uint64_t{0}) == 2);
  CHECK(registry.find(std::uint64_t{11}) == Registry::kNone);
  CHECK(registry.find(Label()) == Registry::kNone);
  CHECK(registry.find(Label("c")) == Registry::kNone);
  registry.clear(0);
  CHECK(registry.find(Label("a")) == Registry::kNone);
  CHECK(registry.free_slot() == 0);
  CHECK_FALSE(registry.used(3));
}

TEST_CASE("Bad labels are refused by every call and change nothing") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0, 3);
  const Contents before = contents_of(learner);
  for (const std::string& bad : {""s, "\xFF"s, "a\nb"s, std::string(64, 'x')}) {
    CAPTURE(bad);
    CHECK(learner.teach(world.draw(1), bad) == Status::kBadLabel);
    CHECK(learner.move(1, bad) == Status::kBadLabel);
    CHECK(learner.add_class(bad) == Status::kBadLabel);
    CHECK(learner.rename(World::name(0), bad) == Status::kBadLabel);
    CHECK(learner.rename(bad, "other") == Status::kNoSuchClass);
    CHECK(learner.forget(bad) == Status::kNoSuchClass);
  }
  CHECK(contents_of(learner) == before);
}

TEST_CASE("A name belongs to one class only") {
  Learner learner(small());
  REQUIRE(learner.add_class("mug") == Status::kOk);
  REQUIRE(learner.add_class("jug") == Status::kOk);
  CHECK(learner.add_class("mug") == Status::kBadLabel);
  CHECK(learner.rename("mug", "jug") == Status::kBadLabel);
  CHECK(learner.rename("cup", "pot") == Status::kNoSuchClass);
  CHECK(learner.classes().size() == 2);
}

TEST_CASE("A label of 63 bytes works everywhere") {
  Learner learner(small());
  World world = small_world();
  const std::string longest(63, 'x');
  REQUIRE(learner.teach(world.draw(0), longest) == Status::kOk);
  REQUIRE(learner.rename(longest, std::string(63, 'y')) == Status::kOk);
  CHECK(answer_of(learner, world.draw(0)).best().label.text() == std::string(63, 'y'));
  CHECK(learner.recent().back().label.text() == std::string(63, 'y'));
}

}  // namespace
}  // namespace jackdaw::testing
