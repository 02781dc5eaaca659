// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/section.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/door.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "sections are little-endian in memory");

template <class T>
T read(Span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <class T>
void write(Span<std::byte> bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

// Element `index` of the rows as a whole number; false if no ensemble could have written it.
bool read_element(StoreType store, Span<const std::byte> rows, std::size_t index,
                  std::int32_t& value) {
  switch (store) {
    case StoreType::kInt16:
      value = read<std::int16_t>(rows, index * 2);
      break;
    case StoreType::kInt32:
      value = read<std::int32_t>(rows, index * 4);
      break;
    case StoreType::kHalf: {
      const Half stored = read<Half>(rows, index * 2);
      const float number = to_float(stored);
      if (!std::isfinite(number) || std::nearbyint(number) != number || stored.bits == 0x8000U) {
        return false;
      }
      if (std::fabs(number) > 2047.0F) return false;
      value = static_cast<std::int32_t>(number);
      break;
    }
  }
  return value >= -element_limit(store) && value <= element_limit(store);
}

void write_element(StoreType store, Span<std::byte> rows, std::size_t index, std::int32_t value) {
  switch (store) {
    case StoreType::kInt16:
      write(rows, index * 2, static_cast<std::int16_t>(value));
      break;
    case StoreType::kInt32:
      write(rows, index * 4, value);
      break;
    case StoreType::kHalf:
      write(rows, index * 2, to_half(static_cast<float>(value)));
      break;
  }
}

}  // namespace

ClassSection::ClassSection(const EnsembleSettings& s) noexcept {
  const std::size_t stride = padded(s.dimensions);
  counts = std::size_t{s.classifiers} * stride * element_bytes(s.store);
  sums = counts + std::size_t{s.classifiers} * 4;
  tail = sums + (s.profile == Profile::kDefault ? stride * 4 : 0);
  bytes = tail + 8;
}

SharedSection::SharedSection(const EnsembleSettings& s) noexcept {
  if (s.profile == Profile::kSeed) return;
  const std::size_t stride = padded(s.dimensions);
  retired = stride * stride * 4;
  bytes = retired + 16;
}

const char* find_fault_in_class(const EnsembleSettings& s, Span<const std::byte> section) {
  const ClassSection at(s);
  if (section.size() != at.bytes) return "its size does not fit the settings";
  const StoreShape shape = shape_of(s);
  const auto taught = read<std::int32_t>(section, at.tail);
  const auto clipped = read<std::int32_t>(section, at.tail + 4);
  if (taught < 0 || clipped < 0) return "a counter is negative";
  std::int64_t picks = 0;
  for (std::size_t j = 0; j < shape.classifiers; ++j) {
    // A bias of profile seed falls where a chosen key lies on the far side of the example.
    const std::int64_t stored = read<std::int32_t>(section, at.counts + j * 4);
    const std::int64_t count = s.profile == Profile::kSeed ? std::abs(stored) : stored;
    if (count < 0 || count > taught) return "a classifier's count is not between 0 and the class's";
    picks += count;
    for (std::size_t i = 0; i < shape.stride; ++i) {
      std::int32_t value = 0;
      if (!read_element(s.store, section, j * shape.stride + i, value)) {
        return "a row holds a number that the store cannot hold";
      }
      if (i >= shape.dimensions && value != 0) return "a row's padding is not zero";
    }
  }
  if (s.profile == Profile::kDefault && picks != std::int64_t{taught} * s.nearest) {
    return "the classifiers' counts do not sum to the class's";
  }
  if (s.profile == Profile::kSeed && picks > std::int64_t{taught} * s.nearest) {
    return "the classifiers' counts sum to more than the class's";
  }
  for (std::size_t i = 0; s.profile == Profile::kDefault && i < shape.stride; ++i) {
    const std::int64_t sum = read<std::int32_t>(section, at.sums + i * 4);
    if (std::abs(sum) > std::int64_t{taught} * 127)
      return "a class sum is larger than its examples";
    if (i >= shape.dimensions && sum != 0) return "the class sums' padding is not zero";
  }
  return nullptr;
}

const char* find_fault_in_shared(const EnsembleSettings& s, Span<const std::byte> section) {
  const SharedSection at(s);
  if (section.size() != at.bytes) return "its size does not fit the settings";
  if (at.bytes == 0) return nullptr;
  const StoreShape shape = shape_of(s);
  constexpr std::int64_t kMostRetired = std::int64_t{1} << 40U;  // sums of two must not overflow
  for (const std::size_t offset : {at.retired, at.retired + 8}) {
    const auto counter = read<std::int64_t>(section, offset);
    if (counter < 0 || counter > kMostRetired) return "a counter is impossible";
  }
  for (std::size_t r = 0; r < shape.stride; ++r) {
    const auto diagonal = read<std::int32_t>(section, (r * shape.stride + r) * 4);
    if (diagonal < 0 || (r >= shape.dimensions && diagonal != 0))
      return "its diagonal is impossible";
  }
  // No product of two sums can pass the larger of its squares; closing a class rounds by half at
  // most.
  const std::int64_t rounding = read<std::int64_t>(section, at.retired + 8);
  const auto square = [&](std::size_t i) {
    return std::int64_t{read<std::int32_t>(section, (i * shape.stride + i) * 4)};
  };
  for (std::size_t r = 0; r < shape.stride; ++r) {
    for (std::size_t c = 0; c < 16 * (r / 16 + 1); ++c) {
      const std::int64_t entry = read<std::int32_t>(section, (r * shape.stride + c) * 4);
      if (std::abs(entry) > std::max(square(r), square(c)) + rounding)
        return "an entry is impossible";
    }
  }
  return nullptr;
}

bool add_class_section(const EnsembleSettings& s, Span<std::byte> target, std::uint32_t source_slot,
                       Span<const std::byte> source, int sign) {
  const ClassSection at(s);
  const StoreShape shape = shape_of(s);
  const bool seed = s.profile == Profile::kSeed;
  const std::int64_t limit = element_limit(s.store);
  std::vector<std::int32_t> initial(seed ? shape.dimensions : 0);
  bool overflow = false;
  auto add32 = [&](std::size_t offset) {
    std::int32_t sum = 0;
    overflow |=
        __builtin_add_overflow(std::int64_t{read<std::int32_t>(target, offset)},
                               sign * std::int64_t{read<std::int32_t>(source, offset)}, &sum);
    write(target, offset, sum);
  };
  std::int32_t clipped_rows = 0;
  for (std::uint32_t j = 0; j < shape.classifiers; ++j) {
    if (seed) draw_initial_row(s, j, source_slot, initial);
    bool clipped = false;
    for (std::size_t i = 0; i < shape.dimensions; ++i) {
      const std::size_t index = j * std::size_t{shape.stride} + i;
      std::int32_t ours = 0;
      std::int32_t theirs = 0;
      read_element(s.store, target, index, ours);
      read_element(s.store, source, index, theirs);
      const std::int64_t taught = std::int64_t{theirs} - (seed ? initial[i] : 0);
      const std::int64_t sum = ours + sign * taught;
      const std::int64_t kept = std::clamp(sum, -limit, limit);
      clipped |= kept != sum;
      write_element(s.store, target, index, static_cast<std::int32_t>(kept));
    }
    clipped_rows += clipped ? 1 : 0;
    add32(at.counts + j * 4);
  }
  for (std::size_t offset = at.sums; offset < at.bytes; offset += 4) add32(offset);
  write(target, at.tail + 4, read<std::int32_t>(target, at.tail + 4) + clipped_rows);
  return !overflow;
}

bool add_shared_section(const EnsembleSettings& s, Span<std::byte> target,
                        Span<const std::byte> source, int sign) {
  const SharedSection at(s);
  bool overflow = false;
  for (std::size_t offset = 0; offset < at.retired; offset += 4) {
    std::int32_t sum = 0;
    overflow |=
        __builtin_add_overflow(std::int64_t{read<std::int32_t>(target, offset)},
                               sign * std::int64_t{read<std::int32_t>(source, offset)}, &sum);
    write(target, offset, sum);
  }
  for (std::size_t offset = at.retired; offset < at.bytes; offset += 8) {
    write(target, offset,
          read<std::int64_t>(target, offset) + sign * read<std::int64_t>(source, offset));
  }
  return !overflow;
}

}  // namespace jackdaw
