// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// systemd's end of the notify socket.
//
//   FakeManager manager(folder.path("notify"));     // or "@a-name": abstract
//   NotifySocket socket(manager.address());
//   manager.heard()                                 // the messages since it was last asked

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "state/descriptor.hpp"

namespace jackdaw::live::testing {

class FakeManager {
 public:
  explicit FakeManager(std::string address)
      : address_(std::move(address)),
        socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_un name{};
    REQUIRE(address_.size() < sizeof name.sun_path);
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, address_.data(), address_.size());
    if (address_[0] == '@') name.sun_path[0] = '\0';
    const std::size_t end = address_[0] == '@' ? 0 : 1;
    const auto length =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size() + end);
    REQUIRE(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&name), length) == 0);
  }

  const std::string& address() const { return address_; }

  std::vector<std::string> heard() {
    std::vector<std::string> messages;
    char text[4096];
    ssize_t length = 0;
    while ((length = ::recv(socket_.get(), text, sizeof text, 0)) >= 0) {
      messages.emplace_back(text, static_cast<std::size_t>(length));
    }
    return messages;
  }

 private:
  std::string address_;
  state::Descriptor socket_;
};

}  // namespace jackdaw::live::testing
