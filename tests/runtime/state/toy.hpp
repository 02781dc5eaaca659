// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A learner made of a few numbers, for tests. Record n is always the same record, so the state
// after n records is known; and no record commutes with another, so a record that is lost, repeated
// or out of order shows.
//
//   Toy toy;
//   StateFolder state(disk, "state", toy, quick_options());
//   toy.attach(&state);
//   toy.teach();                         // appends record toy.last() + 1 and applies it
//   CHECK(toy == Toy::after(toy.last()));

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "jackdaw/error.hpp"
#include "state/bytes.hpp"
#include "state/state_folder.hpp"

namespace jackdaw::state::test {

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

class Toy final : public Persistent {
 public:
  static constexpr std::size_t kSlots = 6;
  static constexpr std::uint32_t kType = 7;

  explicit Toy(std::uint8_t identity = 1, std::size_t filler = 40)
      : identity_(identity), filler_(filler) {}

  // The state after records 1..n.
  static Toy after(std::uint64_t n) {
    Toy toy;
    for (std::uint64_t s = 1; s <= n; ++s) toy.apply(s, false);
    return toy;
  }

  void attach(StateFolder* folder) { folder_ = folder; }
  // Called by the snapshot thread after each section that it has copied.
  void on_copy(std::function<void()> hook) { on_copy_ = std::move(hook); }

  Status teach() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::uint64_t sequence = last_ + 1;
    std::array<std::byte, 400> payload{};
    const std::size_t bytes = payload_of(sequence, payload);
    const Appended appended =
        folder_->append(kind_of(sequence), Span<const std::byte>(payload).first(bytes));
    if (appended.status != Status::kOk) return appended.status;
    if (appended.sequence != sequence) throw StateError("the sequence number is not the next one");
    apply(sequence, false);
    return Status::kOk;
  }

