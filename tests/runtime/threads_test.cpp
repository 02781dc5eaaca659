// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// One thread teaches, three answer, one refreshes. The store goes back and forth between a few
// known states, so that every answer can be required to be, bit for bit, the answer of one of them.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kTeachings = 400;
#else
constexpr int kTeachings = 8000;
#endif
constexpr std::uint32_t kAnswerers = 3;

EnsembleSettings settings_of(Profile profile, bool large = false) {
  EnsembleSettings s;
  s.profile = profile;
  s.classifiers = large ? 2048 : 96;
  s.nearest = 8;
  s.dimensions = 40;
  s.max_classes = 5;
  s.contexts = kAnswerers + 1;
  return s;
}

// Runs the teacher to its end while the others run; counts what they did and saw.
class Crowd {
 public:
  Crowd(Ensemble& ensemble, const Bytes& query) : ensemble_(ensemble), query_(query) {}

  // An answer that the query may get from now on.
  void allow() {
    const auto memory = memory_of(scores_of(ensemble_, query_, kAnswerers));
    if (std::find(allowed_.begin(), allowed_.end(), memory) == allowed_.end()) {
      allowed_.push_back(memory);
    }
  }
  std::size_t states() const { return allowed_.size(); }

  template <class Teacher>
  void run(bool refresh, const Teacher& teacher) {
    std::vector<std::thread> threads;
    for (std::uint32_t context = 0; context < kAnswerers; ++context) {
      threads.emplace_back([this, context] { answer(context); });
    }
    if (refresh) {
      threads.emplace_back([this] {
        while (!done_) {
          if (ensemble_.refresh() != Status::kOk) ++failures_;
          ++refreshes_;
        }
      });
    }
    while (answers_ < 10 || (refresh && refreshes_ == 0)) std::this_thread::yield();
    teacher();
    done_ = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(failures_ == 0);
    CHECK(strangers_ == 0);
  }

  // Lets the others see the state as it is: a refresh that began before, and answers after it.
  void watch() const {
    const long refreshes = refreshes_;
    while (refreshes_ == refreshes) std::this_thread::yield();
    const long answers = answers_;
    while (answers_ < answers + 2 * kAnswerers) std::this_thread::yield();
  }

  long answers() const { return answers_; }
  long refreshes() const { return refreshes_; }

 private:
  void answer(std::uint32_t context) {
    std::vector<ClassScore> scores(ensemble_.settings().max_classes);
    while (!done_) {
      if (ensemble_.predict(context, query_, scores) != Status::kOk) ++failures_;
      const Bytes memory = memory_of(scores);
      if (std::find(allowed_.begin(), allowed_.end(), memory) == allowed_.end()) ++strangers_;
      ++answers_;
    }
  }

  Ensemble& ensemble_;
  const Bytes query_;
  std::vector<Bytes> allowed_;
  std::atomic<bool> done_{false};
  std::atomic<long> answers_{0}, refreshes_{0}, failures_{0}, strangers_{0};
};

struct Prepared {
  std::unique_ptr<Ensemble> ensemble;
  std::vector<Taught> stream;
};

Prepared taught(Profile profile, Rng& rng, bool large = false) {
  Prepared t{make_ensemble(settings_of(profile, large), Device::kCpu), {}};
  open_classes(*t.ensemble, 5);
  t.stream = random_stream(*t.ensemble, large ? 1500 : 80, rng);  // several classes in most rows
  teach(*t.ensemble, t.stream);
  REQUIRE(t.ensemble->refresh() == Status::kOk);
  return t;
}

TEST_CASE(
    "while an example is taught and un-taught and the whitening refreshed, every answer is that "
    "of a whole state, and constant answering does not keep the teacher out") {
  for (const Profile profile : kProfiles) {
    CAPTURE(std::string(name_of(profile)));
    Rng rng(seed());
    const auto [ensemble, stream] = taught(profile, rng);
    const Taught extra = random_stream(*ensemble, 1, rng)[0];
    Crowd crowd(*ensemble, extra.example);  // a query that the extra example matters to
    const auto set = [&ensemble = *ensemble, &extra](bool with) {
      const Status status = with ? ensemble.teach(extra.example, extra.slot, Part::kBoth)
                                 : ensemble.unteach(extra.example, extra.slot, Part::kBoth);
      if (status != Status::kOk) FAIL("teaching failed");
    };
    // The store with or without the extra example, seen through a whitening from either.
    crowd.allow();
    set(true);
    crowd.allow();
    REQUIRE(ensemble->refresh() == Status::kOk);
    crowd.allow();
    set(false);
    crowd.allow();
    REQUIRE(ensemble->refresh() == Status::kOk);
    CHECK(crowd.states() == (profile == Profile::kDefault ? 4 : 2));

    const auto start = std::chrono::steady_clock::now();
    crowd.run(true, [&] {
      for (int i = 0; i < kTeachings / 2; ++i) {
        set(true);
        if (i % 256 == 0) crowd.watch();
        set(false);
        if (i % 256 == 128) crowd.watch();
      }
    });
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    MESSAGE(std::string(name_of(profile))
            << ": " << kTeachings << " teachings, " << crowd.answers() << " answers, "
            << crowd.refreshes() << " refreshes in " << seconds << " s");
    CHECK(seconds < 30.0);  // a teacher that starves would not end at all
    const auto other = make_ensemble(ensemble->settings(), Device::kCpu);
    open_classes(*other, 5);
    teach(*other, stream);
    CHECK(store_of(*ensemble) == store_of(*other));
  }
}

