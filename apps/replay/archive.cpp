// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/archive.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace jackdaw::replay {
namespace {

struct CloseGzip {
  void operator()(gzFile file) const { gzclose(file); }
};

constexpr std::size_t kMost = std::size_t{1} << 30U;
constexpr std::size_t kBlock = 512;  // of a tar archive

// A number in octal digits, ended by a space or a zero.
std::size_t octal(const char* field, std::size_t size, const std::string& path) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < size && field[i] != '\0' && field[i] != ' '; ++i) {
    if (field[i] < '0' || field[i] > '7') {
      throw DataError(path + ": is not a tar archive, or a damaged one");
    }
    value = value * 8 + static_cast<std::size_t>(field[i] - '0');
  }
  return value;
}

}  // namespace

std::string read_gzip(const std::string& path) {
  const std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip> file(gzopen(path.c_str(), "rb"));
  if (!file) throw DataError(path + ": cannot be opened: " + std::strerror(errno));
  std::string content;
  std::string piece(std::size_t{1} << 20U, '\0');
  while (true) {
    const int got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()));
    int error = Z_OK;
    const char* text = gzerror(file.get(), &error);
    if (got < 0 || error != Z_OK) {
      throw DataError(path + ": cannot be unpacked: " +
                      (error == Z_ERRNO ? std::strerror(errno) : text) + "; fetch it again");
    }
    content.append(piece, 0, static_cast<std::size_t>(got));
    if (content.size() > kMost) throw DataError(path + ": holds more than 1 GiB");
    if (static_cast<std::size_t>(got) < piece.size()) return content;
  }
}

std::map<std::string, std::string> read_tar(const std::string& bytes, const std::string& path) {
  std::map<std::string, std::string> files;
  std::size_t at = 0;
  while (at + kBlock <= bytes.size() && bytes[at] != '\0') {
    const char* header = bytes.data() + at;
    const std::string name(header, strnlen(header, 100));
    const std::size_t size = octal(header + 124, 12, path);
    const char type = header[156];
    at += kBlock;
    if (size > bytes.size() - at) throw DataError(path + ": ends in the middle of " + name);
    if (type == '0' || type == '\0') files[name] = bytes.substr(at, size);
    at += (size + kBlock - 1) / kBlock * kBlock;
  }
  if (files.empty()) throw DataError(path + ": is not a tar archive, or an empty one");
  return files;
}

}  // namespace jackdaw::replay
