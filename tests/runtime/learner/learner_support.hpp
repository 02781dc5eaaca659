// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small learners, and everything that one of them knows as bytes, to be compared.
//
//   Learner learner(small(Profile::kDefault));
//   const Contents before = contents_of(learner);
//   ...
//   CHECK(contents_of(learner) == before);

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "jackdaw/learner.hpp"
#include "learner/learner_core.hpp"
#include "runtime/learner/world.hpp"
#include "support/seed.hpp"

namespace jackdaw {

inline std::ostream& operator<<(std::ostream& out, Status status) {
  return out << describe(status);
}

}  // namespace jackdaw

namespace jackdaw::testing {

using Bytes = std::vector<std::byte>;

inline constexpr Profile kProfiles[] = {Profile::kDefault, Profile::kSeed};

// Odd sizes on purpose: 24 dimensions are padded to 32.
inline LearnerSettings small(Profile profile = Profile::kDefault) {
  LearnerSettings settings;
  settings.ensemble.profile = profile;
  settings.ensemble.classifiers = 48;
  settings.ensemble.nearest = 7;
  settings.ensemble.dimensions = 24;
  settings.ensemble.max_classes = 6;
  settings.ensemble.undo_depth = 16;
  settings.ensemble.seed_rule.learning_rate = 0.01F;  // the paper's needs thousands of examples
  settings.device = Device::kCpu;
  settings.encoder = "synthetic";
  settings.refresh_in_background = false;
  return settings;
}

inline LearnerSettings small_in(const std::string& folder, Profile profile = Profile::kDefault) {
  LearnerSettings settings = small(profile);
  settings.folder = folder;
  return settings;
}

inline World small_world(std::uint64_t stream = 0, std::size_t classes = 10) {
  return World(seed() * 1000 + stream, classes, 24);
}

inline Bytes section_of(Learner& learner, std::uint32_t type, std::uint32_t id = 0) {
  Bytes bytes(learner.core().largest_section_bytes());
  bytes.resize(learner.core().copy_section({type, id}, bytes).bytes);
  return bytes;
}

struct Contents {
  std::map<std::string, Bytes> classes;  // by label
  std::map<std::string, std::uint32_t> slots;
  Bytes shared;
  Bytes recent;  // sequence numbers, slots and examples
  std::uint64_t last_sequence = 0;

  friend bool operator==(const Contents& a, const Contents& b) {
    return a.same_knowledge(b) && a.slots == b.slots && a.recent == b.recent &&
           a.last_sequence == b.last_sequence;
  }
  friend bool operator!=(const Contents& a, const Contents& b) { return !(a == b); }

  // What was learned, whatever the slots and the way there.
  bool same_knowledge(const Contents& other) const {
    return classes == other.classes && shared == other.shared;
  }
};

inline Contents contents_of(Learner& learner) {
  Contents all;
  for (const ClassInfo& info : learner.classes()) {
    const std::string label(info.label.text());
    all.classes[label] = section_of(learner, Learner::Core::kClass, info.slot);
    all.slots[label] = info.slot;
  }
  all.shared = section_of(learner, Learner::Core::kShared);
  all.recent = section_of(learner, Learner::Core::kRecent);
  all.last_sequence = learner.statistics().last_sequence;
  return all;
}

// With the names as they are stored, so with the classes' identities too.
inline Bytes names_of(Learner& learner) { return section_of(learner, Learner::Core::kRegistry); }

inline void teach(Learner& learner, World& world, std::size_t of, int examples = 1) {
  for (int i = 0; i < examples; ++i) {
    REQUIRE(learner.teach(world.draw(of), World::name(of)) == Status::kOk);
  }
}

inline std::int32_t examples_of(const Learner& learner, const std::string& label) {
  for (const ClassInfo& info : learner.classes()) {
    if (info.label.text() == label) return info.examples;
  }
  return -1;
}

inline Answer answer_of(Learner& learner, const std::vector<float>& embedding) {
  Answer answer = learner.make_answer();
  REQUIRE(learner.predict(embedding, answer) == Status::kOk);
  return answer;
}

}  // namespace jackdaw::testing
