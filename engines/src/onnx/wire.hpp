// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Protocol buffers as bytes: enough to take a message apart into its fields and to put one
// together. An ONNX file is one such message.
//
//   for (WireReader reader(file); reader.next();) out.copy(reader);      // all fields as they are
//   out.bytes(7, graph.data());                                          // field 7: a message

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "jackdaw/error.hpp"

namespace jackdaw::onnx {

struct WireError : Error {
  using Error::Error;
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  bool next();  // to the next field; false at the end; throws WireError on a broken message

  std::uint32_t field() const { return field_; }
  std::uint64_t number() const { return number_; }          // of a varint
  std::string_view bytes() const { return bytes_; }         // of a string or message; else empty
  std::string_view as_written() const { return written_; }  // tag and value

 private:
  std::uint64_t varint();
  std::string_view take(std::uint64_t size);

  std::string_view rest_;
  std::uint32_t field_ = 0;
  std::uint64_t number_ = 0;
  std::string_view bytes_, written_;
};

class WireWriter {
 public:
  void copy(const WireReader& reader) { out_.append(reader.as_written()); }
  void number(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  const std::string& data() const { return out_; }

 private:
  void varint(std::uint64_t value);

  std::string out_;
};

}  // namespace jackdaw::onnx
