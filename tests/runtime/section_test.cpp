// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/section.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>

#include "jackdaw/half.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

template <class T>
void put(Bytes& section, std::size_t offset, T value) {
  REQUIRE(offset + sizeof(T) <= section.size());
  std::memcpy(section.data() + offset, &value, sizeof(T));
}

template <class T>
T get(const Bytes& section, std::size_t offset) {
  T value;
  REQUIRE(offset + sizeof(T) <= section.size());
  std::memcpy(&value, section.data() + offset, sizeof(T));
  return value;
}

// A taught class and the shared statistics beside it.
struct Exported {
  explicit Exported(const EnsembleSettings& given, Rng& rng) : settings(given) {
    const auto ensemble = make_ensemble(settings, Device::kCpu);
    open_classes(*ensemble, settings.max_classes);
    teach(*ensemble, random_stream(*ensemble, 30, rng, 0, 1));
    section = class_of(*ensemble, 0);
    shared = shared_of(*ensemble);
  }

  std::string fault(const Bytes& bytes) const {
    const char* text = find_fault_in_class(settings, bytes);
    return text == nullptr ? "" : text;
  }
  std::string fault_of_shared(const Bytes& bytes) const {
    const char* text = find_fault_in_shared(settings, bytes);
    return text == nullptr ? "" : text;
  }

  EnsembleSettings settings;
  Bytes section, shared;
};

template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      EnsembleSettings settings = random_settings(profile, store, rng);
      settings.dimensions = 37;  // so that there is padding
      CAPTURE(name_of_case(settings));
      use(Exported(settings, rng));
    }
  }
}

TEST_CASE("a section lies as section.hpp says: rows, counts, sums, class count, clipped") {
  each_kind([](const Exported& e) {
    const ClassSection at(e.settings);
    const std::size_t n = e.settings.classifiers, width = element_bytes(e.settings.store);
    const bool of_seed = e.settings.profile == Profile::kSeed;
    CHECK(at.rows == 0);
    CHECK(at.counts == n * 64 * width);
    CHECK(at.sums == at.counts + n * 4);
    CHECK(at.tail == at.sums + (of_seed ? 0 : 64 * 4));
    CHECK(at.bytes == at.tail + 8);
    CHECK(e.section.size() == at.bytes);
    CHECK(get<std::int32_t>(e.section, at.tail) == 30);
    CHECK(get<std::int32_t>(e.section, at.tail + 4) == 0);
    std::int64_t picks = 0;
    for (std::size_t j = 0; j < n; ++j) picks += get<std::int32_t>(e.section, at.counts + 4 * j);
    CHECK(picks == 30 * static_cast<std::int64_t>(e.settings.nearest));
    CHECK(e.shared.size() == (of_seed ? 0U : 64U * 64U * 4U + 16U));
  });
}

TEST_CASE("what an ensemble wrote has no fault") {
  each_kind([](const Exported& e) {
    CHECK(e.fault(e.section) == "");
    CHECK(e.fault_of_shared(e.shared) == "");
  });
}

TEST_CASE(
    "a class section of another size, with impossible counters, counts, padding or sums is "
    "refused, and the ensemble that it was to enter is unchanged") {
  each_kind([](const Exported& e) {
    const ClassSection at(e.settings);
    const bool of_seed = e.settings.profile == Profile::kSeed;
    const std::size_t width = element_bytes(e.settings.store);
    std::vector<std::pair<const char*, Bytes>> bad;
    const auto damage = [&](const char* what, std::size_t offset, auto value) {
      Bytes section = e.section;
      put(section, offset, value);
      bad.emplace_back(what, std::move(section));
    };
    bad.emplace_back("empty", Bytes());
    bad.emplace_back("short", Bytes(e.section.begin(), e.section.end() - 1));
    bad.emplace_back("long", e.section);
    bad.back().second.push_back(std::byte{0});
    damage("class count", at.tail, std::int32_t{-1});
    damage("clipped", at.tail + 4, std::int32_t{-1});
    damage("a count above the class's", at.counts, std::int32_t{31});
    damage("the most negative count", at.counts, std::numeric_limits<std::int32_t>::min());
    damage("fewer taught than counted", at.tail, std::int32_t{1});
    if (width == 4) {
      damage("padding", 40 * 4, std::int32_t{1});
      damage("below the limit", 0, std::numeric_limits<std::int32_t>::min());
    } else {
      damage("padding", 40 * 2, static_cast<std::uint16_t>(0x3C00));  // 1 as half, 15360 as int16
    }
    if (e.settings.store == StoreType::kInt16) {
      damage("below the limit", 0, std::numeric_limits<std::int16_t>::min());
    }
    if (e.settings.store == StoreType::kHalf) {
      for (const int bits : {0x7C00, 0xFC00, 0x7E00, 0x8000, 0x3800, 0x6800, 0xE800}) {
        damage("infinity, NaN, -0, 0.5 or 2048", 0, static_cast<std::uint16_t>(bits));
      }
    }
    if (!of_seed) {
      damage("a negative count", at.counts, std::int32_t{-1});
      damage("picks", at.counts, get<std::int32_t>(e.section, at.counts) == 0 ? 1 : 0);
      damage("a sum", at.sums, std::int32_t{30 * 127 + 1});
      damage("a sum", at.sums, std::numeric_limits<std::int32_t>::min());
      damage("padding of the sums", at.sums + 37 * 4, std::int32_t{1});
    }
    const auto ensemble = make_ensemble(e.settings, Device::kCpu);
    open_classes(*ensemble, 1);
    const Store before = store_of(*ensemble);
    for (const auto& [what, section] : bad) {
      CAPTURE(std::string(what));
      CHECK(e.fault(section) != "");
      CHECK(ensemble->import_class(0, section) == Status::kWrongSize);
    }
    CHECK(store_of(*ensemble) == before);
  });
}

