// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Classes come and go.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/section.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      for (int round = 0; round < 6; ++round) {
        const EnsembleSettings settings = random_settings(profile, store, rng);
        CAPTURE(name_of_case(settings));
        const auto ensemble = make_ensemble(settings, Device::kCpu);
        open_classes(*ensemble, settings.max_classes);
        use(*ensemble, rng);
      }
    }
  }
}

TEST_CASE("slots are given out from the lowest free one; when all are in use the caller is told") {
  each_kind([](Ensemble& ensemble, Rng& rng) {
    const std::uint32_t classes = ensemble.settings().max_classes;
    std::uint32_t slot = 99;
    CHECK(ensemble.open_class(slot) == Status::kNoClassFree);
    CHECK(slot == 99);
    const std::uint32_t gone = between(rng, 0, classes - 1);
    REQUIRE(ensemble.close_class(gone) == Status::kOk);
    CHECK(ensemble.class_count(gone) == -1);
    CHECK(ensemble.open_class(slot) == Status::kOk);
    CHECK(slot == gone);
    CHECK(ensemble.class_count(gone) == 0);
    CHECK(ensemble.open_slot(gone) == Status::kOk);  // open already
    CHECK(ensemble.open_slot(classes) == Status::kNoClassFree);
  });
}

TEST_CASE("forgetting a class leaves every byte of the others, and its slot starts afresh") {
  each_kind([](Ensemble& ensemble, Rng& rng) {
    const std::uint32_t classes = ensemble.settings().max_classes;
    const std::uint32_t gone = between(rng, 0, classes - 1);
    const Bytes fresh = class_of(ensemble, gone);
    teach(ensemble, random_stream(ensemble, 60, rng));
    const Store before = store_of(ensemble);
    REQUIRE(ensemble.close_class(gone) == Status::kOk);
    CHECK(ensemble.close_class(gone) == Status::kNoSuchClass);
    Bytes section(ensemble.class_section_bytes());
    CHECK(ensemble.export_class(gone, section) == Status::kNoSuchClass);
    REQUIRE(ensemble.open_slot(gone) == Status::kOk);
    const Store after = store_of(ensemble);
    for (std::uint32_t c = 0; c < classes; ++c) {
      CHECK(after.classes[c] == (c == gone ? fresh : before.classes[c]));
    }
  });
}

TEST_CASE(
    "profile default: a forgotten class leaves its examples' spread in the shared statistics, "
    "which stay possible") {
  each_kind([](Ensemble& ensemble, Rng& rng) {
    const EnsembleSettings& s = ensemble.settings();
    if (s.profile != Profile::kDefault) return;
    for (int times = 1; times <= 4; ++times) {
      const std::uint32_t gone = between(rng, 0, s.max_classes - 1);
      teach(ensemble, random_stream(ensemble, 40, rng));
      const std::int32_t count = ensemble.class_count(gone);
      const Bytes before = shared_of(ensemble);
      std::vector<std::int32_t> sums((s.dimensions + 31) / 32 * 32);
      REQUIRE(ensemble.class_sums(gone, sums) == Status::kOk);
      REQUIRE(ensemble.close_class(gone) == Status::kOk);
      const Bytes after = shared_of(ensemble);
      CHECK(find_fault_in_shared(s, after) == nullptr);
      const SharedSection at(s);
      const auto number = [&](const Bytes& bytes, std::size_t offset) {
        std::int64_t value = 0;
        std::memcpy(&value, bytes.data() + offset, 8);
        return value;
      };
      CHECK(number(after, at.retired) == number(before, at.retired) + count);
      CHECK(number(after, at.retired + 8) == number(before, at.retired + 8) + (count > 0 ? 1 : 0));
      for (std::size_t r = 0; r < s.dimensions && count > 0; ++r) {
        std::int32_t had = 0, has = 0;
        std::memcpy(&had, before.data() + (r * sums.size() + r) * 4, 4);
        std::memcpy(&has, after.data() + (r * sums.size() + r) * 4, 4);
        CHECK(has >= 0);
        CHECK(std::fabs(had - static_cast<double>(sums[r]) * sums[r] / count - has) <= 0.5);
      }
      REQUIRE(ensemble.open_slot(gone) == Status::kOk);
    }
  });
}

