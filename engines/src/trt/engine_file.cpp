// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/engine_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <string_view>
#include <system_error>

#include "files/whole_file.hpp"
#include "jackdaw/log.hpp"
#include "jackdaw/sha256.hpp"
#include "state/bytes.hpp"
#include "state/descriptor.hpp"
#include "state/posix_file_system.hpp"

namespace jackdaw::trt {
namespace {

constexpr std::string_view kMagic = "JACKDAWE";
constexpr std::string_view kTemporary = ".writing";
constexpr std::size_t kSizesBytes = 24;  // magic, version, two lengths
constexpr std::size_t kHeaderBytes = kSizesBytes + 32;
constexpr std::size_t kMostKeyBytes = 64 * 1024;
constexpr std::time_t kLeftoverAge = 24 * 60 * 60;

constexpr const char* kBuildAgain = "; remove it and build the engine again";

[[noreturn]] void fail(EngineFault fault, const std::string& path, const std::string& what) {
  throw EngineFileError(fault, "engine file " + path + ": " + what);
}

Span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::array<std::uint8_t, 32> checksum(Span<const std::byte> sizes, Span<const std::byte> key,
                                      Span<const std::byte> plan) {
  Sha256 hash;
  hash.add(sizes);
  hash.add(key);
  hash.add(plan);
  return hash.finish();
}

std::array<std::byte, kHeaderBytes> make_header(const std::string& key,
                                                Span<const std::byte> plan) {
  std::array<std::byte, kHeaderBytes> header{};
  state::ByteWriter out(header);
  out.bytes(as_bytes(kMagic));
  out.u32(kEngineFileVersion);
  out.u32(static_cast<std::uint32_t>(key.size()));
  out.u64(plan.size());
  const auto digest = checksum({header.data(), kSizesBytes}, as_bytes(key), plan);
  for (const std::uint8_t byte : digest) out.u8(byte);
  return header;
}

// Two writers, of one process or of several, never share a temporary file.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> next{0};
  return path + "." + std::to_string(::getpid()) + "-" + std::to_string(next++) +
         std::string(kTemporary);
}

// What went wrong first, in the words of the step at which it did; empty if nothing did.
std::string write_all(const std::string& path, const std::string& key, Span<const std::byte> plan,
                      state::FileSystem& files) {
  const std::array<std::byte, kHeaderBytes> header = make_header(key, plan);
  std::unique_ptr<state::File> file;
  if (const state::IoError error = files.create(path, file)) return "create it: " + error.text();
  std::uint64_t at = 0;
  for (const Span<const std::byte> part : {Span<const std::byte>(header), as_bytes(key), plan}) {
    if (const state::IoError error = file->write_at(at, part)) return "write it: " + error.text();
    at += part.size();
  }
  if (const state::IoError error = file->sync()) return "write it to the disk: " + error.text();
  return {};
}

// Everything that the file's owner and mode can tell, asked of the open file, not of its name.
std::size_t trusted_size(int fd, const std::string& path, uid_t user) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    fail(EngineFault::kCannotRead, path,
         "cannot be examined: " + std::generic_category().message(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    fail(EngineFault::kNotAFile, path, std::string("is not a regular file") + kBuildAgain);
  }
  if (status.st_uid != user) {
    fail(EngineFault::kForeignOwner, path,
         "belongs to user " + std::to_string(status.st_uid) + ", not to user " +
             std::to_string(user) + " who runs this; an engine is code, so build your own");
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    fail(EngineFault::kWritableByOthers, path,
         std::string("can be written by other users, so it is not trusted") + kBuildAgain);
  }
  return static_cast<std::size_t>(status.st_size);
}

void read_exactly(int fd, const std::string& path, Span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = ::read(fd, out.data(), out.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(EngineFault::kCannotRead, path,
           "cannot be read: " + std::generic_category().message(errno));
    }
    if (got == 0) fail(EngineFault::kTorn, path, std::string("became shorter") + kBuildAgain);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

// The key's bytes, once all sizes have been found to fit the file.
std::size_t checked_key_bytes(Span<const std::byte> header, std::size_t file_bytes,
                              const std::string& path) {
  if (std::memcmp(header.data(), kMagic.data(), std::min(kMagic.size(), header.size())) != 0) {
    fail(EngineFault::kNotAnEngine, path,
         "is not an engine of Jackdaw; move it away and build one");
  }
  if (header.size() < kHeaderBytes) {
    fail(EngineFault::kTorn, path, std::string("ends inside its header") + kBuildAgain);
  }
  state::ByteReader in(header.subspan(kMagic.size()));
  const std::uint32_t version = in.u32();
  if (version != kEngineFileVersion) {
    fail(EngineFault::kOtherVersion, path,
         "has format " + std::to_string(version) + ", this program reads format " +
             std::to_string(kEngineFileVersion) + kBuildAgain);
  }
  const std::size_t key_bytes = in.u32();
  const std::uint64_t plan_bytes = in.u64();
  const std::size_t rest = file_bytes - kHeaderBytes;
  if (key_bytes > kMostKeyBytes || key_bytes > rest || plan_bytes != rest - key_bytes) {
    fail(EngineFault::kTorn, path,
         "has " + std::to_string(file_bytes) + " bytes, not what its header says" + kBuildAgain);
  }
  return key_bytes;
}

}  // namespace

void store_engine(const std::string& path, const std::string& key, Span<const std::byte> plan,
                  state::FileSystem& files) {
  if (key.size() > kMostKeyBytes) fail(EngineFault::kCannotWrite, path, "its key is too long");
  const std::string folder = folder_of(path);
  if (const state::IoError error = files.make_folder(folder)) {
    fail(EngineFault::kCannotWrite, path, "cannot make the folder " + folder + ": " + error.text());
  }
  const std::string temporary = temporary_name(path);
  std::string fault = write_all(temporary, key, plan, files);
  if (fault.empty()) {
    if (const state::IoError error = files.rename(temporary, path)) {
      fault = "give it its name: " + error.text();
    }
  }
  if (!fault.empty()) {
    // What is left after a failed write only takes space; the first error is the one to report.
    if (files.remove(temporary)) fault += " (" + temporary + " may be left)";
    fail(EngineFault::kCannotWrite, path,
         "cannot " + fault + "; make room there or choose another folder, then build again");
  }
  if (const state::IoError error = files.sync_folder(folder)) {
    fail(EngineFault::kCannotWrite, path,
         "was written, but may be gone after a power loss: " + error.text());
  }
}

void store_engine(const std::string& path, const std::string& key, Span<const std::byte> plan) {
  state::PosixFileSystem files;
  store_engine(path, key, plan, files);
}

std::vector<std::byte> load_engine(const std::string& path, const std::string& key, uid_t user) {
  // O_NONBLOCK: a pipe put in the place of the file must not hang the start.
  const state::Descriptor fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0) {
    const int code = errno;
    if (code == ENOENT) fail(EngineFault::kMissing, path, "there is none yet; build it");
    if (code == ELOOP) {
      fail(EngineFault::kNotAFile, path, std::string("is a symbolic link") + kBuildAgain);
    }
    fail(EngineFault::kCannotRead, path,
         "cannot be opened: " + std::generic_category().message(code));
  }
  const std::size_t file_bytes = trusted_size(fd.get(), path, user);
  if (file_bytes == 0) fail(EngineFault::kTorn, path, std::string("is empty") + kBuildAgain);

