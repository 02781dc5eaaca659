// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A small reader of XML, strict in what a report needs: every element closed in its turn,
// attributes quoted and not given twice, no stray "<" or "&".

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace jackdaw::testing {

struct XmlElement {
  std::string name, text;  // text: of the element itself, entities as they are written
  std::vector<std::pair<std::string, std::string>> attributes;
};

class XmlCheck {
 public:
  explicit XmlCheck(const std::string& text) : text_(text) { read(); }

  const std::string& fault() const { return fault_; }  // empty: well-formed
  const std::vector<XmlElement>& elements() const { return elements_; }
  std::vector<std::string> texts_of(const std::string& name) const {
    std::vector<std::string> out;
    for (const XmlElement& e : elements_) {
      if (e.name == name) out.push_back(e.text);
    }
    return out;
  }

 private:
  static bool name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':' || c == '_';
  }
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = what + " at " + text_.substr(at_, 60);
  }
  std::string name() {
    std::string out;
    while (at_ < text_.size() && name_character(text_[at_])) out += text_[at_++];
    if (out.empty()) fail("no name");
    return out;
  }
  void spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  void check_entities(const std::string& part) {
    for (std::size_t i = part.find('&'); i != std::string::npos; i = part.find('&', i + 1)) {
      const std::string entity = part.substr(i, part.find(';', i) - i);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot" &&
          entity != "&#39") {
        fail("a stray &");
      }
    }
    for (const char c : part) {
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
        fail("a control character");
    }
  }

  void read() {
    const std::string doctype = "<!DOCTYPE html>";
    if (text_.compare(0, doctype.size(), doctype) != 0) return fail("no doctype");
    at_ = doctype.size();
    while (at_ < text_.size() && fault_.empty()) {
      const std::size_t next = std::min(text_.find('<', at_), text_.size());
      const std::string between = text_.substr(at_, next - at_);
      check_entities(between);
      if (!open_.empty()) elements_[open_.back()].text += between;
      at_ = next;
      if (at_ < text_.size()) tag();
    }
    if (fault_.empty() && !open_.empty()) fault_ = "not closed: " + elements_[open_.back()].name;
  }

  void tag() {
    ++at_;
    if (text_[at_] == '/') {
      ++at_;
      const std::string closed = name();
      if (open_.empty() || elements_[open_.back()].name != closed) return fail("</" + closed + ">");
      open_.pop_back();
      if (text_[at_++] != '>') fail("an end tag goes on");
      return;
    }
    XmlElement element;
    element.name = name();
    std::set<std::string> seen;
    for (spaces(); at_ < text_.size() && name_character(text_[at_]) && fault_.empty(); spaces()) {
      const std::string key = name();
      if (!seen.insert(key).second) fail("twice: " + key);
      if (text_.compare(at_, 2, "=\"") != 0) return fail("no value of " + key);
      const std::size_t end = text_.find('"', at_ + 2);
      if (end == std::string::npos) return fail("no end of " + key);
      const std::string value = text_.substr(at_ + 2, end - at_ - 2);
      if (value.find('<') != std::string::npos) fail("< in " + key);
      check_entities(value);
      element.attributes.emplace_back(key, value);
      at_ = end + 1;
    }
    const bool empty = text_[at_] == '/';
    if (empty) ++at_;
    if (at_ >= text_.size() || text_[at_++] != '>') return fail("a tag does not end");
    elements_.push_back(element);
    if (!empty) open_.push_back(elements_.size() - 1);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
  std::vector<XmlElement> elements_;
  std::string fault_;
};

}  // namespace jackdaw::testing
