// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Global memory of the emulated GPU: buffers with guard bytes on both sides. Every access of a
// kernel is looked up (inside of one buffer, aligned) and written down; after the launch two
// accesses to the same bytes, at least one a write, by threads that no barrier orders, are a race.
//
//   Buffer<std::int32_t> counts(n);       // filled with 0xC3 until written
//   counts[3] = 7;                        // from the host

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace jackdaw::emulation {

enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

// False: the access was refused (and reported) and must not be made.
bool touch(const void* at, std::size_t bytes, std::size_t alignment, Access access);

void begin_global_launch();
void end_global_launch();

class RawBuffer {
 public:
  explicit RawBuffer(std::size_t bytes);
  ~RawBuffer();
  RawBuffer(const RawBuffer&) = delete;
  RawBuffer& operator=(const RawBuffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  bool guards_hold() const;

 private:
  std::vector<std::byte> memory_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Memory of somebody else that kernels may use as long as this lives.
class Borrowed {
 public:
  Borrowed(const void* data, std::size_t bytes);
  ~Borrowed();
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  const void* end_;
};

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : raw_(count * sizeof(T)), count_(count) {}

  T* data() const { return reinterpret_cast<T*>(raw_.data()); }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data() + count_; }
  void fill(T value) const {
    for (T& cell : *this) cell = value;
  }
  std::vector<T> copy() const { return std::vector<T>(begin(), end()); }
  void assign(const std::vector<T>& from) const {
    if (!from.empty()) std::memcpy(data(), from.data(), from.size() * sizeof(T));
  }

 private:
  RawBuffer raw_;
  std::size_t count_;
};

}  // namespace jackdaw::emulation