  std::array<std::byte, kHeaderBytes> header{};
  const Span<std::byte> head(header.data(), std::min(file_bytes, kHeaderBytes));
  read_exactly(fd.get(), path, head);
  const std::size_t key_bytes = checked_key_bytes(head, file_bytes, path);

  std::vector<std::byte> stored_key(key_bytes);
  read_exactly(fd.get(), path, stored_key);
  std::vector<std::byte> plan(file_bytes - kHeaderBytes - key_bytes);
  read_exactly(fd.get(), path, plan);
  const auto digest = checksum({header.data(), kSizesBytes}, stored_key, plan);
  if (std::memcmp(digest.data(), header.data() + kSizesBytes, digest.size()) != 0) {
    fail(EngineFault::kChanged, path,
         std::string("is damaged or was changed: its checksum does not hold") + kBuildAgain);
  }
  const Span<const std::byte> wanted = as_bytes(key);
  if (!std::equal(wanted.begin(), wanted.end(), stored_key.begin(), stored_key.end())) {
    fail(EngineFault::kOtherKey, path,
         std::string("was built for another graph, device, TensorRT or setting") + kBuildAgain);
  }
  return plan;
}

std::vector<std::byte> load_engine(const std::string& path, const std::string& key) {
  return load_engine(path, key, ::geteuid());
}

std::size_t remove_leftovers(const std::string& folder) noexcept try {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), &::closedir);
  if (!stream) return 0;
  std::size_t removed = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name.size() <= kTemporary.size() ||
        name.substr(name.size() - kTemporary.size()) != kTemporary) {
      continue;
    }
    const std::string path = folder + "/" + std::string(name);
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (std::time(nullptr) - status.st_mtime < kLeftoverAge) continue;
    if (::unlink(path.c_str()) == 0) ++removed;
  }
  return removed;
} catch (...) {  // no memory for a name; the next start tries again
  return 0;
}

}  // namespace jackdaw::trt
