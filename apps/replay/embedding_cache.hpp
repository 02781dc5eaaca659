// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Embeddings that were computed before, in one file for each encoder:
//
//   header   "JDEMBED1", size of an embedding (u32), 0 (u32), the encoder's hash (64 bytes)
//   record   SHA-256 of the picture's file (32 bytes), floats, CRC-32C of both (u32); little endian
//
// Records are only ever added, so an interrupted run loses at most the one that was being written:
// a piece at the end is cut off, and a record whose checksum fails counts as not there. Several
// processes may add at the same time (each takes the file's lock).
//
//   EmbeddingCache cache(cache_folder() + "/embeddings", encoder_hash(manifest), 256);
//   if (!cache.find(digest, embedding)) { compute(embedding); cache.add(digest, embedding); }
//   cache.flush();

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "jackdaw/error.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw::replay {

using Digest = std::array<std::uint8_t, 32>;

// The cache cannot be read or written (a full disk, most often); the text says what to do.
struct CacheError : Error {
  using Error::Error;
};

class EmbeddingCache {
 public:
  // Makes the folder and the file; reads what is there. Throws CacheError.
  EmbeddingCache(const std::string& folder, const std::string& encoder_hash,
                 std::uint32_t dimensions);
  ~EmbeddingCache();  // what was not flushed is lost
  EmbeddingCache(const EmbeddingCache&) = delete;
  EmbeddingCache& operator=(const EmbeddingCache&) = delete;

  bool contains(const Digest& digest) const { return at_.count(digest) != 0; }
  bool find(const Digest& digest, Span<float> embedding) const;
  void add(const Digest& digest, Span<const float> embedding);
  void flush();  // throws CacheError; then the file is as it was before

  std::size_t size() const { return at_.size(); }
  std::uint64_t damaged() const { return damaged_; }  // records whose checksum failed
  const std::string& path() const { return path_; }

 private:
  struct DigestHash {
    std::size_t operator()(const Digest& digest) const;
  };

  void open();
  void read_records();
  std::size_t record_bytes() const { return sizeof(Digest) + 4 * std::size_t{dimensions_} + 4; }

  std::string path_;
  std::string header_;
  std::uint32_t dimensions_;
  int file_ = -1;
  std::uint64_t damaged_ = 0;
  std::unordered_map<Digest, std::size_t, DigestHash> at_;  // index into embeddings_
  std::vector<float> embeddings_;
  std::vector<std::byte> waiting_;  // records to be written
};

}  // namespace jackdaw::replay
