// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// When there is no memory for a larger frame, that frame is refused and the next one works. A
// program of its own: it replaces operator new.

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>
#include <random>
#include <vector>

#include "preprocess/preprocess.hpp"
#include "preprocess_pictures.hpp"
#include "support/seed.hpp"

namespace {

int left = -1;  // allocations that still succeed; -1: all

}  // namespace

void* operator new(std::size_t bytes) {
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace jackdaw::testing {

TEST_CASE("preprocess: no memory for a larger frame") {
  std::mt19937_64 rng(seed());
  const Manifest m = manifest_for(ColourOrder::kRgb, 8, 6);
  const Picture small(PixelFormat::kBgr, 20, 10, 0, rng);
  const Picture large(PixelFormat::kNv12, 50, 40, 0, rng);
  std::vector<float> fresh(std::size_t{3} * 8 * 6);
  std::vector<float> input = fresh;
  int refused = 0;
  for (int successes = 0;; ++successes) {
    INFO(successes);
    Preprocess preprocess(m);
    REQUIRE(preprocess.run(small.view(), fresh) == Status::kOk);
    input = fresh;
    left = successes;
    const Status status = preprocess.run(large.view(), input);
    left = -1;
    if (status == Status::kOk) break;
    ++refused;
    CHECK(status == Status::kEncoderFailed);
    CHECK(input == fresh);
    REQUIRE(preprocess.run(small.view(), input) == Status::kOk);
    CHECK(input == fresh);
    REQUIRE(preprocess.run(large.view(), input) == Status::kOk);
    Preprocess other(m);
    REQUIRE(other.run(large.view(), fresh) == Status::kOk);
    CHECK(input == fresh);
  }
  CHECK(refused >= 3);  // the columns, the rows, the row
}

}  // namespace jackdaw::testing
