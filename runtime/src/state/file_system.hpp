// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few operations on files that the state folder needs. All state code goes through this
// interface, so that tests can fail any call, lose what was not synced, or keep it all in memory.
//
//   std::unique_ptr<File> file;
//   if (IoError error = files.create(path, file)) return error;
//   if (IoError error = file->write_at(0, bytes)) return error;
//   if (IoError error = file->sync()) return error;
//
// Errors are errno values; nothing here throws except for lack of memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw::state {

struct [[nodiscard]] IoError {
  int code = 0;  // errno; 0: it worked

  explicit operator bool() const noexcept { return code != 0; }
  std::string text() const;  // errno's own words
};

// An open file; closed when destroyed.
class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  virtual ~File() = default;

  // All of data or an error; after an error any part of it may have been written.
  virtual IoError write_at(std::uint64_t offset, Span<const std::byte> data) = 0;
  // Fills out as far as the file reaches; got says how far.
  virtual IoError read_at(std::uint64_t offset, Span<std::byte> out, std::size_t& got) = 0;
  // On return without an error everything written so far survives a power loss. After an error the
  // file must not be trusted: the kernel may have dropped the data and will not say so again.
  virtual IoError sync() = 0;
  // Reserves space and extends the file with zeros. EOPNOTSUPP where the file system cannot.
  virtual IoError preallocate(std::uint64_t bytes) = 0;
  virtual IoError truncate(std::uint64_t bytes) = 0;
  virtual IoError size(std::uint64_t& bytes) = 0;
};

// Held while it lives.
class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  virtual ~FolderLock() = default;
};

class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  // A new file, readable and writable by this user only; EEXIST when there is one already.
  virtual IoError create(const std::string& path, std::unique_ptr<File>& out) = 0;
  // For reading. Only regular files: a symbolic link, device or pipe is refused.
  virtual IoError open(const std::string& path, std::unique_ptr<File>& out) = 0;
  // Replaces what is at to, atomically.
  virtual IoError rename(const std::string& from, const std::string& to) = 0;
  virtual IoError remove(const std::string& path) = 0;
  // Names only, in any order, without "." and "..".
  virtual IoError list(const std::string& folder, std::vector<std::string>& names) = 0;
  // No error when the folder is there already. A new one survives a power loss on return.
  virtual IoError make_folder(const std::string& folder) = 0;
  // Creations, renames and removals in the folder survive a power loss on return.
  virtual IoError sync_folder(const std::string& folder) = 0;
  // EWOULDBLOCK when somebody else, in this process or another, holds it.
  virtual IoError lock_folder(const std::string& folder, std::unique_ptr<FolderLock>& out) = 0;
};

}  // namespace jackdaw::state
