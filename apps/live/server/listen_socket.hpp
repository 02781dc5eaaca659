// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A socket that listens on one address of this machine.
//
//   ListenSocket socket("127.0.0.1", 8000);   // throws SettingsError or Error, and says what to do

#include <string>

namespace jackdaw::live {

class ListenSocket {
 public:
  ListenSocket(const std::string& address, int port);
  ~ListenSocket();
  ListenSocket(const ListenSocket&) = delete;
  ListenSocket& operator=(const ListenSocket&) = delete;

  int fd() const { return fd_; }
  int release();  // the caller closes it from now on
  int port() const { return port_; }
  bool loopback() const { return loopback_; }
  bool ipv6() const { return ipv6_; }
  bool everywhere() const { return everywhere_; }          // 0.0.0.0 or ::
  const std::string& address() const { return address_; }  // canonical

 private:
  int fd_ = -1;
  int port_ = 0;
  bool loopback_ = false, ipv6_ = false, everywhere_ = false;
  std::string address_;
};

}  // namespace jackdaw::live