TEST_CASE("while a class comes and goes, every answer is that of a whole state") {
  for (const Profile profile : kProfiles) {
    CAPTURE(std::string(name_of(profile)));
    Rng rng(seed());
    // In profile default with many rows, so that emptying a slot takes a while.
    const auto [ensemble, stream] = taught(profile, rng, profile == Profile::kDefault);
    constexpr std::uint32_t kSlot = 2;  // not the last: answers pass over it while it is closed
    std::vector<Bytes> examples;
    for (const Taught& t : random_stream(*ensemble, 3, rng, kSlot, kSlot + 1)) {
      examples.push_back(t.example);
    }
    Crowd crowd(*ensemble, examples[0]);
    const auto expect = [](Status status) {
      if (status != Status::kOk) FAIL("a call failed");
    };
    const auto come_and_go = [&](const auto& after_each) {
      expect(ensemble->close_class(kSlot));
      after_each();
      expect(ensemble->open_slot(kSlot));
      after_each();
      for (const Bytes& example : examples) {
        expect(ensemble->teach(example, kSlot, Part::kBoth));
        after_each();
      }
    };
    expect(ensemble->close_class(kSlot));  // what the stream taught it
    expect(ensemble->open_slot(kSlot));
    come_and_go([] {});
    crowd.allow();
    come_and_go([&] { crowd.allow(); });
    CHECK(crowd.states() >= 4);
    // No refresh here: what a retired class leaves in the shared statistics would move the answers.
    crowd.run(false, [&] {
      for (int i = 0; i < kTeachings / 8; ++i) come_and_go([] {});
    });
  }
}

TEST_CASE(
    "batches that are answered and taught at the same time, each shared among threads, do not "
    "mix") {
  for (const Profile profile : kProfiles) {
    CAPTURE(std::string(name_of(profile)));
    Rng rng(seed());
    EnsembleSettings settings = settings_of(profile);
    settings.max_batch = 24;
    settings.batch_threads = 3;
    const auto ensemble = make_ensemble(settings, Device::kCpu);
    open_classes(*ensemble, 5);
    teach(*ensemble, random_stream(*ensemble, 60, rng));
    struct Work {
      Bytes examples;
      Bytes expected;
    };
    std::vector<Work> work(kAnswerers);
    for (Work& w : work) {  // a batch for each thread, and what its queries get one by one
      for (const Taught& t : random_stream(*ensemble, 24, rng)) {
        w.examples.insert(w.examples.end(), t.example.begin(), t.example.end());
        const Bytes scores = memory_of(scores_of(*ensemble, t.example));
        w.expected.insert(w.expected.end(), scores.begin(), scores.end());
      }
    }
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint32_t context = 0; context < kAnswerers; ++context) {
      threads.emplace_back([&, context, &ensemble = *ensemble] {
        std::vector<ClassScore> scores(24UL * 5);
        for (int i = 0; i < kTeachings / 10; ++i) {
          if (ensemble.predict_batch(context, work[context].examples, scores) != Status::kOk ||
              memory_of(scores) != work[context].expected) {
            ++wrong;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("a snapshot taken while an example comes and goes is one of the two stores") {
  Rng rng(seed());
  const auto [ensemble, stream] = taught(Profile::kDefault, rng);
  const Taught extra = random_stream(*ensemble, 1, rng)[0];
  const Bytes without = class_of(*ensemble, extra.slot), shared_without = shared_of(*ensemble);
  teach(*ensemble, extra);
  const Bytes with = class_of(*ensemble, extra.slot), shared_with = shared_of(*ensemble);
  unteach(*ensemble, extra);
  std::atomic<bool> done{false};
  std::atomic<int> strange{0}, taken{0};
  std::thread snapshots([&, &ensemble = *ensemble] {
    Bytes section(without.size()), shared(shared_without.size());
    while (!done) {
      if (ensemble.export_class(extra.slot, section) != Status::kOk ||
          ensemble.export_shared(shared) != Status::kOk ||
          (section != with && section != without) ||
          (shared != shared_with && shared != shared_without)) {
        ++strange;
      }
      ++taken;
    }
  });
  while (taken == 0) std::this_thread::yield();
  for (int i = 0; i < kTeachings / 4; ++i) {
    teach(*ensemble, extra);
    unteach(*ensemble, extra);
  }
  done = true;
  snapshots.join();
  CHECK(strange == 0);
}

}  // namespace
}  // namespace jackdaw::testing
