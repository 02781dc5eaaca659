// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernel is told of a frame, and how a frame's weight tables are laid out. Plain C++: the
// tests fill it the way device_preprocess.cpp does.
//
//   const std::size_t bytes = table_bytes(columns, rows);
//   DeviceFrame in_device = device_frame(frame, columns, rows, memory_of_the_device);
//   write_tables(columns, rows, memory_of_the_host);      // then copied there, `bytes` bytes

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "jackdaw/engines/frame.hpp"
#include "preprocess/resample.hpp"

namespace jackdaw::cuda {

// One axis; device memory, as Resampling has it.
struct AxisTables {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* offsets = nullptr;
  const float* weights = nullptr;
};

// Everything that can change from frame to frame.
struct DeviceFrame {
  const std::uint8_t* data = nullptr;  // device
  std::uint64_t stride = 0;
  const std::uint8_t* colour = nullptr;  // device; NV12
  std::uint64_t colour_stride = 0;
  AxisTables columns, rows;
  PixelFormat format = PixelFormat::kBgr;
};

inline std::size_t table_bytes(const Resampling& axis) noexcept {
  return axis.first().size_bytes() + axis.offsets().size_bytes() + axis.weights().size_bytes();
}
inline std::size_t table_bytes(const Resampling& columns, const Resampling& rows) noexcept {
  return table_bytes(columns) + table_bytes(rows);
}

// No frame with sides up to most_side needs more.
inline std::size_t most_table_bytes(std::uint32_t most_side, std::uint32_t width,
                                    std::uint32_t height) noexcept {
  const auto axis = [&](std::uint32_t to) {
    return 4 * (2 * std::size_t{to} + 1 + Resampling::most_weights(most_side, to));
  };
  return axis(width) + axis(height);
}

inline std::byte* write_tables(const Resampling& axis, std::byte* to) noexcept {
  const auto put = [&](const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(axis.first().data(), axis.first().size_bytes());
  put(axis.offsets().data(), axis.offsets().size_bytes());
  put(axis.weights().data(), axis.weights().size_bytes());
  return to;
}
inline void write_tables(const Resampling& columns, const Resampling& rows,
                         std::byte* to) noexcept {
  write_tables(rows, write_tables(columns, to));
}

inline AxisTables axis_tables(const Resampling& axis, const std::byte* at) noexcept {
  const auto* first = reinterpret_cast<const std::uint32_t*>(at);
  const std::uint32_t* offsets = first + axis.first().size();
  return {first, offsets, reinterpret_cast<const float*>(offsets + axis.offsets().size())};
}

// tables: where in device memory the tables will lie; a multiple of 4.
inline DeviceFrame device_frame(const FrameView& frame, const Resampling& columns,
                                const Resampling& rows, const std::byte* tables) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(frame.data),
          frame.stride,
          reinterpret_cast<const std::uint8_t*>(frame.colour),
          frame.colour_stride,
          axis_tables(columns, tables),
          axis_tables(rows, tables + table_bytes(columns)),
          frame.format};
}

}  // namespace jackdaw::cuda