  std::uint64_t last() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return last_;
  }

  bool operator==(const Toy& other) const {
    for (std::size_t i = 0; i < kSlots; ++i) {
      if (slots_[i].used != other.slots_[i].used) return false;
      if (slots_[i].used && slots_[i].value != other.slots_[i].value) return false;
    }
    return true;
  }

  static std::uint8_t kind_of(std::uint64_t sequence) {
    static constexpr std::array<std::uint8_t, 8> kinds{1, 1, 2, 3, 1, 4, 2, 1};
    return sequence <= kSlots ? std::uint8_t{3} : kinds[mix(sequence) % kinds.size()];
  }

  static std::size_t payload_of(std::uint64_t sequence, Span<std::byte> out) {
    ByteWriter writer(out);
    writer.u64(sequence);
    const std::size_t filler = mix(sequence * 3) % 150;
    for (std::size_t i = 0; i < filler; ++i)
      writer.u8(static_cast<std::uint8_t>(mix(sequence + i)));
    return writer.written();
  }

  Hash256 identity() const override {
    Hash256 hash{};
    hash[0] = identity_;
    return hash;
  }
  std::size_t largest_section_bytes() const override { return 8 + filler_; }

  std::uint64_t list_sections(std::vector<SectionId>& out) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    out.clear();
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      if (slots_[i].used) out.push_back({kType, i});
    }
    return last_;
  }

  SectionCopy copy_section(SectionId section, Span<std::byte> out) override {
    SectionCopy copy;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const Slot& slot = slots_[section.id];
      copy.mark = last_;
      if (slot.used) {
        ByteWriter writer(out);
        writer.u64(slot.value);
        for (std::size_t i = 0; i < filler_; ++i)
          writer.u8(static_cast<std::uint8_t>(mix(slot.value + i)));
        copy.bytes = writer.written();
      }
    }
    if (on_copy_) on_copy_();
    return copy;
  }

  void begin_load() override {
    slots_ = {};
    last_ = 0;
  }

  void load_section(SectionId section, std::uint64_t mark, Span<const std::byte> content) override {
    if (section.type != kType || section.id >= kSlots) throw StateError("no such section");
    Slot& slot = slots_[section.id];
    slot.mark = mark;
    slot.used = !content.empty();
    if (!slot.used) return;
    if (content.size() != 8 + filler_) throw StateError("a section has the wrong size");
    slot.value = ByteReader(content).u64();
    for (std::size_t i = 0; i < filler_; ++i) {
      if (content[8 + i] != static_cast<std::byte>(mix(slot.value + i) & 0xFFU)) {
        throw StateError("a section makes no sense");
      }
    }
  }

  void replay(std::uint64_t sequence, std::uint8_t kind, Span<const std::byte> payload) override {
    std::array<std::byte, 400> expected{};
    const std::size_t bytes = payload_of(sequence, expected);
    if (kind != kind_of(sequence) || payload.size() != bytes ||
        !std::equal(payload.begin(), payload.end(), expected.begin())) {
      throw StateError("a record was invented");
    }
    apply(sequence, true);
  }

  void end_load(std::uint64_t last) override { last_ = last; }

 private:
  struct Slot {
    bool used = false;
    std::uint64_t value = 0;
    std::uint64_t mark = 0;
  };

  void apply(std::uint64_t sequence, bool replaying) {
    const auto kind = kind_of(sequence);
    const std::uint64_t random = mix(sequence * 7 + 1);
    const std::size_t target = sequence <= kSlots ? sequence - 1 : random % kSlots;
    const std::size_t other = (target + 1 + (random >> 32U) % (kSlots - 1)) % kSlots;
    change(sequence, kind == 2 ? 1 : kind, target, replaying);
    if (kind == 2) change(sequence, 1, other, replaying);
    last_ = sequence;
  }

  void change(std::uint64_t sequence, std::uint8_t kind, std::size_t target, bool replaying) {
    Slot& slot = slots_[target];
    if (replaying && sequence <= slot.mark) return;
    if (kind == 1 && slot.used) slot.value = slot.value * 31 + mix(sequence);
    if (kind == 3) slot.value = slot.used ? slot.value * 17 + sequence : sequence;
    if (kind == 3) slot.used = true;
    if (kind == 4) slot.used = false;
  }

  std::uint8_t identity_;
  std::size_t filler_;
  mutable std::mutex mutex_;
  std::array<Slot, kSlots> slots_{};
  std::uint64_t last_ = 0;
  StateFolder* folder_ = nullptr;
  std::function<void()> on_copy_;

 public:
  Toy(const Toy& other)
      : identity_(other.identity_),
        filler_(other.filler_),
        slots_(other.slots_),
        last_(other.last_) {}
};

// States after 0..n records, computed once.
class Expected {
 public:
  explicit Expected(std::uint64_t most) {
    Toy toy;
    states_.reserve(most + 1);
    for (std::uint64_t n = 0; n <= most; ++n)
      states_.push_back(n == 0 ? Toy() : next(states_.back(), n));
  }
  const Toy& after(std::uint64_t n) const { return states_.at(n); }

 private:
  static Toy next(const Toy& before, std::uint64_t n) {
    Toy toy(before);
    std::array<std::byte, 400> payload{};
    const std::size_t bytes = Toy::payload_of(n, payload);
    toy.replay(n, Toy::kind_of(n), Span<const std::byte>(payload).first(bytes));
    return toy;
  }
  std::vector<Toy> states_;
};

constexpr std::chrono::milliseconds kLong{20000};

// Small files and short waits, so that segments fill and tests are quick.
inline StateOptions quick_options() {
  StateOptions options;
  options.journal.ring_bytes = 4096;
  options.journal.segment_bytes = 2048;
  options.journal.group_age = std::chrono::milliseconds{1};
  options.journal.first_pause = std::chrono::milliseconds{1};
  options.journal.longest_pause = std::chrono::milliseconds{4};
  options.longest_wait = std::chrono::milliseconds{2000};
  return options;
}

}  // namespace jackdaw::state::test
