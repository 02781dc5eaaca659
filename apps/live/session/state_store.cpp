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

// before-import-N, a folder; 0: it is something else, which is not ours to remove.
int backup_number(const fs::path& path) {
  constexpr std::size_t kMostDigits = 8;
  const std::string name = path.filename().string(), prefix = kBackup;
  const std::string digits = name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : "";
  std::error_code ignored;
  const bool ours = !digits.empty() && digits.size() <= kMostDigits &&
                    digits.find_first_not_of("0123456789") == std::string::npos &&
                    fs::is_directory(path, ignored);
  return ours ? std::stoi(digits) : 0;
}

// So that names survive power loss, as the files' contents do.
void sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
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
  fs::remove_all(incoming(), error);  // prepared, but not exchanged; the file's owner still has it
}

void StateStore::save_region(const std::optional<Region>& region) const {
  const std::string path = folder_ + "/region";
  std::error_code ignored;
  if (!region) {
    fs::remove(path, ignored);
    return;
  }
  std::ofstream file(path + ".partial");
  file.precision(17);
  file << region->x << ' ' << region->y << ' ' << region->width << ' ' << region->height << '\n';
  file.close();
  if (file) fs::rename(path + ".partial", path, ignored);
}

std::optional<Region> StateStore::load_region() const {
  std::ifstream file(folder_ + "/region");
  Region region;
  if (!(file >> region.x >> region.y >> region.width >> region.height)) return std::nullopt;
  return is_within_picture(region) ? std::optional(region) : std::nullopt;
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
  fs::remove_all(incoming());
  fs::rename(partial, incoming());
  sync_folder(folder_);
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

std::string StateStore::next_backup() const {
  const std::vector<fs::path> there = backups(folder_);
  const int number = there.empty() ? 1 : backup_number(there.back()) + 1;
  return folder_ + "/" + kBackup + std::to_string(number);
}

std::string StateStore::exchange() const try {
  // First its place among the backups: so the old state is there the moment they are exchanged.
  const std::string backup = next_backup();
  fs::rename(incoming(), backup);
  try {
    swap_folders(learner_folder(), backup);
  } catch (const StateError&) {
    std::error_code ignored;
    fs::remove_all(backup, ignored);
    throw;
  }
  sync_folder(folder_);
  return backup;
} catch (const fs::filesystem_error& error) {
  throw StateError(error.what());
}

void StateStore::exchange_back(const std::string& before) const {
  swap_folders(learner_folder(), before);
  sync_folder(folder_);
  std::error_code ignored;
  fs::remove_all(before, ignored);
}

void StateStore::prune_backups() const noexcept try {
  std::vector<fs::path> there = backups(folder_);
  while (there.size() > kBackupsKept) {
    fs::remove_all(there.front());
    there.erase(there.begin());
  }
} catch (const std::exception&) {  // one too many is no harm
}

}  // namespace jackdaw::live