TEST_CASE(
    "a shared section of another size, with a negative diagonal, padding or counters is refused, "
    "and the ensemble is unchanged") {
  each_kind([](const Exported& e) {
    std::vector<Bytes> bad;
    bad.push_back(e.shared);
    bad.back().push_back(std::byte{0});
    if (e.settings.profile == Profile::kDefault) {
      const SharedSection at(e.settings);
      bad.emplace_back();
      bad.emplace_back(e.shared.begin(), e.shared.end() - 1);
      const auto damage = [&](std::size_t offset, auto value) {
        bad.push_back(e.shared);
        put(bad.back(), offset, value);
      };
      damage((5 * 64 + 5) * 4, std::int32_t{-1});
      damage((40 * 64 + 40) * 4, std::int32_t{1});
      damage(at.retired, std::int64_t{-1});
      damage(at.retired + 8, std::int64_t{-1});
    }
    const auto ensemble = make_ensemble(e.settings, Device::kCpu);
    const Store before = store_of(*ensemble);
    for (const Bytes& section : bad) {
      CHECK(e.fault_of_shared(section) != "");
      CHECK(ensemble->import_shared(section) == Status::kWrongSize);
    }
    CHECK(store_of(*ensemble) == before);
  });
}

TEST_CASE("adding a section and taking it away again restores every byte") {
  each_kind([](const Exported& e) {
    Bytes target = e.section;
    REQUIRE(add_class_section(e.settings, target, 0, e.section, 1));
    CHECK(target != e.section);
    CHECK(find_fault_in_class(e.settings, target) == nullptr);
    REQUIRE(add_class_section(e.settings, target, 0, e.section, -1));
    CHECK(target == e.section);
    Bytes shared = e.shared;
    CHECK(add_shared_section(e.settings, shared, e.shared, 1));
    if (!shared.empty()) CHECK(shared != e.shared);
    CHECK(add_shared_section(e.settings, shared, e.shared, -1));
    CHECK(shared == e.shared);
  });
}

TEST_CASE("a merged element is clamped at the store's limit and its row is counted as clipped") {
  EnsembleSettings s;
  s.classifiers = 3;
  s.nearest = 1;
  s.dimensions = 5;
  s.max_classes = 1;
  for (const StoreType store : kStores) {
    CAPTURE(std::string(name_of(store)));
    s.store = store;
    const ClassSection at(s);
    Bytes a(at.bytes), b(at.bytes);
    const std::int32_t limit = element_limit(store);
    const auto set = [&](Bytes& section, std::size_t index, std::int32_t value) {
      if (store == StoreType::kInt32) put(section, index * 4, value);
      if (store == StoreType::kInt16) put(section, index * 2, static_cast<std::int16_t>(value));
      if (store == StoreType::kHalf) put(section, index * 2, to_half(static_cast<float>(value)));
    };
    set(a, 0, limit - 5), set(b, 0, 5);    // row 0: reaches the limit, no clamp
    set(a, 32, limit - 5), set(b, 32, 6);  // row 1: one beyond it, at two elements
    set(a, 33, -limit), set(b, 33, -limit);
    put(a, at.tail + 4, std::int32_t{7});
    Bytes expected = a;
    set(expected, 0, limit), set(expected, 32, limit), set(expected, 33, -limit);
    put(expected, at.tail + 4, std::int32_t{8});
    REQUIRE(add_class_section(s, a, 0, b, 1));
    CHECK(a == expected);
  }
}

TEST_CASE("shared statistics that would overflow are reported, at either end of the range") {
  EnsembleSettings s;
  s.dimensions = 3;
  const SharedSection at(s);
  for (const int sign : {1, -1}) {
    Bytes a(at.bytes), b(at.bytes);
    put(a, 32 * 4, sign * std::numeric_limits<std::int32_t>::max());
    put(b, 32 * 4, std::int32_t{1});
    Bytes fits = a;
    CHECK(add_shared_section(s, fits, b, -sign));
    CHECK(get<std::int32_t>(fits, 32 * 4) == sign * (std::numeric_limits<std::int32_t>::max() - 1));
    put(b, 32 * 4, std::int32_t{2});
    CHECK(!add_shared_section(s, a, b, sign));
  }
}

}  // namespace
}  // namespace jackdaw::testing
