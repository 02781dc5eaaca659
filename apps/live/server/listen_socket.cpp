// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/listen_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "jackdaw/error.hpp"
#include "live/server/address.hpp"

namespace jackdaw::live {
namespace {

constexpr int kBacklog = 128;

std::string at(const std::string& address, int port) {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

[[noreturn]] void refuse(const std::string& address, int port, int fault) {
  const std::string where = "cannot listen on " + at(address, port) + ": ";
  if (fault == EADDRINUSE) {
    throw Error(where +
                "another program does already; stop it, or choose another port with --listen " +
                at(address, port == 65535 ? port - 1 : port + 1));
  }
  if (fault == EACCES) {
    throw Error(where +
                "ports below 1024 need more rights; choose a larger one, such as --listen " +
                at(address, 8000));
  }
  if (fault == EADDRNOTAVAIL) {
    std::string own;
    for (const std::string& one : own_addresses()) own += (own.empty() ? "" : ", ") + one;
    throw SettingsError(where + "this machine has no such address; it has " + own);
  }
  throw Error(where + std::strerror(fault));
}

}  // namespace

ListenSocket::ListenSocket(const std::string& address, int port) {
  std::string text = address == "localhost" ? "127.0.0.1" : address;
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
  }
  address_ = canonical_address(text);
  if (address_.empty()) {
    throw SettingsError(
        "cannot listen on \"" + address +
        "\": it is no address; give one in numbers, such as 127.0.0.1 for this machine "
        "alone or 0.0.0.0 for every network it is in");
  }
  if (port < 0 || port > 65535) {
    throw SettingsError("cannot listen on port " + std::to_string(port) +
                        ": ports are 1 to 65535, and 0 takes any that is free");
  }

  sockaddr_storage storage{};
  socklen_t size = 0;
  ipv6_ = address_.find(':') != std::string::npos;
  if (ipv6_) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET6, address_.c_str(), &v6.sin6_addr);
    everywhere_ = IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr);
    size = sizeof v6;
    std::memcpy(&storage, &v6, size);
  } else {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address_.c_str(), &v4.sin_addr);
    everywhere_ = v4.sin_addr.s_addr == htonl(INADDR_ANY);
    size = sizeof v4;
    std::memcpy(&storage, &v4, size);
  }
  auto* plain = reinterpret_cast<sockaddr*>(&storage);
  loopback_ = is_loopback(*plain);

  fd_ = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd_ < 0) refuse(address_, port, errno);
  const int yes = 1, no = 0;
  ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (ipv6_) ::setsockopt(fd_, IPPROTO_IPV6, IPV6_V6ONLY, everywhere_ ? &no : &yes, sizeof no);
  if (::bind(fd_, plain, size) != 0 || ::listen(fd_, kBacklog) != 0 ||
      ::getsockname(fd_, plain, &size) != 0) {
    const int fault = errno;
    ::close(fd_);
    refuse(address_, port, fault);
  }
  port_ = ntohs(ipv6_ ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                      : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

ListenSocket::~ListenSocket() {
  if (fd_ >= 0) ::close(fd_);
}

int ListenSocket::release() { return std::exchange(fd_, -1); }

}  // namespace jackdaw::live
