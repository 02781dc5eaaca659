// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// design.md, section 4, property 3: merging two devices that started alike equals teaching one
// device both streams.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/section.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

// A class by its number in the test; each device keeps it in a slot of its own choice.
using Slots = std::vector<std::uint32_t>;

Slots shuffled_slots(std::uint32_t count, Rng& rng) {
  Slots slots(count);
  std::iota(slots.begin(), slots.end(), 0U);
  std::shuffle(slots.begin(), slots.end(), rng);
  return slots;
}

std::unique_ptr<Ensemble> opened(const EnsembleSettings& settings) {
  auto ensemble = make_ensemble(settings, Device::kCpu);
  open_classes(*ensemble, settings.max_classes);
  return ensemble;
}

void teach_into(Ensemble& ensemble, const std::vector<Taught>& stream, const Slots& slots) {
  for (const Taught& t : stream) teach(ensemble, {t.example, slots[t.slot]});
}

template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      for (int round = 0; round < 6; ++round) {
        const EnsembleSettings settings = random_settings(profile, store, rng);
        CAPTURE(name_of_case(settings));
        use(settings, rng);
      }
    }
  }
}

TEST_CASE(
    "two devices with their classes in different slots merge to what one device would have "
    "learned from both streams") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto a = opened(settings), b = opened(settings), both = opened(settings);
    const Slots in_a = shuffled_slots(settings.max_classes, rng);
    const Slots in_b = shuffled_slots(settings.max_classes, rng);
    const auto stream_a = random_stream(*a, between(rng, 1, 40), rng);
    const auto stream_b = random_stream(*b, between(rng, 1, 40), rng);
    teach_into(*a, stream_a, in_a);
    teach_into(*b, stream_b, in_b);
    teach_into(*both, stream_a, in_a);
    teach_into(*both, stream_b, in_a);
    REQUIRE(clipped_rows(*both) == 0);

    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      Bytes merged = class_of(*a, in_a[c]);
      REQUIRE(add_class_section(settings, merged, in_b[c], class_of(*b, in_b[c]), 1));
      CHECK(merged == class_of(*both, in_a[c]));
      REQUIRE(a->import_class(in_a[c], merged) == Status::kOk);
    }
    Bytes shared = shared_of(*a);
    REQUIRE(add_shared_section(settings, shared, shared_of(*b), 1));
    REQUIRE(a->import_shared(shared) == Status::kOk);
    CHECK(store_of(*a) == store_of(*both));

    REQUIRE(a->refresh() == Status::kOk);
    REQUIRE(both->refresh() == Status::kOk);
    const Bytes& query = stream_b.front().example;
    CHECK(memory_of(scores_of(*a, query)) == memory_of(scores_of(*both, query)));
  });
}

TEST_CASE(
    "a common ancestor is counted once: A + B - ancestor equals one device that learned the "
    "ancestor's stream and then both") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto ancestor = opened(settings), both = opened(settings);
    const auto common = random_stream(*ancestor, between(rng, 1, 30), rng);
    teach(*ancestor, common);
    const Store start = store_of(*ancestor);

    const auto continued = [&](const std::vector<Taught>& stream) {
      auto device = make_ensemble(settings, Device::kCpu);
      for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
        REQUIRE(device->import_class(c, start.classes[c]) == Status::kOk);
      }
      REQUIRE(device->import_shared(start.shared) == Status::kOk);
      teach(*device, stream);
      return store_of(*device);
    };
    const auto stream_a = random_stream(*ancestor, between(rng, 1, 30), rng);
    const auto stream_b = random_stream(*ancestor, between(rng, 1, 30), rng);
    Store merged = continued(stream_a);
    const Store other = continued(stream_b);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      REQUIRE(add_class_section(settings, merged.classes[c], c, other.classes[c], 1));
      REQUIRE(add_class_section(settings, merged.classes[c], c, start.classes[c], -1));
    }
    REQUIRE(add_shared_section(settings, merged.shared, other.shared, 1));
    REQUIRE(add_shared_section(settings, merged.shared, start.shared, -1));

    teach(*both, common);
    teach(*both, stream_a);
    teach(*both, stream_b);
    CHECK(merged == store_of(*both));
  });
}

TEST_CASE("merging is symmetric: in the end it does not matter who joins whom") {
  each_kind([](const EnsembleSettings& settings, Rng& rng) {
    const auto a = opened(settings), b = opened(settings);
    teach(*a, random_stream(*a, 20, rng));
    teach(*b, random_stream(*b, 20, rng));
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      Bytes ab = class_of(*a, c), ba = class_of(*b, c);
      REQUIRE(add_class_section(settings, ab, c, class_of(*b, c), 1));
      REQUIRE(add_class_section(settings, ba, c, class_of(*a, c), 1));
      CHECK(ab == ba);
    }
  });
}

}  // namespace
}  // namespace jackdaw::testing
