// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// After the first frame nothing asks for memory.

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "cpu/cpu_ensemble.hpp"
#include "support/allocation_counter.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("the counter counts") {
  std::uint64_t before = allocations();
  const auto number = std::make_unique<int>(5);
  CHECK(allocations() == before + 1);
  before = allocations();
  std::vector<std::uint64_t> many(1000);
  CHECK(allocations() == before + 1);
  before = allocations();
  struct alignas(256) Wide {
    char bytes[256];
  };
  const auto wide = std::make_unique<Wide>();
  CHECK(allocations() == before + 1);
  CHECK(reinterpret_cast<std::uintptr_t>(wide.get()) % 256 == 0);
  MESSAGE(
      "malloc is counted " << std::string(counts_malloc() ? "too" : "only through operator new"));
  if (!counts_malloc()) return;
  before = allocations();
  void* volatile memory = std::malloc(100);
  memory = std::realloc(memory, 10000);
  std::free(memory);
  void* aligned = nullptr;
  REQUIRE(posix_memalign(&aligned, 64, 100) == 0);
  std::free(aligned);
  CHECK(allocations() == before + 3);
}

TEST_CASE(
    "set-up allocates the slab, and from the first frame on no call allocates, in any profile, "
    "store or table, one by one or in batches") {
  Rng rng(seed());
  for (const Primitives* table : runnable_primitives()) {
    for (const Profile profile : kProfiles) {
      for (const StoreType store : kStores) {
        EnsembleSettings settings = random_settings(profile, store, rng);
        settings.classifiers = 300;
        settings.max_batch = 12;
        CAPTURE(name_of_case(settings));
        CAPTURE(std::string(table->name));
        const std::uint64_t at_first = allocations();
        const auto ensemble = make_cpu_ensemble(settings, *table);
        CHECK(allocations() > at_first);
        open_classes(*ensemble, settings.max_classes);
        const auto stream = random_stream(*ensemble, 30, rng);
        Bytes examples;
        std::vector<std::uint32_t> slots;
        for (std::size_t i = 0; i < settings.max_batch; ++i) {
          examples.insert(examples.end(), stream[i].example.begin(), stream[i].example.end());
          slots.push_back(stream[i].slot);
        }
        const Mixture mixture(1, settings.dimensions, 1.0, rng);
        const std::vector<float> embedding = mixture.draw(0, rng);
        Bytes example(ensemble->example_bytes());
        Bytes section(ensemble->class_section_bytes()), shared(ensemble->shared_section_bytes());
        std::vector<ClassScore> scores(settings.max_classes);
        std::vector<ClassScore> all(settings.max_classes * settings.max_batch);
        std::vector<std::uint32_t> chosen(settings.nearest);
        std::vector<std::int32_t> sums((settings.dimensions + 31) / 32 * 32);

        bool good = true;
        const auto frames = [&] {
          const auto expect = [&](Status status) { good = good && status == Status::kOk; };
          for (const Taught& t : stream) {
            good = good && ensemble->admit(embedding, example) == Status::kOk;
            expect(ensemble->check(t.example, t.slot));
            expect(ensemble->teach(t.example, t.slot, Part::kBoth));
            expect(ensemble->predict(settings.contexts - 1, t.example, scores));
            expect(ensemble->nearest(0, t.example, chosen));
          }
          expect(ensemble->refresh());
          expect(ensemble->predict_batch(0, examples, all));
          expect(ensemble->teach_batch(examples, slots));
          expect(ensemble->unteach(stream[7].example, stream[7].slot, Part::kBoth));
          expect(ensemble->export_class(1, section));
          expect(ensemble->import_class(1, section));
          expect(ensemble->export_shared(shared));
          expect(ensemble->import_shared(shared));
          expect(ensemble->class_sums(0, sums));
          expect(ensemble->close_class(0));
          std::uint32_t slot = 0;
          expect(ensemble->open_class(slot));
        };
        std::uint64_t before = allocations();
        frames();
        // One thread: not even the first time, everything lies in the slab. More are started then.
        if (settings.batch_threads == 1) CHECK(allocations() == before);
        before = allocations();
        for (int times = 0; times < 20; ++times) frames();
        CHECK(allocations() == before);
        CHECK(good);
      }
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
