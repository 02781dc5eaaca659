// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The properties of design.md, section 4, over random streams, for profile default and for profile
// seed taught one example at a time, with every store type: order, undo, and classes by themselves.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

constexpr int kRounds = 8;

// Calls `use(settings, rng)` kRounds times for each profile and store.
template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      for (int round = 0; round < kRounds; ++round) {
        const EnsembleSettings settings = random_settings(profile, store, rng);
        CAPTURE(name_of_case(settings));
        use(settings, rng);
      }
    }
  }
}

std::unique_ptr<Ensemble> opened(const EnsembleSettings& settings) {
  auto ensemble = make_ensemble(settings, Device::kCpu);
  open_classes(*ensemble, settings.max_classes);
  return ensemble;
}

TEST_CASE(
    "any order of the stream gives the same rows, counts and statistics, bit for bit, and after "
    "a refresh the same answers") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto one = opened(settings), other = opened(settings);
    const auto stream = random_stream(*one, between(rng, 1, 80), rng);
    auto shuffled = stream;
    std::shuffle(shuffled.begin(), shuffled.end(), rng);
    teach(*one, stream);
    for (const Taught& t : shuffled) {
      teach(*other, t);
      if (between(rng, 0, 9) == 0) REQUIRE(other->refresh() == Status::kOk);  // is no teaching
    }
    REQUIRE(clipped_rows(*one) == 0);
    CHECK(store_of(*one) == store_of(*other));
    REQUIRE(one->refresh() == Status::kOk);
    REQUIRE(other->refresh() == Status::kOk);
    const Bytes query = stream.front().example;
    CHECK(memory_of(scores_of(*one, query)) == memory_of(scores_of(*other, query)));
  });
}

TEST_CASE("opening the classes in another order gives the same sections for the same slots") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto one = opened(settings);
    const auto other = make_ensemble(settings, Device::kCpu);
    for (std::uint32_t c = settings.max_classes; c-- > 0;) {
      REQUIRE(other->open_slot(c) == Status::kOk);
    }
    const auto stream = random_stream(*one, 20, rng);
    teach(*one, stream);
    teach(*other, stream);
    CHECK(store_of(*one) == store_of(*other));
  });
}

TEST_CASE(
    "un-teaching examples, in any order, restores the store they were taught into, bit for bit") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ensemble = opened(settings);
    teach(*ensemble, random_stream(*ensemble, between(rng, 0, 40), rng));
    const Store before = store_of(*ensemble);
    auto more = random_stream(*ensemble, between(rng, 1, 40), rng);
    teach(*ensemble, more);
    REQUIRE(clipped_rows(*ensemble) == 0);
    CHECK(!(store_of(*ensemble) == before));
    std::shuffle(more.begin(), more.end(), rng);
    for (const Taught& t : more) unteach(*ensemble, t);
    CHECK(store_of(*ensemble) == before);
  });
}

TEST_CASE(
    "teaching and un-teaching in any mixture leaves what the remaining examples alone leave") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ensemble = opened(settings), fresh = opened(settings);
    const auto stream = random_stream(*ensemble, 60, rng);
    std::vector<Taught> held;
    for (const Taught& t : stream) {
      teach(*ensemble, t);
      held.push_back(t);
      while (!held.empty() && between(rng, 0, 2) == 0) {
        std::swap(held.back(), held[between(rng, 0, static_cast<std::uint32_t>(held.size() - 1))]);
        unteach(*ensemble, held.back());
        held.pop_back();
      }
    }
    teach(*fresh, held);
    CHECK(store_of(*ensemble) == store_of(*fresh));
  });
}

TEST_CASE("teaching one class changes no byte of another class's section") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ensemble = opened(settings);
    teach(*ensemble, random_stream(*ensemble, 40, rng));
    const std::uint32_t slot = between(rng, 0, settings.max_classes - 1);
    const Store before = store_of(*ensemble);
    teach(*ensemble, random_stream(*ensemble, 25, rng, slot, slot + 1));
    const Store after = store_of(*ensemble);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      CHECK((after.classes[c] == before.classes[c]) == (c != slot));
    }
  });
}

