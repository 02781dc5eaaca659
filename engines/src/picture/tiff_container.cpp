// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/frame.hpp"
#include "picture/container.hpp"

namespace jackdaw {
namespace {

enum : std::uint32_t {
  kWidth = 256,
  kHeight = 257,
  kBits = 258,
  kStripOffsets = 273,
  kSamples = 277,
  kStripCounts = 279,
  kTileWidth = 322,
  kTileHeight = 323,
  kTileOffsets = 324,
  kTileCounts = 325,
  kSampleFormat = 339,
};

// One field of the directory: a list of 16- or 32-bit numbers, in place if they fit into 4 bytes.
class Field {
 public:
  Field() = default;
  Field(Bytes file, std::uint64_t at) : wide_(file.u16(at + 2) == 4), count_(file.u32(at + 4)) {
    const std::uint64_t bytes = count_ * (wide_ ? 4U : 2U);
    at_ = bytes <= 4 ? at + 8 : file.u32(at + 8);
    whole_ = (wide_ || file.u16(at + 2) == 3) && file.has(at_, bytes);
  }
  bool whole() const { return whole_; }
  std::uint64_t count() const { return whole_ ? count_ : 0; }
  std::uint64_t get(Bytes file, std::uint64_t i) const {
    return wide_ ? file.u32(at_ + 4 * i) : file.u16(at_ + 2 * i);
  }

 private:
  bool wide_ = false, whole_ = false;
  std::uint64_t count_ = 0, at_ = 0;
};

}  // namespace

std::string check_tiff(Bytes big_endian, Container& container) {
  const Bytes file = big_endian.little_endian(big_endian.is(0, "II"));
  const std::string cut_off = "is cut off or damaged: its TIFF data is not where its header says";
  const std::uint64_t directory = file.u32(4), entries = file.u16(directory);
  if (!file.has(directory, 2 + 12 * entries + 4)) return cut_off;
  Field offsets, counts;
  std::uint64_t samples = 1, bits = 1, format = 1;
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t at = directory + 2 + 12 * i;
    if (i > 0 && file.u16(at) <= file.u16(at - 12)) {  // a size twice would be two sizes
      return "is damaged: the fields of its TIFF header are not in order";
    }
    const Field field(file, at);
    const std::uint64_t first = field.count() > 0 ? field.get(file, 0) : 0;
    switch (file.u16(at)) {
      case kWidth:
        container.width = first;
        break;
      case kHeight:
        container.height = first;
        break;
      case kBits:
        bits = first;
        break;
      case kTileWidth:
      case kTileHeight:
        if (first > kMostPixelsASide) return "is a TIFF of tiles that are too large";
        break;
      case kSamples:
        samples = first;
        break;
      case kSampleFormat:
        format = first;
        break;
      case kStripOffsets:
      case kTileOffsets:
        offsets = field;
        break;
      case kStripCounts:
      case kTileCounts:
        counts = field;
        break;
      default:
        break;
    }
  }
  if ((samples != 1 && samples != 3) || bits > 16 || format != 1) {
    return "is a TIFF of " + std::to_string(samples) + " samples of " + std::to_string(bits) +
           " bits a pixel; 1 or 3 of up to 16, without transparency, are read";
  }
  if (offsets.count() == 0 || offsets.count() != counts.count()) return cut_off;
  for (std::uint64_t i = 0; i < offsets.count(); ++i) {
    if (!file.has(offsets.get(file, i), counts.get(file, i))) return cut_off;
  }
  return "";
}

}  // namespace jackdaw
