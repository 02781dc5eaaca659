// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/embedding_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "state/crc32c.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kHeaderBytes = 8 + 4 + 4 + 64;

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  std::string text = path + ": " + what + ": " + std::strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    text += "; free some space, or set JACKDAW_CACHE to a folder on another disk";
  }
  throw CacheError(text);
}

class Lock {
 public:
  Lock(int file, const std::string& path) : file_(file) {
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno != EINTR) fail(path, "cannot be locked", errno);
    }
  }
  ~Lock() { ::flock(file_, LOCK_UN); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

// How many of `size` bytes could be read.
std::size_t read_at(const std::string& path, int file, std::byte* to, std::size_t size,
                    std::uint64_t from) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file, to + done, size - done, static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

// 0, or the error.
int append(int file, const std::byte* bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t put = ::write(file, bytes + done, size - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    done += static_cast<std::size_t>(put);
  }
  return 0;
}

}  // namespace

std::size_t EmbeddingCache::DigestHash::operator()(const Digest& digest) const {
  std::size_t out = 0;
  std::memcpy(&out, digest.data(), sizeof out);
  return out;
}

EmbeddingCache::EmbeddingCache(const std::string& folder, const std::string& encoder_hash,
                               std::uint32_t dimensions)
    : path_(folder + "/" + encoder_hash), dimensions_(dimensions) {
  header_ = "JDEMBED1";
  const std::uint32_t numbers[2] = {dimensions, 0};
  header_.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  std::string name = encoder_hash.substr(0, 64);
  name.resize(64, ' ');
  header_ += name;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) fail(folder, "cannot be made", failed.value());
  open();
  try {
    read_records();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

EmbeddingCache::~EmbeddingCache() { ::close(file_); }

void EmbeddingCache::open() {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file_ < 0) fail(path_, "cannot be opened", errno);
}

void EmbeddingCache::read_records() {
  const Lock lock(file_, path_);
  std::string found(kHeaderBytes, '\0');
  const std::size_t got =
      read_at(path_, file_, reinterpret_cast<std::byte*>(found.data()), kHeaderBytes, 0);
  // New, or killed while it was being made; anything else is somebody's.
  if (got < kHeaderBytes && header_.compare(0, got, found, 0, got) == 0) {
    if (::ftruncate(file_, 0) != 0) fail(path_, "cannot be emptied", errno);
    const int error =
        append(file_, reinterpret_cast<const std::byte*>(header_.data()), header_.size());
    if (error != 0) {
      static_cast<void>(::ftruncate(file_, 0));
      fail(path_, "cannot be written", error);
    }
    return;
  }
  if (found != header_) {
    throw CacheError(path_ + ": is not a cache of this encoder's embeddings; remove it");
  }
  const off_t end = ::lseek(file_, 0, SEEK_END);
  const std::size_t records = (static_cast<std::size_t>(end) - kHeaderBytes) / record_bytes();
  embeddings_.reserve(records * dimensions_);
  constexpr std::size_t kAtOnce = 256;
  std::vector<std::byte> bytes(kAtOnce * record_bytes());
  for (std::size_t first = 0; first < records; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, records - first);
    const std::size_t size = count * record_bytes();
    if (read_at(path_, file_, bytes.data(), size, kHeaderBytes + first * record_bytes()) != size) {
      throw CacheError(path_ + ": became shorter while it was being read; run this again");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte* record = bytes.data() + i * record_bytes();
      const std::size_t checked = record_bytes() - 4;
      std::uint32_t sum = 0;
      std::memcpy(&sum, record + checked, 4);
      if (sum != state::crc32c({record, checked})) {
        ++damaged_;
        continue;
      }
      Digest digest;
      std::memcpy(digest.data(), record, digest.size());
      if (!at_.emplace(digest, embeddings_.size() / dimensions_).second) continue;
      const std::size_t before = embeddings_.size();
      embeddings_.resize(before + dimensions_);
      std::memcpy(embeddings_.data() + before, record + digest.size(), 4 * dimensions_);
    }
  }
}

bool EmbeddingCache::find(const Digest& digest, Span<float> embedding) const {
  const auto found = at_.find(digest);
  if (found == at_.end()) return false;
  std::copy_n(embeddings_.data() + found->second * dimensions_, dimensions_, embedding.data());
  return true;
}

void EmbeddingCache::add(const Digest& digest, Span<const float> embedding) {
  if (!at_.emplace(digest, embeddings_.size() / dimensions_).second) return;
  embeddings_.insert(embeddings_.end(), embedding.begin(), embedding.end());
  const std::size_t start = waiting_.size();
  waiting_.resize(start + record_bytes());
  std::byte* record = waiting_.data() + start;
  std::memcpy(record, digest.data(), digest.size());
  std::memcpy(record + digest.size(), embedding.data(), 4 * dimensions_);
  const std::uint32_t sum = state::crc32c({record, record_bytes() - 4});
  std::memcpy(record + record_bytes() - 4, &sum, 4);
}

void EmbeddingCache::flush() {
  if (waiting_.empty()) return;
  const Lock lock(file_, path_);
  const auto end = static_cast<std::size_t>(::lseek(file_, 0, SEEK_END));
  const std::size_t whole = end - (end - kHeaderBytes) % record_bytes();
  if (whole != end && ::ftruncate(file_, static_cast<off_t>(whole)) != 0) {
    fail(path_, "cannot be cut to whole records", errno);
  }
  if (const int error = append(file_, waiting_.data(), waiting_.size()); error != 0) {
    static_cast<void>(::ftruncate(file_, static_cast<off_t>(whole)));
    fail(path_, "cannot be written", error);
  }
  waiting_.clear();
}

}  // namespace jackdaw::replay
