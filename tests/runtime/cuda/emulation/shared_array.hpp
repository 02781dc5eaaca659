// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shared memory of the emulated GPU: every cell remembers who read and wrote it since when.
//
//   __shared__ SharedArray<float, 32> totals;    // a static here: one block runs at a time
//   totals[warp] = sum;  float t = totals[0];

#include <cstdint>
#include <string>

#include "emulation/machine.hpp"
#include "emulation/report.hpp"

namespace jackdaw::emulation {

// Reads since the last block barrier, as far as a later write needs to know them.
struct ReadMark {
  Moment last;
  std::uint32_t warps = 0;  // which warps
  std::uint32_t lanes = 0;  // which lanes of the last warp, since its last __syncwarp
};

inline bool same_epoch(const Moment& a, const Moment& b) {
  return a.run == b.run && a.block_epoch == b.block_epoch;
}

inline void mark_read(ReadMark& mark, const Moment& at) {
  const std::uint32_t warp = 1U << (at.thread / 32U);
  const std::uint32_t lane = 1U << (at.thread % 32U);
  if (!same_epoch(mark.last, at)) mark = {};
  const bool same_warp = mark.warps != 0 && mark.last.thread / 32 == at.thread / 32 &&
                         mark.last.warp_epoch == at.warp_epoch;
  mark.lanes = same_warp ? mark.lanes | lane : lane;
  mark.warps |= warp;
  mark.last = at;
}

inline bool reads_conflict(const ReadMark& mark, const Moment& at) {
  if (mark.warps == 0 || !same_epoch(mark.last, at)) return false;
  if ((mark.warps & ~(1U << (at.thread / 32U))) != 0) return true;
  return mark.last.warp_epoch == at.warp_epoch && (mark.lanes & ~(1U << (at.thread % 32U))) != 0;
}

template <class T, unsigned kSize>
class SharedArray {
 public:
  class Cell {
   public:
    Cell(SharedArray& array, unsigned i) : array_(array), i_(i) {}
    operator T() const { return array_.read(i_); }  // NOLINT: stands for a T&
    Cell& operator=(T value) {
      array_.write(i_, value);
      return *this;
    }
    Cell& operator=(const Cell& other) { return *this = static_cast<T>(other); }
    Cell& operator+=(T value) { return *this = static_cast<T>(static_cast<T>(*this) + value); }

   private:
    SharedArray& array_;
    unsigned i_;
  };

  Cell operator[](unsigned i) { return {*this, i}; }

 private:
  struct Shadow {
    T value;
    Moment written;
    ReadMark reads;
  };

  T read(unsigned i) {
    if (i >= kSize) return refuse(i);
    Shadow& s = shadow_[i];
    if (s.written.run != now().run) {
      report(Fault::kUninitialised, describe(i));
      return T{};
    }
    if (!ordered(s.written, now())) report(Fault::kSharedRace, "read after write, " + describe(i));
    mark_read(s.reads, now());
    return s.value;
  }

  void write(unsigned i, T value) {
    if (i >= kSize) {
      refuse(i);
      return;
    }
    Shadow& s = shadow_[i];
    if (s.written.run == now().run && !ordered(s.written, now())) {
      report(Fault::kSharedRace, "write after write, " + describe(i));
    }
    if (reads_conflict(s.reads, now()))
      report(Fault::kSharedRace, "write after read, " + describe(i));
    s.value = value;
    s.written = now();
    s.reads = {};
  }

  T refuse(unsigned i) {
    report(Fault::kOutOfBounds, "shared array of " + std::to_string(kSize) + ", " + describe(i));
    return T{};
  }

  static std::string describe(unsigned i) {
    return "cell " + std::to_string(i) + " thread " + std::to_string(now().thread);
  }

  Shadow shadow_[kSize];
};

}  // namespace jackdaw::emulation
