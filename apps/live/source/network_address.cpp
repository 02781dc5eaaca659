// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/network_address.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

struct Parts {
  std::string scheme, user, password, host, path;  // host: with its port; path: with what follows
  bool doubtful = false;                           // an @ after the first /: a password, perhaps
};

// A password with a / in it ends the host early; then nothing tells it from a path. Such an address
// is refused, and nothing of it is shown.
Parts split(const std::string& address) {
  Parts parts;
  const std::size_t start = address.find("://") + 3;
  parts.scheme = address.substr(0, start);
  const std::size_t end = std::min(address.find_first_of("/?#", start), address.size());
  const std::string authority = address.substr(start, end - start);
  parts.path = address.substr(end);
  const std::size_t at = authority.rfind('@');
  parts.host = at == std::string::npos ? authority : authority.substr(at + 1);
  if (at != std::string::npos) {
    const std::string login = authority.substr(0, at);
    const std::size_t colon = std::min(login.find(':'), login.size());
    parts.user = login.substr(0, colon);
    if (colon < login.size()) parts.password = login.substr(colon + 1);
  } else {
    parts.doubtful = parts.path.find('@') != std::string::npos;
  }
  return parts;
}

bool is_port(const std::string& text) {
  return !text.empty() && text.size() <= 5 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; }) &&
         std::atoi(text.c_str()) >= 1 && std::atoi(text.c_str()) <= 65535;
}

bool is_host(const std::string& host) {
  const std::size_t bracket = host.find(']');  // of an IPv6 address
  const std::size_t colon = host.find(':', bracket == std::string::npos ? 0 : bracket);
  const std::string name = host.substr(0, colon);
  const auto usable = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ':' || c == '[' ||
           c == ']' || c == '%';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), usable) &&
         (colon == std::string::npos || is_port(host.substr(colon + 1)));
}

// Some cameras want user and password in the path: rtsp://host/user=…&password=….
bool path_holds_secrets(std::string path) {
  for (char& c : path) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* word : {"user", "pass", "pwd", "login", "token", "key", "auth"}) {
    const std::size_t at = path.find(word);
    if (at != std::string::npos && path.find('=', at) != std::string::npos) return true;
  }
  return false;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    if (!code) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(std::strtol(text.substr(i + 1, 2).c_str(), nullptr, 16));
    i += 2;
  }
  return out;
}

}  // namespace

std::string shown_address(const std::string& address) {
  const std::size_t colon = address.find("://");
  if (colon == std::string::npos) return address;
  const std::string scheme = address.substr(0, colon);
  if (scheme == "file" || scheme == "demo" || scheme == "csi" || scheme == "v4l2") return address;
  const Parts parts = split(address);
  if (parts.doubtful) return parts.scheme + "…";
  std::string path = parts.path.substr(0, parts.path.find_first_of("?#"));
  if (path_holds_secrets(path)) path = "/…";
  if (path.size() < parts.path.size() && path != "/…") path += "?…";
  return parts.scheme + parts.host + path;
}

void check_stream_address(const std::string& address) {
  const Parts parts = split(address);
  const std::string shown = shown_address(address);
  if (parts.doubtful) {
    throw SettingsError("source '" + shown +
                        "': an @ comes after the first /; in user, password and path write / as "
                        "%2F and @ as %40");
  }
  if (!is_host(parts.host)) {
    throw SettingsError("source '" + shown + "': that is no host and port, as in " + parts.scheme +
                        "USER:PASSWORD@192.168.1.7:554/stream");
  }
  for (const char forbidden : {'"', '\'', '\\', ' ', '|'}) {
    if (address.find(forbidden) == std::string::npos) continue;
    throw SettingsError("source '" + shown +
                        "': quotes, backslashes, bars and spaces in an address must be "
                        "percent-encoded, as in %20");
  }
}

std::string check_listening_address(const std::string& text, const std::string& shown) {
  std::string address = !text.empty() && text.front() == '@' ? text.substr(1) : text;
  if (!address.empty() && address.back() == '/') address.pop_back();
  const std::size_t colon = address.rfind(':');
  const std::string host = address.substr(0, colon == std::string::npos ? address.size() : colon);
  if (colon == std::string::npos || !is_port(address.substr(colon + 1)) ||
      (!host.empty() && !is_host(host))) {
    throw SettingsError("source '" + shown +
                        "': say where to listen, as in rtp://@:5000 or "
                        "rtp://@239.1.1.1:5000");
  }
  return (host.empty() ? "0.0.0.0" : host) + address.substr(colon);
}

std::string hide_secrets(std::string text, const std::string& address, const std::string& shown) {
  const Parts parts = split(address);
  std::vector<std::string> secrets{parts.user + ":" + parts.password, parts.password, parts.user};
  if (parts.password.empty()) secrets[0].clear();
  replace_all(text, address, shown);
  for (const std::string& secret : secrets) {
    replace_all(text, secret, "…");
    replace_all(text, percent_decoded(secret), "…");
  }
  if (shown_address(address) != parts.scheme + parts.host + parts.path) {
    replace_all(text, parts.path, "/…");
  }
  return text;
}

}  // namespace jackdaw::live
