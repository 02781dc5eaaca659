// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Well-formed XHTML, element by element: what is opened is closed, and all text is escaped.
//
//   Html html;
//   html.open("p", {{"class", "note"}});
//   html.text(name_from_a_folder);
//   html.close();

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace jackdaw::replay::report {

// For text and for attributes. What XML cannot hold, what is no UTF-8 and what turns the direction
// of the text around it becomes U+FFFD.
std::string escape(const std::string& text);

// How many bytes the character at `at` has, and its code; 0 if it is no UTF-8.
std::size_t decode(const std::string& text, std::size_t at, std::uint32_t& code);

using Attributes = std::initializer_list<std::pair<const char*, std::string>>;

class Html {
 public:
  void open(const char* tag, Attributes attributes = {});
  void close();
  void text(const std::string& text) { out_ += escape(text); }
  // <tag ...>text</tag>
  void element(const char* tag, Attributes attributes, const std::string& text);
  void element(const char* tag, const std::string& text) { element(tag, {}, text); }
  // <tag ... />
  void empty(const char* tag, Attributes attributes = {});
  // Only for what is written in this program.
  void raw(const std::string& markup) { out_ += markup; }
  std::size_t depth() const { return open_.size(); }
  std::string take();

 private:
  void begin(const char* tag, Attributes attributes);

  std::string out_;
  std::vector<const char*> open_;
};

// Opens an element for as long as it lives.
class Inside {
 public:
  Inside(Html& html, const char* tag, Attributes attributes = {}) : html_(html) {
    html_.open(tag, attributes);
  }
  ~Inside() { html_.close(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Html& html_;
};

}  // namespace jackdaw::replay::report
