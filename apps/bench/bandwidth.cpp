// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Compiled with -O3 -ffast-math and, on x86, for several instruction sets at once: these loops are
// the yardstick, so they get every liberty that the learner's own do not take.
#include "bench/bandwidth.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__x86_64__)
#define JACKDAW_BENCH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define JACKDAW_BENCH_CLONES
#endif

namespace jackdaw::bench {
namespace {

JACKDAW_BENCH_CLONES std::uint64_t sum_words(const std::uint64_t* words, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += words[i];
  return sum;
}

JACKDAW_BENCH_CLONES void add_words(std::uint64_t* words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) words[i] += 1;
}

JACKDAW_BENCH_CLONES float dot_i16(const float* x, const std::int16_t* row, std::size_t count) {
  float sum = 0.0F;
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * static_cast<float>(row[i]);
  return sum;
}

JACKDAW_BENCH_CLONES float dot_f32(const float* x, const float* row, std::size_t count) {
  float sum = 0.0F;
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * row[i];
  return sum;
}

}  // namespace

std::uint64_t read_all(Span<const std::byte> bytes) {
  return sum_words(reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / 8);
}

void update_all(Span<std::byte> bytes) {
  add_words(reinterpret_cast<std::uint64_t*>(bytes.data()), bytes.size() / 8);
}

float bare_dot(Span<const float> x, Span<const std::int16_t> rows) {
  float sum = 0.0F;
  for (std::size_t i = 0; i + x.size() <= rows.size(); i += x.size()) {
    sum += dot_i16(x.data(), rows.data() + i, x.size());
  }
  return sum;
}

float bare_dot(Span<const float> x, Span<const float> rows) {
  float sum = 0.0F;
  for (std::size_t i = 0; i + x.size() <= rows.size(); i += x.size()) {
    sum += dot_f32(x.data(), rows.data() + i, x.size());
  }
  return sum;
}

Block::Block(std::size_t bytes) : size_(bytes) {
  void* memory = nullptr;
  constexpr std::size_t kHugePage = std::size_t{2} << 20U;
  if (posix_memalign(&memory, kHugePage, bytes) != 0) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 0, bytes);
  data_ = static_cast<std::byte*>(memory);
}

Block::~Block() { std::free(data_); }

}  // namespace jackdaw::bench
