// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/redaction.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cctype>
#include <climits>
#include <cstdlib>
#include <regex>
#include <utility>

namespace jackdaw::doctor {
namespace {

bool part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// Only where it is not part of a longer word, and `here` agrees with its begin and end.
template <class Here>
std::string replaced(std::string text, const std::string& word, const std::string& by, Here here) {
  if (word.empty()) return text;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    const std::size_t end = at + word.size();
    const bool whole = (at == 0 || !part_of_word(text[at - 1])) &&
                       (end == text.size() || !part_of_word(text[end])) && here(text, at, end);
    if (whole) text.replace(at, word.size(), by);
    at += whole ? by.size() : word.size();
  }
  return text;
}

bool anywhere(const std::string&, std::size_t, std::size_t) { return true; }

bool in_path_or_address(const std::string& text, std::size_t begin, std::size_t end) {
  return (begin > 0 && text[begin - 1] == '/') || (end < text.size() && text[end] == '@');
}

}  // namespace

Redaction::Redaction(std::string home, std::string user, std::string host)
    : home_(std::move(home)), user_(std::move(user)), host_(std::move(host)) {
  while (home_.size() > 1 && home_.back() == '/') home_.pop_back();
  if (home_ == "/") home_.clear();
  if (host_ == "localhost") host_.clear();
  if (user_ == "root" || user_ == "jackdaw") user_.clear();  // everybody's
}

Redaction Redaction::of_this_machine() {
  const char* home = std::getenv("HOME");
  // The service's state is looked at with "sudo -u jackdaw"; who called has the name to hide.
  const char* caller = std::getenv("SUDO_USER");
  const passwd* user = ::getpwuid(::geteuid());
  char host[HOST_NAME_MAX + 1] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return {home == nullptr ? "" : home,
          caller != nullptr ? caller
          : user == nullptr ? ""
                            : user->pw_name,
          host};
}

std::string Redaction::clean(std::string text) const {
  // Before the pieces they are made of: what stands between // and the next / of a URI.
  static const std::regex authority("((?:rtsps?|rtp|https?|udp)://)[^/ \t]*", std::regex::icase);
  static const std::regex home("/(home|media|run/user)/[^/ \t:;,'\")]+");
  static const std::regex v4("(^|[^0-9.])[0-9]{1,3}([.][0-9]{1,3}){3}(?![0-9.]*[0-9])");
  static const std::regex v6("(^|[^0-9a-z:])([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}", std::regex::icase);
  static const std::regex short_v6("(^|[^0-9a-z:])([0-9a-f]{1,4}(:[0-9a-f]{1,4})*)?::[0-9a-f:]*",
                                   std::regex::icase);
  static const std::regex mac("([0-9a-f]{2}[:-]){5}[0-9a-f]{2}", std::regex::icase);
  text = replaced(std::move(text), home_, "~", anywhere);
  text = std::regex_replace(text, authority, "$1(address)");
  text = std::regex_replace(text, home, "~");
  text = std::regex_replace(text, mac, "(address)");
  for (const std::regex* address : {&v4, &v6, &short_v6}) {
    text = std::regex_replace(text, *address, "$1(address)");
  }
  text = replaced(std::move(text), user_, "(user)", in_path_or_address);
  text = replaced(std::move(text), host_, "(host)", anywhere);
  const std::string first_part = host_.substr(0, host_.find('.'));
  if (first_part == "localhost") return text;
  return replaced(std::move(text), first_part, "(host)", anywhere);
}

void Redaction::clean(nlohmann::json& data) const {
  if (data.is_string()) {
    data = clean(data.get<std::string>());
  } else if (data.is_structured()) {
    for (nlohmann::json& part : data) clean(part);
  }
}

}  // namespace jackdaw::doctor
