// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the state fuzz targets share: the input becomes a file on a disk in memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "../runtime/state/simulated_disk.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw::state::test {

constexpr std::uint64_t kFuzzGeneration = 5;

inline Bytes to_bytes(const std::uint8_t* data, std::size_t size) {
  Bytes out(size);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::byte>(data[i]);
  return out;
}

inline Span<std::byte> as_bytes(std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<std::byte*>(data), size};
}

// Also in builds without assertions.
inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace jackdaw::state::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
