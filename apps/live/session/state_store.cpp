// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/state_store.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackup = "before-import-";
constexpr std::size_t kBackupsKept = 3;
constexpr std::uint32_t kMostUndoDepth = 1U << 16U;

// Removed however the function ends.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, Span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw StateError("The file could not be stored; is the disk full?");
}

void swap_folders(const std::string& a, const std::string& b) {
  constexpr unsigned kExchange = 2;  // RENAME_EXCHANGE; glibc before 2.28 does not name it
  if (::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), kExchange) != 0) {
    throw StateError(a + " and " + b + " cannot be exchanged: " + std::strerror(errno));
  }
}

bool same_kind(const LearnerSettings& a, const LearnerSettings& b) {
  const EnsembleSettings &x = a.ensemble, &y = b.ensemble;
  return a.encoder == b.encoder && x.profile == y.profile && x.classifiers == y.classifiers &&
         x.nearest == y.nearest && x.dimensions == y.dimensions && x.store == y.store &&
         x.seed == y.seed && a.keys == b.keys;
}

int backup_number(const fs::path& path) {
  int number = 0;
  const std::string name = path.filename().string();
  return std::sscanf(name.c_str(), "before-import-%d", &number) == 1 ? number : 0;
}

std::vector<fs::path> backups(const std::string& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (backup_number(entry.path()) > 0) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return backup_number(a) < backup_number(b);
  });
  return found;
}

}  // namespace

StateStore::StateStore(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw StateError(folder_ + ": cannot be made: " + error.message());
  fs::remove_all(incoming() + ".partial", error);
  // A start that ended between the two steps of exchange() left there what it replaced.
  if (fs::exists(incoming(), error)) fs::rename(incoming(), next_backup(), error);
}

std::string StateStore::pack(const Learner& learner) const try {
  const TemporaryFolder out(folder_ + "/outgoing");
  learner.save_as(out.path().string());
  std::ifstream file(newest_snapshot(out.path().string()), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.good() && !file.eof()) throw StateError("The state could not be read back.");
  return bytes;
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

void StateStore::prepare(Span<const std::byte> file, const LearnerSettings& ours, bool merge) const
    try {
  const std::string name = snapshot_file_name(file);
  if (name.empty()) throw StateError("This is not a state file of Jackdaw, or it is cut off.");
  const TemporaryFolder unpacked(folder_ + "/unpacked");
  write_file(unpacked.path() / name, file);
  const LearnerSettings theirs = read_settings(unpacked.path().string());
  if (!same_kind(theirs, ours)) {
    throw StateError(
        "This state was learned with another encoder or other settings, so it means "
        "nothing here.");
  }
  // They decide how much memory it takes to read it.
  if (theirs.ensemble.max_classes > 4 * ours.ensemble.max_classes ||
      theirs.ensemble.undo_depth > kMostUndoDepth) {
    throw StateError("This state has room for " + std::to_string(theirs.ensemble.max_classes) +
                     " classes, this device for " + std::to_string(ours.ensemble.max_classes) +
                     "; start it with more (--classes).");
  }
  Learner other = load_copy(unpacked.path().string());
  const std::string partial = incoming() + ".partial";
  fs::remove_all(partial);
  if (merge) {
    Learner both = load_copy(learner_folder());
    both.merge(other);
    both.save_as(partial);
  } else {
    other.save_as(partial);
  }
  fs::rename(partial, incoming());
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

std::string StateStore::next_backup() const {
  const std::vector<fs::path> there = backups(folder_);
  const int number = there.empty() ? 1 : backup_number(there.back()) + 1;
  return folder_ + "/" + kBackup + std::to_string(number);
}

void StateStore::exchange() const try {
  swap_folders(learner_folder(), incoming());
  std::error_code error;
  fs::rename(incoming(), next_backup(), error);  // if this fails, it is still in incoming
  prune_backups();
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

void StateStore::exchange_back() const try {
  const std::vector<fs::path> there = backups(folder_);
  if (there.empty()) throw StateError("There is nothing to go back to.");
  swap_folders(learner_folder(), there.back().string());
  fs::remove_all(there.back());
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

void StateStore::prune_backups() const {
  std::vector<fs::path> there = backups(folder_);
  while (there.size() > kBackupsKept) {
    std::error_code ignored;
    fs::remove_all(there.front(), ignored);
    there.erase(there.begin());
  }
}

}  // namespace jackdaw::live
