// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/html.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

bool allowed(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  if (code >= 0x7F && code < 0xA0) return false;
  if (code >= 0xD800 && code < 0xE000) return false;
  if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return false;
  return code < 0xFFFE || code > 0xFFFF;
}

}  // namespace

std::size_t decode(const std::string& text, std::size_t at, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || at + length > text.size()) return 0;
  code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (byte(at + i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return overlong || code > 0x10FFFF ? 0 : length;
}

std::string escape(const std::string& text) {
  std::string out;
  out.reserve(text.size() + 16);
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = 0;
    const std::size_t length = decode(text, at, code);
    if (length == 0 || !allowed(code)) {
      out += kReplacement;
    } else if (code == '&') {
      out += "&amp;";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '"') {
      out += "&quot;";
    } else if (code == '\'') {
      out += "&#39;";
    } else {
      out.append(text, at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

void Html::begin(const char* tag, Attributes attributes) {
  out_ += '<';
  out_ += tag;
  for (const auto& [name, value] : attributes) {
    if (value.empty()) continue;
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    out_ += escape(value);
    out_ += '"';
  }
}

void Html::open(const char* tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += '>';
  open_.push_back(tag);
}

void Html::close() {
  out_ += "</";
  out_ += open_.back();
  out_ += '>';
  const std::string tag = open_.back();
  open_.pop_back();
  if (tag != "text" && tag != "title" && tag != "code" && tag != "a" && tag != "span" &&
      tag != "b" && tag != "small") {
    out_ += '\n';
  }
}

void Html::element(const char* tag, Attributes attributes, const std::string& text) {
  open(tag, attributes);
  out_ += escape(text);
  close();
}

void Html::empty(const char* tag, Attributes attributes) {
  begin(tag, attributes);
  out_ += " />";
}

std::string Html::take() {
  while (!open_.empty()) close();
  return std::move(out_);
}

}  // namespace jackdaw::replay::report
