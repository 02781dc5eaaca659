// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A snapshot's sections are copied one after another while the learner goes on. Here that is done
// by hand, with random changes between any two copies, so that every kind of change meets every
// kind of section on both sides of its mark.
#include <random>

#include "jackdaw/error.hpp"
#include "runtime/learner/journal_capture.hpp"
#include "runtime/learner/operations.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

struct Section {
  state::SectionId id;
  std::uint64_t mark = 0;
  Bytes content;
};

// A snapshot that is being taken.
struct Taking {
  std::uint64_t begin = 0;
  std::vector<state::SectionId> ids;
  std::vector<Section> copied;

  explicit Taking(Learner& learner) { begin = learner.core().list_sections(ids); }
  bool done() const { return copied.size() == ids.size(); }
  void copy_next(Learner& learner) {
    const state::SectionId id = ids[copied.size()];
    Bytes content(learner.core().largest_section_bytes());
    const state::SectionCopy copy = learner.core().copy_section(id, content);
    content.resize(copy.bytes);
    copied.push_back({id, copy.mark, content});
  }
};

Learner loaded(const LearnerSettings& like, const Taking& snapshot,
               const std::vector<Record>& records) {
  LearnerSettings settings = like;
  settings.folder.clear();
  Learner learner(settings);
  Learner::Core& core = learner.core();
  core.begin_load();
  for (const Section& s : snapshot.copied) core.load_section(s.id, s.mark, s.content);
  for (const Record& record : records) {
    if (record.sequence > snapshot.begin) replay(learner, record);
  }
  core.end_load(records.back().sequence);
  return learner;
}

void run(Profile profile, std::uint64_t stream) {
  TemporaryFolder folder;
  Learner learner(small_in(folder.path("state"), profile));
  const Operations operations(seed() * 100 + stream, 24);
  std::mt19937_64 random(seed() + stream);
  std::vector<Taking> snapshots;
  for (std::uint64_t i = 0; i < 160; ++i) {
    static_cast<void>(operations.apply(i, learner));
    if (i % 8 == 0) snapshots.emplace_back(learner);
    for (Taking& snapshot : snapshots) {
      if (!snapshot.done() && random() % 3 == 0) snapshot.copy_next(learner);
    }
  }
  for (Taking& snapshot : snapshots) {
    while (!snapshot.done()) snapshot.copy_next(learner);
  }
  const std::vector<Record> records = records_in(learner);
  REQUIRE(records.size() > 100);
  REQUIRE(records.back().sequence == learner.statistics().last_sequence);
  const Contents expected = contents_of(learner);
  const Bytes names = names_of(learner);
  for (const Taking& snapshot : snapshots) {
    CAPTURE(snapshot.begin);
    Learner again = loaded(learner.settings(), snapshot, records);
    CHECK(contents_of(again) == expected);
    CHECK(names_of(again) == names);
  }
}

TEST_CASE(
    "Whatever happens between the copies of a snapshot's sections, loading it gives the same "
    "state") {
  for (std::uint64_t stream = 0; stream < 6; ++stream) {
    CAPTURE(stream);
    run(stream % 3 == 2 ? Profile::kSeed : Profile::kDefault, stream);
  }
}

TEST_SUITE("slow") {
  TEST_CASE("The same over many more streams") {
    for (std::uint64_t stream = 100; stream < 300; ++stream) {
      CAPTURE(stream);
      run(stream % 3 == 2 ? Profile::kSeed : Profile::kDefault, stream);
    }
  }
}

TEST_CASE("A learner that is loaded twice holds nothing of the first time") {
  TemporaryFolder folder;
  Learner learner(small_in(folder.path("state")));
  const Operations operations(seed() + 7, 24);
  for (std::uint64_t i = 0; i < 60; ++i) static_cast<void>(operations.apply(i, learner));
  const std::vector<Record> records = records_in(learner);
  Learner again(small());
  for (int round = 0; round < 2; ++round) {
    again.core().begin_load();
    for (const Record& record : records) replay(again, record);
    again.core().end_load(records.back().sequence);
    CHECK(contents_of(again) == contents_of(learner));
  }
  again.core().begin_load();
  again.core().end_load(0);
  Learner fresh(small());
  CHECK(contents_of(again) == contents_of(fresh));
}

TEST_CASE("Records and sections that make no sense are refused") {
  Learner learner(small());
  Learner::Core& core = learner.core();
  World world = small_world(60);
  teach(learner, world, 0, 2);
  teach(learner, world, 1, 2);
  const Bytes recent = section_of(learner, Learner::Core::kRecent);
  const auto refused = [&](const std::string& what, const auto& load) {
    CAPTURE(what);
    bool threw = false;
    try {
      load();
    } catch (const StateError&) {
      threw = true;
    }
    CHECK(threw);
  };
  const std::uint32_t types[] = {Learner::Core::kRegistry, Learner::Core::kRecent,
                                 Learner::Core::kShared, Learner::Core::kClass};
  for (const std::uint32_t type : types) {
    Bytes content = section_of(learner, type);
    content.pop_back();
    refused("short section", [&] { core.load_section({type, 0}, 1, content); });
    content.resize(content.size() + 2);
    refused("long section " + std::to_string(type), [&] {
      core.load_section({type, 0}, 1, content);
    });
  }
  refused("unknown section", [&] { core.load_section({99, 0}, 1, Bytes(4)); });
  refused("slot 6", [&] { core.load_section({Learner::Core::kClass, 6}, 1, Bytes()); });
  for (const unsigned kind : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 255U}) {
    for (const std::size_t bytes : {0U, 3U, 4U, 27U, 29U, 500U}) {
      refused("record " + std::to_string(kind) + " of " + std::to_string(bytes),
              [&] { core.replay(100, static_cast<std::uint8_t>(kind), Bytes(bytes)); });
    }
  }
  // An example of a slot that holds no class.
  core.begin_load();
  core.load_section({Learner::Core::kRecent, 0}, 4, recent);
  refused("recent", [&] { core.end_load(4); });
}

}  // namespace
}  // namespace jackdaw::testing