TEST_CASE("the class's part and the shared part of an example, taught apart, make the whole") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto whole = opened(settings), parts = opened(settings);
    const auto stream = random_stream(*whole, 30, rng);
    teach(*whole, stream);
    for (const Taught& t : stream) {
      REQUIRE(parts->teach(t.example, t.slot, Part::kClass) == Status::kOk);
    }
    const Store classes_only = store_of(*parts);
    CHECK(classes_only.classes == store_of(*whole).classes);
    if (settings.profile == Profile::kDefault) CHECK(classes_only.shared != shared_of(*whole));
    for (const Taught& t : stream) {
      REQUIRE(parts->teach(t.example, t.slot, Part::kShared) == Status::kOk);
    }
    CHECK(store_of(*parts) == store_of(*whole));
    for (const Taught& t : stream) {
      REQUIRE(parts->unteach(t.example, t.slot, Part::kShared) == Status::kOk);
    }
    CHECK(store_of(*parts) == classes_only);
    for (const Taught& t : stream) {
      REQUIRE(parts->unteach(t.example, t.slot, Part::kClass) == Status::kOk);
    }
    CHECK(store_of(*parts) == store_of(*opened(settings)));
  });
}

TEST_CASE("profile default: a batch is the same as its examples one by one") {
  Rng rng(seed());
  for (const StoreType store : kStores) {
    EnsembleSettings settings = random_settings(Profile::kDefault, store, rng);
    CAPTURE(name_of_case(settings));
    const auto single = opened(settings), batched = opened(settings);
    for (int batch = 0; batch < 10; ++batch) {
      const auto stream = random_stream(*single, settings.max_batch, rng);
      Bytes examples;
      std::vector<std::uint32_t> slots;
      for (const Taught& t : stream) {
        examples.insert(examples.end(), t.example.begin(), t.example.end());
        slots.push_back(t.slot);
      }
      teach(*single, stream);
      REQUIRE(batched->teach_batch(examples, slots) == Status::kOk);
    }
    CHECK(store_of(*single) == store_of(*batched));
  }
}

TEST_CASE("a batch of queries is answered as each of them alone, in every context, bit for bit") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ensemble = opened(settings);
    teach(*ensemble, random_stream(*ensemble, 40, rng));
    REQUIRE(ensemble->refresh() == Status::kOk);
    const auto queries = random_stream(*ensemble, settings.max_batch, rng);
    Bytes examples;
    for (const Taught& q : queries) {
      examples.insert(examples.end(), q.example.begin(), q.example.end());
    }
    for (std::uint32_t context = 0; context < settings.contexts; ++context) {
      std::vector<ClassScore> scores(queries.size() * settings.max_classes);
      REQUIRE(ensemble->predict_batch(context, examples, scores) == Status::kOk);
      Bytes one_by_one;
      for (const Taught& q : queries) {
        const Bytes single = memory_of(scores_of(*ensemble, q.example, context));
        one_by_one.insert(one_by_one.end(), single.begin(), single.end());
      }
      CHECK(memory_of(scores) == one_by_one);
    }
  });
}

TEST_CASE("answering and refreshing change nothing in the store") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ensemble = opened(settings);
    const auto stream = random_stream(*ensemble, 30, rng);
    teach(*ensemble, stream);
    const Store before = store_of(*ensemble);
    for (const Taught& t : stream) {
      static_cast<void>(scores_of(*ensemble, t.example));
      REQUIRE(ensemble->check(t.example, t.slot) == Status::kOk);
      std::vector<std::uint32_t> chosen(settings.nearest);
      REQUIRE(ensemble->nearest(0, t.example, chosen) == Status::kOk);
    }
    REQUIRE(ensemble->refresh() == Status::kOk);
    CHECK(store_of(*ensemble) == before);
  });
}

}  // namespace
}  // namespace jackdaw::testing
