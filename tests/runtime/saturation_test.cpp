// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// At the end of the store's range: half at 2,047, int16 at 32,767. Rows stop there, never wrap and
// never become infinite; it is counted; and the properties of design.md, section 4, end visibly.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/section.hpp"
#include "jackdaw/half.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

constexpr StoreType kNarrow[] = {StoreType::kHalf, StoreType::kInt16};

// Four classifiers that all answer, so that every row sees every example. An example of profile
// default adds 32 to each element.
EnsembleSettings tiny(StoreType store) {
  EnsembleSettings s;
  s.store = store;
  s.classifiers = s.nearest = 4;
  s.dimensions = 3;
  s.max_classes = 2;
  s.default_rule.levels = 32.0F;
  return s;
}

std::unique_ptr<Ensemble> opened(const EnsembleSettings& settings) {
  auto ensemble = make_ensemble(settings, Device::kCpu);
  open_classes(*ensemble, settings.max_classes);
  return ensemble;
}

Bytes example_of(const Ensemble& ensemble, float sign) {
  return admitted(ensemble, {sign, sign, sign});
}

std::int32_t element(const EnsembleSettings& s, const Bytes& section, std::size_t j,
                     std::size_t i) {
  const std::byte* at = section.data() + (j * 32 + i) * element_bytes(s.store);
  if (s.store == StoreType::kHalf) {
    Half value{};
    std::memcpy(&value, at, 2);
    return static_cast<std::int32_t>(to_float(value));
  }
  std::int16_t value = 0;
  std::memcpy(&value, at, 2);
  return value;
}

void teach_times(Ensemble& ensemble, const Bytes& example, int times) {
  for (int i = 0; i < times; ++i) teach(ensemble, {example, 0});
}

TEST_CASE(
    "rows stop at the limit exactly, on either side, and every clamped row is counted from then "
    "on; class sums go on counting") {
  for (const StoreType store : kNarrow) {
    const EnsembleSettings s = tiny(store);
    CAPTURE(std::string(name_of(store)));
    const std::int32_t limit = element_limit(store);
    for (const int sign : {1, -1}) {
      const auto ensemble = opened(s);
      const Bytes x = example_of(*ensemble, static_cast<float>(sign));
      std::int32_t clipped = 0;
      for (std::int32_t times = 1; times <= limit / 32 + 20; ++times) {
        teach(*ensemble, {x, 0});
        clipped += 32 * times > limit ? 4 : 0;
        REQUIRE(ensemble->class_clipped(0) == clipped);
        const Bytes section = class_of(*ensemble, 0);
        REQUIRE(find_fault_in_class(s, section) == nullptr);
        for (std::size_t j = 0; j < 4; ++j) {
          for (std::size_t i = 0; i < 3; ++i) {
            REQUIRE(element(s, section, j, i) == sign * std::min(32 * times, limit));
          }
        }
        std::vector<std::int32_t> sums(32);
        REQUIRE(ensemble->class_sums(0, sums) == Status::kOk);
        REQUIRE(sums[2] == sign * 32 * times);
      }
      CHECK(clipped > 0);
      CHECK(ensemble->class_clipped(1) == 0);
      REQUIRE(ensemble->refresh() == Status::kOk);
      const auto scores = scores_of(*ensemble, x);
      CHECK(std::isfinite(scores[0].score));
      CHECK(std::isfinite(scores[0].typicality));
    }
  }
}

TEST_CASE(
    "below the limit undo is exact and nothing is counted; one example beyond it undo no longer "
    "restores the rows, and the count says so") {
  for (const StoreType store : kNarrow) {
    const EnsembleSettings s = tiny(store);
    CAPTURE(std::string(name_of(store)));
    const auto ensemble = opened(s);
    const Bytes x = example_of(*ensemble, 1.0F);
    const int fits = element_limit(store) / 32;
    teach_times(*ensemble, x, fits - 1);
    Store before = store_of(*ensemble);
    teach(*ensemble, {x, 0});
    unteach(*ensemble, {x, 0});
    CHECK(store_of(*ensemble) == before);

    teach(*ensemble, {x, 0});
    REQUIRE(ensemble->class_clipped(0) == 0);
    before = store_of(*ensemble);
    teach(*ensemble, {x, 0});
    CHECK(ensemble->class_clipped(0) == 4);
    unteach(*ensemble, {x, 0});
    const Store after = store_of(*ensemble);
    CHECK(!(after == before));
    CHECK(element(s, after.classes[0], 0, 0) == element_limit(store) - 32);
    CHECK(element(s, before.classes[0], 0, 0) == 32 * fits);
    CHECK(ensemble->class_count(0) == fits);  // counts stay exact
    CHECK(after.shared == before.shared);
  }
}

TEST_CASE("beyond the limit the order matters, and the count says that it may") {
  for (const StoreType store : kNarrow) {
    const EnsembleSettings s = tiny(store);
    CAPTURE(std::string(name_of(store)));
    const auto up_first = opened(s), down_first = opened(s);
    const Bytes up = example_of(*up_first, 1.0F), down = example_of(*up_first, -1.0F);
    const int many = element_limit(store) / 32 + 10;
    teach_times(*up_first, up, many);
    teach_times(*up_first, down, 10);
    teach_times(*down_first, down, 10);
    teach_times(*down_first, up, many);
    CHECK(up_first->class_clipped(0) > 0);
    CHECK(down_first->class_clipped(0) == 0);
    CHECK(element(s, class_of(*up_first, 0), 0, 0) == element_limit(store) - 320);
    CHECK(element(s, class_of(*down_first, 0), 0, 0) == 32 * (many - 10));
  }
}

