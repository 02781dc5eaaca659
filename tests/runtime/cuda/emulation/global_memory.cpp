// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/global_memory.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "emulation/machine.hpp"
#include "emulation/report.hpp"

namespace jackdaw::emulation {
namespace {

constexpr std::size_t kGuardBytes = 256;
constexpr auto kGuard = std::byte{0xA5};
constexpr auto kFresh = std::byte{0xC3};

struct Record {
  std::uint32_t begin;  // bytes from the buffer's start
  std::uint8_t bytes;
  Access access;
  Moment moment;
};

struct Entry {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  const RawBuffer* guarded = nullptr;  // null: borrowed, without guards
  std::vector<Record> records;
  bool written = false;
};

// By the address behind the buffer, so that upper_bound(address) finds the one it may lie in.
std::map<std::uintptr_t, Entry>& entries() {
  static std::map<std::uintptr_t, Entry> all;
  return all;
}

Entry* last_hit = nullptr;

std::uintptr_t address(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

bool contains(const Entry& e, std::uintptr_t at, std::size_t bytes) {
  return at >= e.begin && at + bytes <= e.begin + e.bytes;
}

Entry* find(std::uintptr_t at, std::size_t bytes) {
  if (last_hit != nullptr && contains(*last_hit, at, bytes)) return last_hit;
  const auto found = entries().upper_bound(at);
  if (found == entries().end() || !contains(found->second, at, bytes)) return nullptr;
  return last_hit = &found->second;
}

std::string place(const Record& r) {
  return "byte " + std::to_string(r.begin) + " thread " + std::to_string(r.moment.thread) +
         " of block run " + std::to_string(r.moment.run);
}

bool harmless(const Record& a, const Record& b) {
  if (a.access == Access::kRead && b.access == Access::kRead) return true;
  if (a.access == Access::kAtomic && b.access == Access::kAtomic) return true;
  return ordered(a.moment, b.moment);
}

void find_race(Entry& e) {
  std::sort(e.records.begin(), e.records.end(), [](const Record& a, const Record& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.moment.thread < b.moment.thread;
  });
  for (std::size_t i = 0; i < e.records.size(); ++i) {
    const Record& a = e.records[i];
    for (std::size_t j = i + 1; j < e.records.size(); ++j) {
      const Record& b = e.records[j];
      if (b.begin >= a.begin + a.bytes) break;
      if (harmless(a, b)) continue;
      report(Fault::kGlobalRace, place(a) + " and " + place(b) + " in a buffer of " +
                                     std::to_string(e.bytes) + " bytes");
      return;
    }
  }
}

}  // namespace

bool touch(const void* at, std::size_t bytes, std::size_t alignment, Access access) {
  if (address(at) % alignment != 0) {
    report(Fault::kMisaligned, std::to_string(bytes) + " bytes at an address that is " +
                                   std::to_string(address(at) % alignment) + " beyond a multiple");
    return false;
  }
  Entry* e = find(address(at), bytes);
  if (e == nullptr) {
    report(Fault::kOutOfBounds, std::to_string(bytes) + " bytes, thread " +
                                    std::to_string(now().thread) + " block " +
                                    std::to_string(block_index.x));
    return false;
  }
  e->written |= access != Access::kRead;
  e->records.push_back({static_cast<std::uint32_t>(address(at) - e->begin),
                        static_cast<std::uint8_t>(bytes), access, now()});
  return true;
}

void begin_global_launch() {
  for (auto& [end, e] : entries()) {
    e.records.clear();
    e.written = false;
  }
}

void end_global_launch() {
  for (auto& [end, e] : entries()) {
    if (e.guarded != nullptr && !e.guarded->guards_hold()) {
      report(Fault::kGuard, "beside a buffer of " + std::to_string(e.bytes) + " bytes");
    }
    if (e.written) find_race(e);
  }
}

RawBuffer::RawBuffer(std::size_t bytes) : memory_(bytes + 2 * kGuardBytes + 256), bytes_(bytes) {
  const std::uintptr_t start = (address(memory_.data()) + kGuardBytes + 255) / 256 * 256;
  data_ = memory_.data() + (start - address(memory_.data()));
  std::fill(data_ - kGuardBytes, data_, kGuard);
  std::fill(data_, data_ + bytes, kFresh);
  std::fill(data_ + bytes, data_ + bytes + kGuardBytes, kGuard);
  entries()[address(data_) + bytes] = {address(data_), bytes, this, {}, false};
}

RawBuffer::~RawBuffer() {
  last_hit = nullptr;
  entries().erase(address(data_) + bytes_);
}

Borrowed::Borrowed(const void* data, std::size_t bytes)
    : end_(static_cast<const std::byte*>(data) + bytes) {
  entries()[address(end_)] = {address(data), bytes, nullptr, {}, false};
}

Borrowed::~Borrowed() {
  last_hit = nullptr;
  entries().erase(address(end_));
}

bool RawBuffer::guards_hold() const {
  const auto is_guard = [](std::byte b) { return b == kGuard; };
  return std::all_of(data_ - kGuardBytes, data_, is_guard) &&
         std::all_of(data_ + bytes_, data_ + bytes_ + kGuardBytes, is_guard);
}

}  // namespace jackdaw::emulation
