// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "simulated_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace jackdaw::state::test {

const char* name_of(Call call) {
  static const char* const names[] = {
      "create", "open",   "write",  "read", "sync",        "preallocate", "truncate",
      "size",   "rename", "remove", "list", "make folder", "sync folder", "lock"};
  return names[static_cast<std::size_t>(call)];
}

class SimulatedFile final : public File {
 public:
  SimulatedFile(SimulatedDisk& disk, std::shared_ptr<SimulatedDisk::Inode> inode)
      : disk_(disk), inode_(std::move(inode)) {}

  IoError write_at(std::uint64_t offset, Span<const std::byte> data) override {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    const Fault fault = disk_.next_fault(Call::kWrite);
    if (fault.code != 0 && !fault.half) return {fault.code};
    const auto part = fault.half ? data.first(data.size() / 2) : data;
    Bytes& bytes = inode_->bytes;
    const auto at = static_cast<std::size_t>(offset);
    if (bytes.size() < at + part.size()) bytes.resize(at + part.size());
    if (!part.empty()) std::memcpy(bytes.data() + at, part.data(), part.size());
    DiskOp op;
    op.inode = inode_->number;
    op.offset = offset;
    op.data.assign(part.begin(), part.end());
    disk_.add_to_log(std::move(op));
    return {fault.code};
  }

  IoError read_at(std::uint64_t offset, Span<std::byte> out, std::size_t& got) override {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    got = 0;
    if (const Fault fault = disk_.next_fault(Call::kRead); fault.code != 0) return {fault.code};
    const Bytes& bytes = inode_->bytes;
    if (offset >= bytes.size()) return {};
    const auto at = static_cast<std::size_t>(offset);
    got = std::min(out.size(), bytes.size() - at);
    if (got != 0) std::memcpy(out.data(), bytes.data() + at, got);
    return {};
  }

  IoError sync() override {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    const Fault fault = disk_.next_fault(Call::kSync);
    if (fault.code == kDead) return {EIO};
    DiskOp op;
    op.call = Call::kSync;
    op.failed = fault.code != 0;
    op.inode = inode_->number;
    disk_.add_to_log(std::move(op));
    return {fault.code};
  }

  IoError preallocate(std::uint64_t bytes) override { return resize(Call::kPreallocate, bytes); }
  IoError truncate(std::uint64_t bytes) override { return resize(Call::kTruncate, bytes); }

  IoError size(std::uint64_t& bytes) override {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    if (const Fault fault = disk_.next_fault(Call::kSize); fault.code != 0) return {fault.code};
    bytes = inode_->bytes.size();
    return {};
  }

 private:
  IoError resize(Call call, std::uint64_t bytes) {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    if (const Fault fault = disk_.next_fault(call); fault.code != 0) return {fault.code};
    const auto size = static_cast<std::size_t>(bytes);
    if (call == Call::kTruncate || inode_->bytes.size() < size) inode_->bytes.resize(size);
    DiskOp op;
    op.call = call;
    op.inode = inode_->number;
    op.offset = bytes;
    disk_.add_to_log(std::move(op));
    return {};
  }

  SimulatedDisk& disk_;
  std::shared_ptr<SimulatedDisk::Inode> inode_;
};

class SimulatedLock final : public FolderLock {
 public:
  SimulatedLock(SimulatedDisk& disk, std::string folder)
      : disk_(disk), folder_(std::move(folder)) {}
  ~SimulatedLock() override {
    const std::lock_guard<std::mutex> lock(disk_.mutex_);
    disk_.locked_.erase(folder_);
  }

 private:
  SimulatedDisk& disk_;
  std::string folder_;
};

SimulatedDisk::SimulatedDisk(const Files& files) : initial_(files) {
  for (const auto& [path, content] : files) {
    entries_[path] = std::make_shared<Inode>(Inode{inodes_++, content});
  }
}

