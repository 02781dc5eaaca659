// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What may be on the disk if the power fails after a number of recorded calls.
//
//   CrashSimulator crash(disk.log(), disk.initial());
//   crash.stop_after(calls);                       // 0 .. log size, never going back
//   Files image = crash.image(choice);             // choice(i): does unsynced part i survive?
//
// Whatever was synced survives. Everything else is cut into parts (a sector of a write, a change of
// size, a creation, rename or removal) and each part survives or not, in any combination; the last
// surviving sector of a file may be torn at any byte.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simulated_disk.hpp"

namespace jackdaw::state::test {

// Sanitizers make everything several times slower: fewer images then, of the same kinds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSlowBuild = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSlowBuild = true;
#else
constexpr bool kSlowBuild = false;
#endif
#else
constexpr bool kSlowBuild = false;
#endif

class CrashSimulator {
 public:
  using Choice = std::function<bool(std::size_t part)>;

  CrashSimulator(std::vector<DiskOp> log, const Files& initial);

  std::size_t size() const { return log_.size(); }
  void stop_after(std::size_t calls);
  // What had been acknowledged at that moment at least.
  std::uint64_t acknowledged() const;
  std::size_t parts() const;
  // torn: how much of the last surviving sector-sized part is kept; 512 or more: all.
  Files image(const Choice& survives, std::size_t torn = 512) const;

 private:
  struct Part {
    std::size_t inode = 0;
    std::uint64_t offset = 0;
    Bytes data;              // empty: a new size
    bool shrinks = false;    // truncate rather than extend
    bool abandoned = false;  // a failed sync covered it: no later one saves it
  };
  struct FolderOp {
    Call call = Call::kCreate;
    std::size_t inode = 0;
    std::string path;
    std::string to;
  };

  static void apply(const Part& part, std::size_t keep, Bytes& bytes);
  static void apply(const FolderOp& op, std::map<std::string, std::size_t>& entries);
  void step(const DiskOp& op);

  std::vector<DiskOp> log_;
  std::size_t done_ = 0;
  std::map<std::size_t, Bytes> durable_;
  std::map<std::string, std::size_t> entries_;
  std::vector<Part> parts_;
  std::vector<FolderOp> folder_ops_;
};

}  // namespace jackdaw::state::test
