// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "crash_simulator.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace jackdaw::state::test {
namespace {

constexpr std::uint64_t kSector = 512;

}  // namespace

CrashSimulator::CrashSimulator(std::vector<DiskOp> log, const Files& initial)
    : log_(std::move(log)) {
  std::size_t inode = 0;  // numbered as SimulatedDisk does
  for (const auto& [path, content] : initial) {
    durable_[inode] = content;
    entries_[path] = inode++;
  }
}

void CrashSimulator::apply(const Part& part, std::size_t keep, Bytes& bytes) {
  if (part.data.empty()) {
    const auto size = static_cast<std::size_t>(part.offset);
    if (part.shrinks || bytes.size() < size) bytes.resize(size);
    return;
  }
  const auto at = static_cast<std::size_t>(part.offset);
  const std::size_t count = std::min(keep, part.data.size());
  if (bytes.size() < at + count) bytes.resize(at + count);
  std::copy_n(part.data.begin(), count, bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

void CrashSimulator::apply(const FolderOp& op, std::map<std::string, std::size_t>& entries) {
  if (op.call == Call::kCreate) entries[op.path] = op.inode;
  if (op.call == Call::kRemove) entries.erase(op.path);
  if (op.call == Call::kRename) {
    entries.erase(op.path);
    entries[op.to] = op.inode;
  }
}

void CrashSimulator::step(const DiskOp& op) {
  switch (op.call) {
    case Call::kWrite:
      for (std::uint64_t from = op.offset, end = op.offset + op.data.size(); from < end;) {
        const std::uint64_t to = std::min(end, (from / kSector + 1) * kSector);
        Part part;
        part.inode = op.inode;
        part.offset = from;
        part.data.assign(op.data.begin() + static_cast<std::ptrdiff_t>(from - op.offset),
                         op.data.begin() + static_cast<std::ptrdiff_t>(to - op.offset));
        parts_.push_back(std::move(part));
        from = to;
      }
      break;
    case Call::kPreallocate:
    case Call::kTruncate: {
      Part part;
      part.inode = op.inode;
      part.offset = op.offset;
      part.shrinks = op.call == Call::kTruncate;
      parts_.push_back(std::move(part));
      break;
    }
    case Call::kSync: {
      std::vector<Part> left;
      for (Part& part : parts_) {
        if (part.inode != op.inode || part.abandoned) {
          left.push_back(std::move(part));
        } else if (op.failed) {
          part.abandoned = true;
          left.push_back(std::move(part));
        } else {
          apply(part, kSector, durable_[op.inode]);
        }
      }
      parts_ = std::move(left);
      break;
    }
    case Call::kCreate:
    case Call::kRename:
    case Call::kRemove:
      folder_ops_.push_back({op.call, op.inode, op.path, op.to});
      break;
    case Call::kSyncFolder:
      if (op.failed) break;
      for (const FolderOp& change : folder_ops_) apply(change, entries_);
      folder_ops_.clear();
      break;
    default:
      break;
  }
}

void CrashSimulator::stop_after(std::size_t calls) {
  for (; done_ < calls && done_ < log_.size(); ++done_) step(log_[done_]);
}

std::uint64_t CrashSimulator::acknowledged() const {
  if (log_.empty()) return 0;
  // The next call was made when this much was acknowledged, and it has not reached the disk.
  return done_ < log_.size() ? log_[done_].acknowledged : log_.back().acknowledged;
}

std::size_t CrashSimulator::parts() const { return parts_.size() + folder_ops_.size(); }

Files CrashSimulator::image(const Choice& survives, std::size_t torn) const {
  std::map<std::size_t, Bytes> contents = durable_;
  std::map<std::string, std::size_t> entries = entries_;
  std::map<std::size_t, std::size_t> last;
  std::vector<bool> kept(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    kept[i] = survives(i);
    if (kept[i]) last[parts_[i].inode] = i;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!kept[i]) continue;
    const std::size_t inode = parts_[i].inode;
    apply(parts_[i], last[inode] == i ? torn : kSector, contents[inode]);
  }
  for (std::size_t i = 0; i < folder_ops_.size(); ++i) {
    if (survives(parts_.size() + i)) apply(folder_ops_[i], entries);
  }
  Files files;
  for (const auto& [path, inode] : entries) files[path] = contents[inode];
  return files;
}

}  // namespace jackdaw::state::test
