// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The real file system. Files are made with mode 0600 and folders with 0700; descriptors are not
// inherited by child processes; interrupted and short calls are continued.
//
//   PosixFileSystem files;
//   StateFolder state(files, "/data/jackdaw", learner);

#include "state/file_system.hpp"

namespace jackdaw::state {

class PosixFileSystem final : public FileSystem {
 public:
  IoError create(const std::string& path, std::unique_ptr<File>& out) override;
  IoError open(const std::string& path, std::unique_ptr<File>& out) override;
  IoError rename(const std::string& from, const std::string& to) override;
  IoError remove(const std::string& path) override;
  IoError list(const std::string& folder, std::vector<std::string>& names) override;
  IoError make_folder(const std::string& folder) override;
  IoError sync_folder(const std::string& folder) override;
  IoError lock_folder(const std::string& folder, std::unique_ptr<FolderLock>& out) override;
};

}  // namespace jackdaw::state