void SimulatedDisk::set_fault(FaultPlan plan) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fault_ = std::move(plan);
}

void SimulatedDisk::record(Probe probe) {
  const std::lock_guard<std::mutex> lock(mutex_);
  probe_ = std::move(probe);
}

std::uint64_t SimulatedDisk::calls() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return calls_;
}

std::vector<DiskOp> SimulatedDisk::log() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return log_;
}

Files SimulatedDisk::files() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Files out;
  for (const auto& [path, inode] : entries_) out[path] = inode->bytes;
  return out;
}

void SimulatedDisk::put(const std::string& path, const Bytes& content) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entries_[path] = std::make_shared<Inode>(Inode{inodes_++, content});
}

Fault SimulatedDisk::next_fault(Call call) {
  if (probe_) probed_ = probe_();
  const std::uint64_t index = calls_++;
  return fault_ ? fault_(call, index) : Fault{};
}

void SimulatedDisk::add_to_log(DiskOp op) {
  if (!probe_) return;
  op.acknowledged = probed_;
  log_.push_back(std::move(op));
}

IoError SimulatedDisk::create(const std::string& path, std::unique_ptr<File>& out) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kCreate); fault.code != 0) return {fault.code};
  if (entries_.count(path) != 0) return {EEXIST};
  const auto inode = std::make_shared<Inode>(Inode{inodes_++, {}});
  entries_[path] = inode;
  DiskOp op;
  op.call = Call::kCreate;
  op.inode = inode->number;
  op.path = path;
  add_to_log(std::move(op));
  out = std::make_unique<SimulatedFile>(*this, inode);
  return {};
}

IoError SimulatedDisk::open(const std::string& path, std::unique_ptr<File>& out) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kOpen); fault.code != 0) return {fault.code};
  const auto found = entries_.find(path);
  if (found == entries_.end()) return {ENOENT};
  out = std::make_unique<SimulatedFile>(*this, found->second);
  return {};
}

IoError SimulatedDisk::rename(const std::string& from, const std::string& to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kRename); fault.code != 0) return {fault.code};
  const auto found = entries_.find(from);
  if (found == entries_.end()) return {ENOENT};
  DiskOp op;
  op.call = Call::kRename;
  op.inode = found->second->number;
  op.path = from;
  op.to = to;
  add_to_log(std::move(op));
  const auto inode = found->second;
  entries_.erase(found);
  entries_[to] = inode;
  return {};
}

IoError SimulatedDisk::remove(const std::string& path) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kRemove); fault.code != 0) return {fault.code};
  if (entries_.erase(path) == 0) return {ENOENT};
  DiskOp op;
  op.call = Call::kRemove;
  op.path = path;
  add_to_log(std::move(op));
  return {};
}

IoError SimulatedDisk::list(const std::string& folder, std::vector<std::string>& names) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kList); fault.code != 0) return {fault.code};
  names.clear();
  const std::string start = folder + "/";
  for (const auto& entry : entries_) {
    if (entry.first.compare(0, start.size(), start) == 0) {
      names.push_back(entry.first.substr(start.size()));
    }
  }
  return {};
}

IoError SimulatedDisk::make_folder(const std::string&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return {next_fault(Call::kMakeFolder).code};
}

IoError SimulatedDisk::sync_folder(const std::string&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Fault fault = next_fault(Call::kSyncFolder);
  if (fault.code == kDead) return {EIO};
  DiskOp op;
  op.call = Call::kSyncFolder;
  op.failed = fault.code != 0;
  add_to_log(std::move(op));
  return {fault.code};
}

IoError SimulatedDisk::lock_folder(const std::string& folder, std::unique_ptr<FolderLock>& out) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Fault fault = next_fault(Call::kLock); fault.code != 0) return {fault.code};
  if (!locked_.insert(folder).second) return {EWOULDBLOCK};
  out = std::make_unique<SimulatedLock>(*this, folder);
  return {};
}

}  // namespace jackdaw::state::test
