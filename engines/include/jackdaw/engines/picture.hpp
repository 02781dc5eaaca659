// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures from files. A file that is not whole is refused: a decoder that fills up what is missing
// would teach things that nobody has seen.
//
//   Picture picture;
//   if (const std::string fault = read_picture(path, picture); !fault.empty()) ...  // says what
//   encoder->encode({&picture.view, 1}, embedding);

#include <string>
#include <vector>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

struct Picture {
  std::vector<std::byte> pixels;  // BGR, rows without gaps; reused by the next picture
  FrameView view;                 // into pixels
};

// Empty if the picture was read; otherwise one sentence that names the file and what is wrong with
// it. PNG, JPEG, WebP, BMP, TIFF and binary PNM, of at most 64 MiB, 16384 pixels a side and 100
// million in all; 16 bits a channel are scaled to 8, grey becomes three equal channels, CMYK
// becomes BGR, transparency is laid over black; orientation in EXIF is followed. What OpenCV's
// decoders complain about may still appear on stderr: libpng and libjpeg print, and OpenCV lets
// them.
std::string read_picture(const std::string& path, Picture& picture);
std::string decode_picture(Span<const std::byte> file, const std::string& name, Picture& picture);

}  // namespace jackdaw
