// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/posix_file_system.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <limits>
#include <system_error>

#include "state/descriptor.hpp"

namespace jackdaw::state {
namespace {

template <class Call>
auto repeat_if_interrupted(Call call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

IoError answer(int result) noexcept { return {result == 0 ? 0 : errno}; }

bool to_offset(std::uint64_t bytes, off_t& out) noexcept {
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return false;
  out = static_cast<off_t>(bytes);
  return true;
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(repeat_if_interrupted(
      [&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
}

class PosixFile final : public File {
 public:
  explicit PosixFile(Descriptor fd) noexcept : fd_(std::move(fd)) {}

  IoError write_at(std::uint64_t offset, Span<const std::byte> data) override {
    while (!data.empty()) {
      off_t at = 0;
      if (!to_offset(offset, at)) return {EFBIG};
      const ssize_t written =
          repeat_if_interrupted([&] { return ::pwrite(fd_.get(), data.data(), data.size(), at); });
      if (written < 0) return {errno};
      if (written == 0) return {EIO};
      data = data.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
    return {};
  }

  IoError read_at(std::uint64_t offset, Span<std::byte> out, std::size_t& got) override {
    got = 0;
    while (got < out.size()) {
      off_t at = 0;
      if (!to_offset(offset + got, at)) return {EFBIG};
      const ssize_t part = repeat_if_interrupted(
          [&] { return ::pread(fd_.get(), out.data() + got, out.size() - got, at); });
      if (part < 0) return {errno};
      if (part == 0) break;
      got += static_cast<std::size_t>(part);
    }
    return {};
  }

  // fdatasync writes the data and the metadata needed to read it back (size, extents), but does
  // not pay for the time stamps.
  IoError sync() override {
    return answer(repeat_if_interrupted([&] { return ::fdatasync(fd_.get()); }));
  }

  IoError preallocate(std::uint64_t bytes) override {
    off_t size = 0;
    if (!to_offset(bytes, size)) return {EFBIG};
    // Not posix_fallocate: where the file system cannot, the C library would write every block.
    return answer(repeat_if_interrupted([&] { return ::fallocate(fd_.get(), 0, 0, size); }));
  }

  IoError truncate(std::uint64_t bytes) override {
    off_t size = 0;
    if (!to_offset(bytes, size)) return {EFBIG};
    return answer(repeat_if_interrupted([&] { return ::ftruncate(fd_.get(), size); }));
  }

  IoError size(std::uint64_t& bytes) override {
    struct stat status {};
    if (::fstat(fd_.get(), &status) != 0) return {errno};
    bytes = static_cast<std::uint64_t>(status.st_size);
    return {};
  }

 private:
  Descriptor fd_;
};

class PosixLock final : public FolderLock {
 public:
  explicit PosixLock(Descriptor fd) noexcept : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;
};

}  // namespace

std::string IoError::text() const { return std::generic_category().message(code); }

IoError PosixFileSystem::create(const std::string& path, std::unique_ptr<File>& out) {
  Descriptor fd(repeat_if_interrupted([&] {
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  }));
  if (!fd) return {errno};
  out = std::make_unique<PosixFile>(std::move(fd));
  return {};
}

IoError PosixFileSystem::open(const std::string& path, std::unique_ptr<File>& out) {
  // O_NONBLOCK: a pipe put in the place of a file must not hang the start.
  Descriptor fd(repeat_if_interrupted(
      [&] { return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK); }));
  if (!fd) return {errno};
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return {errno};
  if (!S_ISREG(status.st_mode)) return {S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP};
  out = std::make_unique<PosixFile>(std::move(fd));
  return {};
}

IoError PosixFileSystem::rename(const std::string& from, const std::string& to) {
  return answer(std::rename(from.c_str(), to.c_str()));
}

IoError PosixFileSystem::remove(const std::string& path) { return answer(::unlink(path.c_str())); }

IoError PosixFileSystem::list(const std::string& folder, std::vector<std::string>& names) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), &::closedir);
  if (!stream) return {errno};
  names.clear();
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) return {errno};
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
}

IoError PosixFileSystem::make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0) {
    if (errno != EEXIST) return {errno};
    return open_folder(folder) ? IoError{} : IoError{errno};
  }
  std::string parent = folder;
  while (parent.size() > 1 && parent.back() == '/') parent.pop_back();
  const std::size_t slash = parent.find_last_of('/');
  parent = slash == std::string::npos ? "." : parent.substr(0, slash + 1);
  return sync_folder(parent);
}

IoError PosixFileSystem::sync_folder(const std::string& folder) {
  const Descriptor fd = open_folder(folder);
  if (!fd) return {errno};
  return answer(repeat_if_interrupted([&] { return ::fsync(fd.get()); }));
}

IoError PosixFileSystem::lock_folder(const std::string& folder, std::unique_ptr<FolderLock>& out) {
  // On the folder itself: no lock file that could be left behind, deleted or copied.
  Descriptor fd = open_folder(folder);
  if (!fd) return {errno};
  if (repeat_if_interrupted([&] { return ::flock(fd.get(), LOCK_EX | LOCK_NB); }) != 0) {
    return {errno};
  }
  out = std::make_unique<PosixLock>(std::move(fd));
  return {};
}

}  // namespace jackdaw::state
