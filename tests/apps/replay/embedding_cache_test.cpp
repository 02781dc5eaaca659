// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "jackdaw/sha256.hpp"
#include "replay/embedding_cache.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::uint32_t kSize = 7;
constexpr std::size_t kRecord = 32 + 4 * kSize + 4, kHeader = 80;

Digest digest_of(int number) {
  Sha256 hash;
  hash.add(std::to_string(number));
  return hash.finish();
}

std::vector<float> embedding_of(int number) {
  std::mt19937 random(static_cast<unsigned>(number));
  std::vector<float> out(kSize);
  for (float& value : out) value = static_cast<float>(random() % 1000) / 7.0F;
  return out;
}

void fill(EmbeddingCache& cache, int first, int end) {
  for (int i = first; i < end; ++i) cache.add(digest_of(i), embedding_of(i));
  cache.flush();
}

int held(const EmbeddingCache& cache, int end) {
  int found = 0;
  std::vector<float> embedding(kSize);
  for (int i = 0; i < end; ++i) {
    if (!cache.find(digest_of(i), embedding)) continue;
    ++found;
    CHECK(embedding == embedding_of(i));
  }
  return found;
}

TEST_CASE("what was flushed is there again, what was not is not") {
  testing::TemporaryFolder folder;
  {
    EmbeddingCache cache(folder.path("c"), "hash", kSize);
    fill(cache, 0, 300);
    cache.add(digest_of(300), embedding_of(300));
    CHECK(held(cache, 301) == 301);
  }
  const EmbeddingCache again(folder.path("c"), "hash", kSize);
  CHECK(again.size() == 300);
  CHECK(held(again, 301) == 300);
  CHECK(EmbeddingCache(folder.path("c"), "other", kSize).size() == 0);
}

TEST_CASE("cut off at any byte, the cache keeps every whole record and goes on") {
  testing::TemporaryFolder folder;
  const std::string path = [&] {
    EmbeddingCache cache(folder.path("c"), "hash", kSize);
    fill(cache, 0, 3);
    return cache.path();
  }();
  const std::string whole = folder.path("whole");
  std::filesystem::copy_file(path, whole);
  REQUIRE(std::filesystem::file_size(whole) == kHeader + 3 * kRecord);
  for (std::size_t size = 0; size < kHeader + 3 * kRecord; ++size) {
    std::filesystem::copy_file(whole, path, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path, size);
    const int left = size < kHeader ? 0 : static_cast<int>((size - kHeader) / kRecord);
    {
      EmbeddingCache cache(folder.path("c"), "hash", kSize);
      REQUIRE(held(cache, 3) == left);
      fill(cache, left, 5);
    }
    const EmbeddingCache again(folder.path("c"), "hash", kSize);
    REQUIRE(held(again, 5) == 5);
    REQUIRE(again.damaged() == 0);
  }
}

TEST_CASE("a damaged record counts as not there and is replaced") {
  testing::TemporaryFolder folder;
  const std::string path = [&] {
    EmbeddingCache cache(folder.path("c"), "hash", kSize);
    fill(cache, 0, 5);
    return cache.path();
  }();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(kHeader + 2 * kRecord + 40);
  file.put('!');
  file.close();
  {
    EmbeddingCache cache(folder.path("c"), "hash", kSize);
    CHECK(cache.damaged() == 1);
    CHECK(held(cache, 5) == 4);
    CHECK_FALSE(cache.contains(digest_of(2)));
    fill(cache, 0, 5);
  }
  CHECK(held(EmbeddingCache(folder.path("c"), "hash", kSize), 5) == 5);
}

TEST_CASE("a file of something else is refused, not overwritten") {
  testing::TemporaryFolder folder;
  { EmbeddingCache cache(folder.path("c"), "hash", kSize); }
  CHECK_THROWS_AS(EmbeddingCache(folder.path("c"), "hash", kSize + 1), CacheError);
  const std::string path = EmbeddingCache(folder.path("c"), "hash", kSize).path();
  std::ofstream(path, std::ios::trunc) << "somebody's";
  CHECK_THROWS_AS(EmbeddingCache(folder.path("c"), "hash", kSize), CacheError);
  CHECK(std::filesystem::file_size(path) == 10);
  std::filesystem::resize_file(path, 0);
  CHECK(EmbeddingCache(folder.path("c"), "hash", kSize).size() == 0);
}

TEST_CASE("two that write at the same time lose nothing") {
  testing::TemporaryFolder folder;
  {
    EmbeddingCache a(folder.path("c"), "hash", kSize), b(folder.path("c"), "hash", kSize);
    for (int i = 0; i < 40; i += 2) {
      fill(a, i, i + 1);
      fill(b, i + 1, i + 2);
    }
  }
  CHECK(held(EmbeddingCache(folder.path("c"), "hash", kSize), 40) == 40);
}

// In a child, because the limit cannot be raised again.
TEST_CASE("a full disk is an error that says what to do, and leaves whole records") {
  testing::TemporaryFolder folder;
  { EmbeddingCache cache(folder.path("c"), "hash", kSize); }
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{kHeader + 10 * kRecord + 5, kHeader + 10 * kRecord + 5};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(2);
    try {
      EmbeddingCache cache(folder.path("c"), "hash", kSize);
      for (int i = 0; i < 8; ++i) cache.add(digest_of(i), embedding_of(i));
      cache.flush();
      for (int i = 8; i < 20; ++i) cache.add(digest_of(i), embedding_of(i));
      cache.flush();
    } catch (const CacheError& error) {
      const std::string text = error.what();
      ::_exit(text.find("JACKDAW_CACHE") != std::string::npos ? 0 : 3);
    }
    ::_exit(1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  const EmbeddingCache cache(folder.path("c"), "hash", kSize);
  CHECK(held(cache, 20) == 8);
  CHECK(std::filesystem::file_size(cache.path()) == kHeader + 8 * kRecord);
}

TEST_CASE("a folder that cannot be made is an error") {
  testing::TemporaryFolder folder;
  std::ofstream(folder.path("file")) << "x";
  CHECK_THROWS_AS(EmbeddingCache(folder.path("file"), "hash", kSize), CacheError);
}

}  // namespace
}  // namespace jackdaw::replay
