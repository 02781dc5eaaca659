// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Whether what is learned can be kept: room, permission, and how long a sync takes.
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

#include "doctor/check.hpp"
#include "doctor/words.hpp"
#include "state/descriptor.hpp"

namespace jackdaw::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLeastRoom = 500'000'000;  // two snapshots, the journal, and an encoder
constexpr double kSlowSync = 0.1;                  // seconds; the journal is written that often

// The folder, or where it would be made.
fs::path existing(fs::path folder) {
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::is_directory(folder, ignored)) {
    folder = folder.parent_path();
  }
  return folder.empty() ? fs::path(".") : folder;
}

// A file without a name, which is gone when it is closed, whatever happens.
state::Descriptor nameless_file(const fs::path& folder, int& fault) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  fault = fd < 0 ? errno : 0;
  if (fault != EOPNOTSUPP && fault != EISDIR && fault != ENOENT) return state::Descriptor(fd);
  std::string name = (folder / ".jackdaw-doctor-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  fault = named < 0 ? errno : 0;
  if (named >= 0) ::unlink(name.c_str());
  return state::Descriptor(named);
}

// Median seconds of writing a page and syncing it; negative: it failed, and errno says why.
double sync_seconds(int file) {
  const std::vector<char> page(4096, 'j');
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (::pwrite(file, page.data(), page.size(), i * 4096) != 4096 || ::fsync(file) != 0) return -1;
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

Finding check_disk(const DoctorOptions& options) {
  const fs::path folder = existing(fs::absolute(options.state_folder));
  nlohmann::json facts{{"folder", folder.string()}};
  struct statvfs room {};
  if (::statvfs(folder.c_str(), &room) != 0) {
    return failed(
        folder.string() + " cannot be looked at: " + std::generic_category().message(errno),
        "name another folder with --state", facts);
  }
  const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
  facts["free_bytes"] = free;
  int fault = 0;
  const state::Descriptor file = nameless_file(folder, fault);
  const double seconds = file ? sync_seconds(file.get()) : -1.0;
  if (file && seconds < 0.0) fault = errno;
  facts["writable"] = seconds >= 0.0;
  if (seconds < 0.0) {
    return failed(folder.string() + " cannot be written: " + std::generic_category().message(fault),
                  fault == ENOSPC ? "free some room"
                                  : "run as the user that the folder belongs to, or name another "
                                    "with --state; the service's: sudo -u jackdaw jackdaw doctor "
                                    "--state /var/lib/jackdaw",
                  facts);
  }
  facts["sync_seconds"] = seconds;
  const std::string text = folder.string() + ": " + gigabytes(free) + " free, a sync takes " +
                           microseconds(seconds * 1e6);
  if (free < kLeastRoom) {
    return failed(text, "at least " + gigabytes(kLeastRoom) + " are needed; free some room", facts);
  }
  if (seconds > kSlowSync) {
    return warning(text,
                   "what is taught is safe only after a sync; a faster disk (NVMe instead of an SD "
                   "card) helps",
                   facts);
  }
  return ok(text, facts);
}

}  // namespace jackdaw::doctor
