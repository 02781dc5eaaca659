// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the file of a picture says about itself, and whether all of it is there: decoders fill up
// what is missing and allocate whatever a header asks for, so both are decided before.
//
//   Container container;
//   if (const std::string fault = check_container(file, container); !fault.empty()) ...
//
// A fault is the rest of a sentence that begins with the file's name: "is cut off: …".

#include <cstdint>
#include <string>

#include "picture/bytes.hpp"

namespace jackdaw {

struct Container {
  std::uint64_t width = 0, height = 0;  // before the orientation is followed
  bool jpeg = false;
  bool transparent = false;
  int grey_key = -1;    // grey PNG: the value, as decoded, that means: nothing there
  int orientation = 1;  // as EXIF counts, 1 to 8; 1 where the decoder sees to it itself
};

// Recognises the format and asks the function for it.
std::string check_container(Bytes file, Container& container);

// Each takes a file that begins as its format does.
std::string check_png(Bytes file, Container& container);
std::string check_jpeg(Bytes file, Container& container);
std::string check_webp(Bytes file, Container& container);
std::string check_bmp(Bytes file, Container& container);
std::string check_pnm(Bytes file, Container& container);   // the binary ones: P4, P5, P6
std::string check_tiff(Bytes file, Container& container);  // not BigTIFF

// What no structure tells: whether the data of a JPEG can be followed to their end. "" also where
// Jackdaw was built without libjpeg, which has to be asked.
std::string jpeg_damage(Span<const std::byte> file);
bool sees_jpeg_damage() noexcept;

// From a TIFF structure, as EXIF is; 1 if it does not say.
int exif_orientation(Bytes tiff) noexcept;

}  // namespace jackdaw