TEST_CASE(
    "beyond the limit a merge differs from one device with both streams, and the count says so") {
  for (const StoreType store : kNarrow) {
    const EnsembleSettings s = tiny(store);
    CAPTURE(std::string(name_of(store)));
    const auto a = opened(s), b = opened(s), both = opened(s);
    const Bytes up = example_of(*a, 1.0F), down = example_of(*a, -1.0F);
    const int half = element_limit(store) / 64 + 5;
    teach_times(*a, up, half);
    teach_times(*b, up, half);
    Bytes merged = class_of(*a, 0);
    REQUIRE(add_class_section(s, merged, 0, class_of(*b, 0), 1));
    const ClassSection at(s);
    std::int32_t clipped = 0;
    std::memcpy(&clipped, merged.data() + at.tail + 4, 4);
    CHECK(clipped == 4);
    CHECK(a->class_clipped(0) + b->class_clipped(0) == 0);
    REQUIRE(a->import_class(0, merged) == Status::kOk);
    teach_times(*a, down, 20);
    teach_times(*both, up, half);  // the same examples, in an order that never reaches the limit
    teach_times(*both, down, 20);
    teach_times(*both, up, half);
    CHECK(both->class_clipped(0) == 0);
    CHECK(class_of(*a, 0) != class_of(*both, 0));
    CHECK(element(s, class_of(*a, 0), 0, 0) == element_limit(store) - 640);
    CHECK(element(s, class_of(*both, 0), 0, 0) == 32 * (2 * half - 20));
  }
}

TEST_CASE("profile seed: weights stop at the limit, biases go on, answers stay finite") {
  EnsembleSettings s = tiny(StoreType::kHalf);
  s.profile = Profile::kSeed;
  s.classifiers = 64;  // deviation 722 steps at the start: below the limit
  s.nearest = 2;
  const auto ensemble = opened(s);
  Rng rng(seed());
  const Bytes x = random_stream(*ensemble, 1, rng, 0, 1)[0].example;
  const Bytes start = class_of(*ensemble, 0);
  constexpr int kTimes = 4100;
  teach_times(*ensemble, x, kTimes);
  const Bytes end = class_of(*ensemble, 0);
  CHECK(find_fault_in_class(s, end) == nullptr);
  std::vector<std::uint32_t> chosen(2);
  REQUIRE(ensemble->nearest(0, x, chosen) == Status::kOk);
  std::int32_t clipped = 0;
  for (const std::uint32_t j : chosen) {
    std::int32_t last = 0;  // when the last element of the row stopped: each clamped update counts
    for (std::size_t i = 0; i < 3; ++i) {
      float direction = 0.0F;
      std::memcpy(&direction, x.data() + 4 * i, 4);
      const int sign = direction > 0.0F ? 1 : -1;
      CHECK(element(s, end, j, i) == sign * 2047);
      const std::int32_t room = 2047 - sign * element(s, start, j, i);
      last = std::max(last, kTimes - room);
    }
    clipped += last;
    std::int32_t bias = 0;
    std::memcpy(&bias, end.data() + ClassSection(s).counts + 4 * j, 4);
    CHECK(bias == kTimes);
  }
  CHECK(ensemble->class_clipped(0) == clipped);
  CHECK(std::isfinite(scores_of(*ensemble, x)[0].score));
}

TEST_CASE(
    "a scatter that is full refuses the next example before anything has changed, and takes it "
    "again once there is room") {
  for (const StoreType store : kStores) {
    const EnsembleSettings s = tiny(store);
    const auto ensemble = opened(s);
    const Bytes x = example_of(*ensemble, 1.0F);  // squares of 1,024
    teach(*ensemble, {x, 0});
    for (std::size_t place = 0; place < 3; ++place) {
      for (const std::int32_t room : {1023, 1024}) {
        CAPTURE(place);
        CAPTURE(room);
        Bytes shared = shared_of(*ensemble);
        const std::int32_t diagonal = std::numeric_limits<std::int32_t>::max() - room;
        std::memcpy(shared.data() + (place * 32 + place) * 4, &diagonal, 4);
        const Bytes usual = shared_of(*ensemble);
        REQUIRE(ensemble->import_shared(shared) == Status::kOk);
        const Store before = store_of(*ensemble);
        const Status expected = room == 1024 ? Status::kOk : Status::kCountersFull;
        CHECK(ensemble->check(x, 0) == expected);
        for (const Part part : {Part::kBoth, Part::kShared}) {
          CHECK(ensemble->teach(x, 0, part) == expected);
          if (expected == Status::kOk) REQUIRE(ensemble->unteach(x, 0, part) == Status::kOk);
          CHECK(store_of(*ensemble) == before);
        }
        CHECK(ensemble->teach(x, 0, Part::kClass) == Status::kOk);  // does not touch the scatter
        REQUIRE(ensemble->unteach(x, 0, Part::kClass) == Status::kOk);
        CHECK(ensemble->unteach(x, 0, Part::kBoth) == Status::kOk);  // makes room
        CHECK(ensemble->teach(x, 0, Part::kBoth) == Status::kOk);
        CHECK(store_of(*ensemble) == before);
        REQUIRE(ensemble->refresh() == Status::kOk);
        CHECK(std::isfinite(scores_of(*ensemble, x)[0].score));
        REQUIRE(ensemble->import_shared(usual) == Status::kOk);
      }
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
