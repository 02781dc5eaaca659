// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file system in memory that can fail any call and lose power.
//
//   SimulatedDisk disk;
//   disk.set_fault([](Call call, std::uint64_t n) { return n == 7 ? Fault{EIO} : Fault{}; });
//   ... use it ...
//   CrashSimulator crash(disk.log(), disk.initial());   // see crash_simulator.hpp
//
// What it models: writes reach the disk only with a sync of the file, creations, renames and
// removals only with a sync of the folder. A failed sync behaves like Linux: the data stays
// visible, but no later sync saves it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "state/file_system.hpp"

namespace jackdaw::state::test {

using Bytes = std::vector<std::byte>;
using Files = std::map<std::string, Bytes>;  // by path

enum class Call {
  kCreate,
  kOpen,
  kWrite,
  kRead,
  kSync,
  kPreallocate,
  kTruncate,
  kSize,
  kRename,
  kRemove,
  kList,
  kMakeFolder,
  kSyncFolder,
  kLock,
};
const char* name_of(Call call);

constexpr int kDead = -1;

struct Fault {
  int code = 0;       // errno; 0: none; kDead: the process is gone, the call never happened
  bool half = false;  // a write: the first half is written before the error
};

struct DiskOp {
  Call call = Call::kWrite;
  bool failed = false;
  std::size_t inode = 0;
  std::uint64_t offset = 0;  // or the new size
  Bytes data;
  std::string path;
  std::string to;
  std::uint64_t acknowledged = 0;  // what the probe said just before the call
};

class SimulatedDisk final : public FileSystem {
 public:
  using FaultPlan = std::function<Fault(Call, std::uint64_t index)>;
  using Probe = std::function<std::uint64_t()>;

  SimulatedDisk() = default;
  explicit SimulatedDisk(const Files& files);

  void set_fault(FaultPlan plan);
  void record(Probe probe);
  std::uint64_t calls() const;
  std::vector<DiskOp> log() const;
  const Files& initial() const { return initial_; }
  Files files() const;  // as a running program sees them
  void put(const std::string& path, const Bytes& content);

  IoError create(const std::string& path, std::unique_ptr<File>& out) override;
  IoError open(const std::string& path, std::unique_ptr<File>& out) override;
  IoError rename(const std::string& from, const std::string& to) override;
  IoError remove(const std::string& path) override;
  IoError list(const std::string& folder, std::vector<std::string>& names) override;
  IoError make_folder(const std::string& folder) override;
  IoError sync_folder(const std::string& folder) override;
  IoError lock_folder(const std::string& folder, std::unique_ptr<FolderLock>& out) override;

 private:
  friend class SimulatedFile;
  friend class SimulatedLock;
  struct Inode {
    std::size_t number = 0;
    Bytes bytes;
  };

  Fault next_fault(Call call);
  void add_to_log(DiskOp op);

  mutable std::mutex mutex_;
  Files initial_;
  std::map<std::string, std::shared_ptr<Inode>> entries_;
  std::set<std::string> locked_;
  std::size_t inodes_ = 0;
  FaultPlan fault_;
  Probe probe_;
  std::uint64_t calls_ = 0;
  std::uint64_t probed_ = 0;
  std::vector<DiskOp> log_;
};

}  // namespace jackdaw::state::test
