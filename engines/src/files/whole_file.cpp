// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "files/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "state/descriptor.hpp"

namespace jackdaw {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  throw FileError(path + ": " + what + ": " + std::strerror(errno) +
                  (full ? "; free some space, or write elsewhere" : ""));
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string read_whole_file(const std::string& path, std::size_t most) {
  const state::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail(path, "cannot be opened");
  struct stat about = {};
  if (::fstat(file.get(), &about) != 0) fail(path, "cannot be looked at");
  if (!S_ISREG(about.st_mode)) throw FileError(path + ": is not a file");
  if (static_cast<std::uint64_t>(about.st_size) > most) {
    throw FileError(path + ": has " + std::to_string(about.st_size) + " bytes; at most " +
                    std::to_string(most) + " are read");
  }
  std::string content(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t got = ::read(file.get(), content.data() + done, content.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read");
    if (got == 0) throw FileError(path + ": became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
  return content;
}

void write_whole_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  try {
    state::Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (file.get() < 0) fail(path, "cannot be created");
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t put = ::write(file.get(), content.data() + done, content.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail(path, "cannot be written");
      done += static_cast<std::size_t>(put);
    }
    if (::fsync(file.get()) != 0) fail(path, "cannot be written to the disk");
    if (file.close() != 0) fail(path, "cannot be closed");
    if (std::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "cannot be put in place");
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  const state::Descriptor folder(
      ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) fail(path, "may not be on the disk yet");
}

}  // namespace jackdaw
