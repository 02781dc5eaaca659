// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {

std::string check_container(Bytes file, Container& container) {
  container = {};
  if (file.is(0, "\x89PNG\r\n\x1A\n")) return check_png(file, container);
  if (file.is(0, "\xFF\xD8\xFF")) return check_jpeg(file, container);
  if (file.is(0, "RIFF") && file.is(8, "WEBP")) return check_webp(file, container);
  if (file.is(0, "BM")) return check_bmp(file, container);
  if (file.is(0, "P4") || file.is(0, "P5") || file.is(0, "P6")) return check_pnm(file, container);
  if (file.is(0, {"II*\0", 4}) || file.is(0, {"MM\0*", 4})) return check_tiff(file, container);
  return "is not a picture that OpenCV reads and that can be checked: it begins as none of PNG, "
         "JPEG, WebP, BMP, binary PNM and TIFF does";
}

}  // namespace jackdaw
