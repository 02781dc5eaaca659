// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/service/notify_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "jackdaw/log.hpp"

namespace jackdaw::live {
namespace {

std::string taken_from_environment(const char* name) {
  const char* value = std::getenv(name);
  const std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

// Empty: no socket can have this name.
std::string bytes_of_address(const std::string& name) {
  sockaddr_un address{};
  if (name.size() < 2 || name.size() >= sizeof address.sun_path) return "";
  if (name[0] != '/' && name[0] != '@') return "";
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, name.data(), name.size());
  if (name[0] == '@') address.sun_path[0] = '\0';
  // An abstract name has no end mark: its length is part of it.
  const std::size_t length =
      offsetof(sockaddr_un, sun_path) + name.size() + (name[0] == '@' ? 0 : 1);
  return {reinterpret_cast<const char*>(&address), length};
}

int open_socket(const std::string& address) {
  return address.empty() ? -1 : ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

}  // namespace

NotifySocket::NotifySocket(const std::string& address)
    : address_(bytes_of_address(address)), socket_(open_socket(address_)) {
  if (!address.empty() && !asked()) {
    log(LogLevel::kWarning,
        "NOTIFY_SOCKET=" + address +
            " cannot be used; the service manager will not hear of this program");
  }
}

NotifySocket NotifySocket::from_environment() {
  return NotifySocket(taken_from_environment("NOTIFY_SOCKET"));
}

bool NotifySocket::send(const std::string& text) const noexcept {
  if (!asked()) return false;
  ssize_t sent = 0;
  do {
    sent = ::sendto(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL,
                    reinterpret_cast<const sockaddr*>(address_.data()),
                    static_cast<socklen_t>(address_.size()));
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

double watchdog_seconds_from_environment() {
  const std::string microseconds = taken_from_environment("WATCHDOG_USEC");
  const std::string process = taken_from_environment("WATCHDOG_PID");
  if (!process.empty() && process != std::to_string(::getpid())) return 0.0;
  const double value = std::strtod(microseconds.c_str(), nullptr);
  return value > 0.0 && value < 1e15 ? value * 1e-6 : 0.0;
}

}  // namespace jackdaw::live