TEST_CASE("the two halves of closing, done apart as recovery does, make the whole") {
  each_kind([](Ensemble& ensemble, Rng& rng) {
    const EnsembleSettings& s = ensemble.settings();
    const auto apart = make_ensemble(s, Device::kCpu);
    open_classes(*apart, s.max_classes);
    const auto stream = random_stream(ensemble, 40, rng);
    teach(ensemble, stream);
    teach(*apart, stream);
    const std::uint32_t gone = stream.front().slot;
    std::vector<std::int32_t> sums((s.dimensions + 31) / 32 * 32);
    REQUIRE(apart->class_sums(gone, sums) == Status::kOk);
    const std::int32_t count = apart->class_count(gone);
    REQUIRE(apart->empty_slot(gone) == Status::kOk);
    REQUIRE(apart->retire(sums, count) == Status::kOk);
    REQUIRE(ensemble.close_class(gone) == Status::kOk);
    CHECK(store_of(ensemble) == store_of(*apart));
  });
}

TEST_CASE("a class without examples and a closed one have score -infinity; the others are finite") {
  each_kind([](Ensemble& ensemble, Rng& rng) {
    const EnsembleSettings& s = ensemble.settings();
    const auto stream = random_stream(ensemble, 40, rng);
    const std::uint32_t untaught = s.max_classes - 1;
    for (const Taught& t : stream) {
      if (t.slot != untaught) teach(ensemble, t);
    }
    for (const bool closed : {false, true}) {
      if (closed) REQUIRE(ensemble.close_class(0) == Status::kOk);
      for (const bool refreshed : {false, true}) {
        if (refreshed) REQUIRE(ensemble.refresh() == Status::kOk);
        const auto scores = scores_of(ensemble, stream.front().example);
        for (std::uint32_t c = 0; c < s.max_classes; ++c) {
          // Profile seed has initial weights, so an open class answers before it is taught.
          const std::int32_t count = ensemble.class_count(c);
          const bool answers = s.profile == Profile::kSeed ? count >= 0 : count > 0;
          if (answers) {
            CHECK(std::isfinite(scores[c].score));
            CHECK(std::isfinite(scores[c].typicality));
          } else {
            CHECK(scores[c].score == -std::numeric_limits<float>::infinity());
            CHECK(scores[c].typicality == 0.0F);
          }
        }
      }
    }
  });
}

TEST_CASE(
    "after half of the classes are forgotten the rest are told apart as before: by profile seed "
    "with the same bits, by profile default in all but a few queries") {
  for (const Profile profile : kProfiles) {
    CAPTURE(std::string(name_of(profile)));
    Rng rng(seed());
    EnsembleSettings settings;
    settings.profile = profile;
    settings.classifiers = 128;
    settings.nearest = 16;
    settings.dimensions = 48;
    settings.max_classes = 8;
    const auto ensemble = make_ensemble(settings, Device::kCpu);
    open_classes(*ensemble, 8);
    const Mixture mixture(8, 48, 1.0, rng);
    for (int i = 0; i < 800; ++i) {
      const std::uint32_t c = between(rng, 0, 7);
      teach(*ensemble, {admitted(*ensemble, mixture.draw(c, rng)), c});
    }
    REQUIRE(ensemble->refresh() == Status::kOk);
    struct Query {
      Bytes example;
      std::uint32_t kept;  // the class, one of those that are kept
      std::vector<ClassScore> before;
    };
    std::vector<Query> queries;
    for (int i = 0; i < 400; ++i) {
      const std::uint32_t c = 2 * between(rng, 0, 3);
      queries.push_back({admitted(*ensemble, mixture.draw(c, rng)), c, {}});
      queries.back().before = scores_of(*ensemble, queries.back().example);
      for (const std::uint32_t gone : {1U, 3U, 5U, 7U}) {
        queries.back().before[gone] = {-std::numeric_limits<float>::infinity(), 0.0F};
      }
    }
    for (const std::uint32_t gone : {1U, 3U, 5U, 7U}) {
      REQUIRE(ensemble->close_class(gone) == Status::kOk);
    }
    for (const bool refreshed : {false, true}) {
      CAPTURE(refreshed);
      if (refreshed) REQUIRE(ensemble->refresh() == Status::kOk);
      int same = 0, right = 0;
      for (const Query& q : queries) {
        const auto scores = scores_of(*ensemble, q.example);
        if (profile == Profile::kSeed) CHECK(memory_of(scores) == memory_of(q.before));
        same += best_slot(scores) == best_slot(q.before) ? 1 : 0;
        right += best_slot(scores) == q.kept ? 1 : 0;
      }
      CHECK(same >= 396);
      CHECK(right >= 360);
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
