// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a service tells systemd how it is: datagrams to the socket that $NOTIFY_SOCKET names, a path
// or, after '@', an abstract name; see sd_notify(3). No library is needed for it.
//
//   NotifySocket socket = NotifySocket::from_environment();   // before any thread is started
//   socket.send("READY=1\nSTATUS=the page is up");            // nobody asked: does nothing

#include <string>

#include "state/descriptor.hpp"

namespace jackdaw::live {

class NotifySocket {
 public:
  explicit NotifySocket(const std::string& address);  // empty: nobody asked
  // Takes $NOTIFY_SOCKET out of the environment: the processes that this one starts are not the
  // service.
  static NotifySocket from_environment();

  bool asked() const noexcept { return static_cast<bool>(socket_); }
  // Never waits: a message that finds no room is lost, and the next one comes soon.
  bool send(const std::string& text) const noexcept;

 private:
  std::string address_;  // sockaddr_un, as bytes
  state::Descriptor socket_;
};

// How often systemd wants to hear "WATCHDOG=1" ($WATCHDOG_USEC), in seconds; 0: it does not. Takes
// the variables out of the environment.
double watchdog_seconds_from_environment();

}  // namespace jackdaw::live
