// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The host side of the CUDA backend under many threads, for ThreadSanitizer: the Gpu here does
// nothing, so no fibers are in the way. What is answered is not looked at.

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "cuda/gpu_ensemble.hpp"

namespace jackdaw {
namespace {

using namespace cuda;

// Counts what is handed over, so that ThreadSanitizer sees who touches a lane without a lock.
class IdleGpu final : public Gpu {
 public:
  std::string name() const override { return "idle"; }
  std::byte* allocate(std::size_t bytes) override {
    memory_.emplace_back(bytes);
    return memory_.back().data();
  }
  Mapped allocate_mapped(std::size_t bytes) override {
    std::byte* at = allocate(bytes);
    return {at, at};
  }
  unsigned add_lane(Urgency, void*) override {
    lanes_.push_back(0);
    return static_cast<unsigned>(lanes_.size() - 1);
  }
  bool record_predict(unsigned, const DeviceStore&, const Query&) override { return true; }
  void order_after(unsigned lane, unsigned other) override { lanes_[lane] += lanes_[other] & 1; }
  void load_kernels(const DeviceStore&) override {}
  void order_after_event(unsigned lane, void*) override { ++lanes_[lane]; }
  void admit(unsigned lane, const DeviceStore&, const Query& query, const float*) override {
    ++lanes_[lane];
    *query.square = 1.0;
  }
  void mark(unsigned lane) override { ++lanes_[lane]; }
  void wait(unsigned) override {}
  void copy(unsigned lane, void*, const void*, std::size_t) override { ++lanes_[lane]; }
  void copy_pieces(unsigned lane, Pieces, Pieces, std::size_t, std::size_t) override {
    ++lanes_[lane];
  }
  void clear_pieces(unsigned lane, Pieces, std::size_t, std::size_t) override { ++lanes_[lane]; }
  void predict(unsigned lane, const DeviceStore&, const Query&, unsigned) override {
    ++lanes_[lane];
  }
  void nearest(unsigned lane, const DeviceStore&, const Query&, std::uint32_t*) override {
    ++lanes_[lane];
  }
  void teach(unsigned lane, const DeviceStore&, const Teacher&) override { ++lanes_[lane]; }
  void teach_batch(unsigned lane, const DeviceStore&, const Teacher&, unsigned) override {
    ++lanes_[lane];
  }
  void derive(unsigned lane, const DeviceStore&, const Teacher&) override { ++lanes_[lane]; }
  void refresh_norms(unsigned lane, const DeviceStore&, const Teacher&, unsigned) override {
    ++lanes_[lane];
  }

 private:
  std::vector<std::vector<std::byte>> memory_;
  std::vector<int> lanes_;
};

}  // namespace

TEST_CASE("cuda ensemble: threads answer, teach, refresh and take snapshots at once") {
  EnsembleSettings s;
  s.classifiers = 20;
  s.nearest = 4;
  s.dimensions = 33;
  s.max_classes = 5;
  s.max_batch = 4;
  s.contexts = 2;
  const auto ensemble = make_gpu_ensemble(s, {}, std::make_unique<IdleGpu>());
  REQUIRE(ensemble->open_slot(1) == Status::kOk);
  const DeviceEmbedding embedding{nullptr, s.dimensions, nullptr};
  std::atomic<int> wrong{0};
  const auto expect = [&](Status status) { wrong += status == Status::kOk ? 0 : 1; };
  std::vector<std::thread> threads;
  for (std::uint32_t context = 0; context < s.contexts; ++context) {
    threads.emplace_back([&, context] {
      const std::vector<std::byte> example(s.dimensions);
      std::vector<ClassScore> scores(s.max_classes);
      std::vector<std::uint32_t> chosen(s.nearest);
      for (int i = 0; i < 300; ++i) {
        expect(ensemble->predict(context, example, scores));
        expect(ensemble->predict_on_device(context, embedding, scores));
        expect(ensemble->nearest(context, example, chosen));
        wrong += ensemble->class_count(1) < 0 ? 1 : 0;
      }
    });
  }
  threads.emplace_back([&] {
    const std::vector<std::byte> examples(s.dimensions * 3, std::byte{1});
    std::vector<std::byte> admitted(s.dimensions);
    const Span<const std::byte> one(examples.data(), s.dimensions);
    const std::vector<std::uint32_t> slots(3, 1U);
    for (int i = 0; i < 300; ++i) {
      expect(ensemble->admit_on_device(embedding, admitted));
      expect(ensemble->check(one, 1));
      expect(ensemble->teach(one, 1, Part::kBoth));
      expect(ensemble->teach_batch(examples, slots));
      expect(ensemble->open_slot(2));
      expect(ensemble->close_class(2));
    }
  });
  threads.emplace_back([&] {
    for (int i = 0; i < 50; ++i) expect(ensemble->refresh());
  });
  threads.emplace_back([&] {
    std::vector<std::byte> section(ensemble->class_section_bytes());
    std::vector<std::byte> shared(ensemble->shared_section_bytes());
    for (int i = 0; i < 300; ++i) {
      expect(ensemble->export_class(1, section));
      expect(ensemble->export_shared(shared));
      static_cast<void>(ensemble->class_clipped(1));
    }
  });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(ensemble->class_count(1) == 1200);
}

}  // namespace jackdaw
