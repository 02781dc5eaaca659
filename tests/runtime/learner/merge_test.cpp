// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Two devices that started alike are merged into what one would be that was taught both streams.
#include "jackdaw/error.hpp"
#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

struct Lesson {
  std::vector<float> embedding;
  std::string label;
};

std::vector<Lesson> lessons(World& world, const std::vector<std::size_t>& classes, int count) {
  std::vector<Lesson> all;
  for (int i = 0; i < count; ++i) {
    const std::size_t c = classes[static_cast<std::size_t>(i) % classes.size()];
    all.push_back({world.draw(c), World::name(c)});
  }
  return all;
}

void teach_all(Learner& learner, const std::vector<Lesson>& all) {
  for (const Lesson& lesson : all)
    REQUIRE(learner.teach(lesson.embedding, lesson.label) == Status::kOk);
}

// The same state again, through bytes on no disk: an ancestor for two copies.
Learner copy_of(Learner& learner) {
  LearnerSettings settings = learner.settings();
  settings.folder.clear();
  Learner copy(settings);
  copy.core().take_over(learner.core());
  return copy;
}

// In profile seed a class's initial weights depend on its slot, so the reference opens its classes
// in the order in which the merged learner has them.
Learner reference(const Learner& merged, const std::vector<std::vector<Lesson>>& streams) {
  Learner learner(merged.settings());
  for (const ClassInfo& info : merged.classes()) {
    REQUIRE(learner.add_class(info.label.text()) == Status::kOk);
  }
  for (const std::vector<Lesson>& stream : streams) teach_all(learner, stream);
  return learner;
}

void check_equal(Learner& merged, const std::vector<std::vector<Lesson>>& streams) {
  Learner expected = reference(merged, streams);
  CHECK(contents_of(merged).same_knowledge(contents_of(expected)));
  CHECK(contents_of(merged).slots == contents_of(expected).slots);
  // And so are the answers, to the last bit.
  REQUIRE(expected.refresh() == Status::kOk);
  const std::vector<float>& query = streams.front().front().embedding;
  const Answer a = answer_of(merged, query);
  const Answer b = answer_of(expected, query);
  REQUIRE(a.ranked.size() == b.ranked.size());
  for (std::size_t i = 0; i < a.ranked.size(); ++i) {
    CHECK(a.ranked[i].label == b.ranked[i].label);
    CHECK(a.ranked[i].confidence == b.ranked[i].confidence);
  }
}

TEST_CASE("Merging equals teaching both streams: disjoint labels, the same labels, other slots") {
  for (const Profile profile : kProfiles) {
    for (const StoreType store : {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32}) {
      LearnerSettings settings = small(profile);
      settings.ensemble.store = store;
      const std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> cases = {
          {{0, 1, 2}, {3, 4, 5}},
          {{0, 1, 2}, {0, 1, 2}},
          {{0, 1, 2}, {2, 4, 1, 0}},
          {{0}, {5, 0, 3}}};
      for (const auto& [here, there] : cases) {
        World world = small_world(7);
        const std::vector<Lesson> first = lessons(world, here, 15);
        const std::vector<Lesson> second = lessons(world, there, 17);
        Learner a(settings);
        Learner b(settings);
        teach_all(a, first);
        teach_all(b, second);
        const Contents b_before = contents_of(b);
        a.merge(b);
        check_equal(a, {first, second});
        CHECK(contents_of(b) == b_before);
      }
    }
  }
}

TEST_CASE("What both have from a common ancestor is counted once") {
  for (const Profile profile : kProfiles) {
    World world = small_world(8);
    const std::vector<Lesson> common = lessons(world, {0, 1}, 10);
    const std::vector<Lesson> first = lessons(world, {1, 2}, 11);
    const std::vector<Lesson> second = lessons(world, {3, 0, 2}, 12);
    Learner ancestor(small(profile));
    teach_all(ancestor, common);
    Learner a = copy_of(ancestor);
    Learner b = copy_of(ancestor);
    teach_all(a, first);
    teach_all(b, second);
    const Contents before = contents_of(ancestor);
    a.merge(b, &ancestor);
    check_equal(a, {common, first, second});
    CHECK(contents_of(ancestor) == before);
  }
}

TEST_CASE("The ancestor's classes may have come to other slots") {
  for (const Profile profile : kProfiles) {
    World world = small_world(13);
    const std::vector<Lesson> common = lessons(world, {0, 1}, 10);
    const std::vector<Lesson> own = lessons(world, {5}, 4);
    const std::vector<Lesson> second = lessons(world, {0, 5, 1}, 9);
    Learner ancestor(small(profile));
    teach_all(ancestor, common);
    Learner a = copy_of(ancestor);
    Learner b(small(profile));
    teach_all(b, own);
    b.merge(ancestor);
    REQUIRE(contents_of(b).slots[World::name(0)] == 1);
    teach_all(b, second);
    a.merge(b, &ancestor);
    check_equal(a, {common, own, second});
  }
}

TEST_CASE("A merge with a state that learned nothing since the ancestor changes nothing") {
  for (const Profile profile : kProfiles) {
    World world = small_world(9);
    Learner ancestor(small(profile));
    teach_all(ancestor, lessons(world, {0, 1}, 8));
    Learner a = copy_of(ancestor);
    teach_all(a, lessons(world, {1, 2}, 5));
    const Contents before = contents_of(a);
    a.merge(ancestor, &ancestor);
    CHECK(contents_of(a).same_knowledge(before));
    Learner nothing(small(profile));
    a.merge(nothing);
    CHECK(contents_of(a).same_knowledge(before));
    nothing.merge(a);
    CHECK(contents_of(nothing).same_knowledge(before));
  }
}

TEST_CASE("What was undone since the ancestor stays undone after the merge") {
  World world = small_world(10);
  const std::vector<Lesson> common = lessons(world, {0, 1}, 6);
  const std::vector<Lesson> second = lessons(world, {0, 1}, 5);
  LearnerSettings settings = small();
  Learner ancestor(settings);
  teach_all(ancestor, common);
  Learner b = copy_of(ancestor);
  teach_all(b, second);
  Learner a(settings);  // the same start with its undo ring: the last common example is taken back
  a.core().take_over(ancestor.core());
  teach_all(a, {{common.back().embedding, common.back().label}});
  REQUIRE(a.undo(1) == Status::kOk);
  a.merge(b, &ancestor);
  check_equal(a, {common, second});
}

TEST_CASE("Spreads of classes that were forgotten are merged, too") {
  World world = small_world(11);
  Learner a(small());
  Learner b(small());
  teach_all(a, lessons(world, {0, 1}, 8));
  teach_all(b, lessons(world, {2, 3}, 8));
  REQUIRE(a.forget(World::name(0)) == Status::kOk);
  REQUIRE(b.forget(World::name(3)) == Status::kOk);
  const Contents before_a = contents_of(a);
  const Contents before_b = contents_of(b);
  a.merge(b);
  const Contents merged = contents_of(a);
  CHECK(merged.classes.size() == 2);
  CHECK(merged.shared != before_a.shared);
  Learner other(small());
  other.merge(b);
  other.core().put_shared(before_b.shared);
  CHECK(contents_of(other).shared == before_b.shared);
  // Both ways give the same sums.
  Learner a2(small());
  a2.core().put_shared(before_a.shared);
  b.merge(a2);
  CHECK(contents_of(b).shared == merged.shared);
}

}  // namespace
}  // namespace jackdaw::testing
