// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/engine_key.hpp"

#include <cstddef>

#include "jackdaw/sha256.hpp"

namespace jackdaw::trt {
namespace {

constexpr std::size_t kMostWordBytes = 40;
constexpr std::size_t kDigits = 16;

// A value cannot end its line and begin another field.
std::string one_line(const std::string& text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && c != '%') {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
  return out;
}

// What may stand in a file's name everywhere; no leading dot, no slash.
std::string word(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, kMostWordBytes)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? c : '-';
  }
  return out.empty() ? "x" : out;
}

std::string short_hash(const std::string& text) {
  Sha256 hash;
  hash.add(std::string_view(text));
  return to_hex(hash.finish()).substr(0, kDigits);
}

class Lines {
 public:
  Lines& add(const char* name, const std::string& value) {
    text_ += std::string(name) + ": " + one_line(value) + "\n";
    return *this;
  }
  Lines& add(const char* name, std::uint64_t value) { return add(name, std::to_string(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_machine(Lines& lines, const EngineKey& key) {
  lines.add("tensorrt", key.tensorrt)
      .add("gpu", key.gpu.name)
      .add("sm_major", key.gpu.sm_major)
      .add("sm_minor", key.gpu.sm_minor)
      .add("multiprocessors", key.gpu.multiprocessors);
}

std::string machine_words(const EngineKey& key) {
  return "trt" + word(key.tensorrt) + "." + word(key.gpu.name) + "-sm" +
         std::to_string(key.gpu.sm_major) + std::to_string(key.gpu.sm_minor);
}

}  // namespace

const char* to_text(Precision precision) noexcept {
  return precision == Precision::kHalf ? "fp16" : "fp32";
}

std::string to_text(const EngineKey& key) {
  Lines lines;
  lines.add("kind", "engine")
      .add("encoder", key.encoder)
      .add("onnx_sha256", key.onnx_sha256)
      .add("input", key.input_name)
      .add("output", key.output_name)
      .add("channels", key.channels)
      .add("height", key.height)
      .add("width", key.width)
      .add("output_size", key.output_size)
      .add("precision", to_text(key.precision))
      .add("batch_min", key.batch.min)
      .add("batch_opt", key.batch.opt)
      .add("batch_max", key.batch.max)
      .add("workspace_bytes", key.workspace_bytes)
      .add("flags", key.flags);
  add_machine(lines, key);
  return lines.text();
}

std::string file_name(const EngineKey& key) {
  return word(key.encoder) + "." + to_text(key.precision) + ".b" + std::to_string(key.batch.min) +
         "-" + std::to_string(key.batch.opt) + "-" + std::to_string(key.batch.max) + "." +
         machine_words(key) + "." + short_hash(to_text(key)) + ".engine";
}

std::string timing_cache_text(const EngineKey& key) {
  Lines lines;
  lines.add("kind", "timing cache");
  add_machine(lines, key);
  return lines.text();
}

std::string timing_cache_file_name(const EngineKey& key) {
  return machine_words(key) + "." + short_hash(timing_cache_text(key)) + ".timing";
}

}  // namespace jackdaw::trt
