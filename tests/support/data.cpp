// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "support/data.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "support/skip.hpp"

extern char** environ;

#ifndef JACKDAW_TEST_DATA_CACHE  // given by tests/CMakeLists.txt: data/ in the build folder
#define JACKDAW_TEST_DATA_CACHE "data"
#endif

namespace jackdaw::testing {
namespace {

namespace fs = std::filesystem;

std::string from_environment(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

// Held while one process unpacks; released by the kernel even if that process dies.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    int locked = -1;
    if (descriptor_ >= 0) {
      do {
        locked = ::flock(descriptor_, LOCK_EX);
      } while (locked != 0 && errno == EINTR);
    }
    if (locked != 0) {
      if (descriptor_ >= 0) ::close(descriptor_);
      throw std::runtime_error("cannot lock " + path.string());
    }
  }
  ~FileLock() { ::close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

void run_tar(const fs::path& archive, const fs::path& into) {
  std::string words[] = {"tar", "--no-same-owner", "-xf", archive.string(), "-C", into.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       words[4].data(), words[5].data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, "tar", nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("cannot run tar; is it installed?");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("lost the tar process");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("tar could not unpack " + archive.string() +
                             " (.tar.xz files need the package xz-utils)");
}

fs::path unpacked(const fs::path& archive, const std::string& name) {
  const std::string given = from_environment("JACKDAW_DATA_CACHE");
  const fs::path cache = given.empty() ? fs::path(JACKDAW_TEST_DATA_CACHE) : fs::path(given);
  fs::create_directories(cache);
  const FileLock lock(cache / (name + ".lock"));
  const fs::path folder = cache / name;
  if (fs::is_directory(folder)) return folder;

  // Renamed at the end: a folder with the final name is always whole.
  const fs::path partial = cache / (name + ".partial");
  fs::remove_all(partial);
  fs::create_directories(partial);
  run_tar(archive, partial);
  if (!fs::is_directory(partial / name))
    throw std::runtime_error(archive.string() + " holds no folder " + name + "/");
  fs::rename(partial / name, folder);
  fs::remove_all(partial);
  return folder;
}

}  // namespace

std::optional<fs::path> data_folder(const std::string& name) {
  const std::string given = from_environment("JACKDAW_DATA");
  if (!given.empty()) {
    const fs::path data(given);
    if (!fs::is_directory(data))
      throw std::runtime_error("JACKDAW_DATA=" + given + " is not a folder");
    if (fs::is_directory(data / name)) return data / name;
    for (const char* ending : {".tar.xz", ".tar"}) {
      const fs::path archive = data / (name + ending);
      if (fs::is_regular_file(archive)) return unpacked(archive, name);
    }
  }
  skip((given.empty() ? "JACKDAW_DATA is not set" : "there is no " + name + " in " + given) +
       "; set JACKDAW_DATA to a folder with " + name + "/train/CLASS/*.png");
  return std::nullopt;
}

}  // namespace jackdaw::testing
