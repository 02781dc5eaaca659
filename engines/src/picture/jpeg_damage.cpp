// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Only where libjpeg is: it decodes what is left of damaged data and warns on standard error,
// without a name, so OpenCV, which uses it, gives a wrong picture as a good one.
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it before

#include <jpeglib.h>

#include <jerror.h>

#include "picture/container.hpp"

namespace jackdaw {
namespace {

// Before a marker, so many bytes that are not picture are left in peace: some cameras fill up.
constexpr int kPadding = 16;

// libjpeg's errors jump back to where `back` was set, so no object with a destructor may be made
// between there and a call of libjpeg's.
struct Inspection {
  Inspection() {
    info.err = jpeg_std_error(&errors);
    info.client_data = this;
  }
  ~Inspection() { jpeg_destroy_decompress(&info); }
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

  jpeg_error_mgr errors{};
  jpeg_decompress_struct info{};
  std::jmp_buf back{};
  bool damaged = false;
};

bool says_damage(const jpeg_error_mgr& errors) {
  switch (errors.msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
      return true;
    case JWRN_EXTRANEOUS_DATA:
      return errors.msg_parm.i[0] > kPadding;
    default:
      return false;
  }
}

Inspection& of(j_common_ptr info) { return *static_cast<Inspection*>(info->client_data); }

void on_message(j_common_ptr info, int level) {
  if (level >= 0 || !says_damage(*info->err)) return;
  of(info).damaged = true;
  std::longjmp(of(info).back, 1);
}

// What libjpeg cannot go on with is for the decoder to refuse: it may know more.
void on_error(j_common_ptr info) { std::longjmp(of(info).back, 1); }

void inspect(Span<const std::byte> file, Inspection& at) {
  at.errors.emit_message = on_message;
  at.errors.error_exit = on_error;
  if (setjmp(at.back) != 0) return;
  jpeg_create_decompress(&at.info);
  jpeg_mem_src(&at.info, reinterpret_cast<const unsigned char*>(file.data()),
               static_cast<unsigned long>(file.size()));
  jpeg_read_header(&at.info, TRUE);
  jpeg_read_coefficients(&at.info);  // all but the arithmetic of decoding
  jpeg_finish_decompress(&at.info);
}

}  // namespace

bool sees_jpeg_damage() noexcept { return true; }

std::string jpeg_damage(Span<const std::byte> file) {
  Inspection inspection;
  inspect(file, inspection);
  return inspection.damaged ? "is damaged: there are errors inside its JPEG data" : "";
}

}  // namespace jackdaw
