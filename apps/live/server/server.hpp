// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page and the API of the camera app over HTTP; docs/api.md says what is asked and answered.
//
//   ServerOptions options;
//   options.page_folder = "apps/live/page";
//   Server server(options, session);          // throws SettingsError or Error; serves at once
//   std::cout << server.url() << '\n';
//   ...                                       // leaving the scope stops it
//
// One thread carries all connections, two call the Control on behalf of requests (one for what is
// quick, one for what may take seconds), one feeds the streams. None of them waits for a client.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "live/control.hpp"

namespace jackdaw::live {

struct ServerLimits {
  std::size_t connections = 64;
  std::size_t connections_per_address = 16;  // of another machine
  std::size_t connections_from_loopback = 48;
  std::size_t streams = 32;           // events and moving pictures, together
  double requests_per_second = 50.0;  // of one address of another machine ...
  double request_burst = 200.0;
  double loopback_factor = 10.0;  // ... and so many times as much from this one
  std::size_t json_bytes = std::size_t{64} << 10;
  std::size_t picture_bytes = std::size_t{16} << 20;
  std::size_t state_bytes = std::size_t{256}
                            << 20;  // also what all bodies together may hold, twice
  std::size_t queued_tasks = 16;    // for each of the two threads
  double request_seconds = 10.0;    // for a whole head, or the next part of a body
  double progress_seconds = 30.0;   // a client that reads nothing for so long is dropped
  double heartbeat_seconds = 10.0;
  double updates_per_second = 15.0;  // moments and pictures
  double stale_seconds = 10.0;       // /healthz: without a new frame for so long is ill
};

struct ServerOptions {
  std::string address = "127.0.0.1";  // or ::1, 0.0.0.0, ::, one of this machine's own, localhost
  int port = 8000;                    // 0: any that is free
  std::string token;                  // empty: none is asked for, which only loopback may have
  std::string page_folder;            // empty: the API alone
  std::vector<std::string> allow_hosts;  // names in Host that are ours, too
  std::string device_root = "/";         // where sys/ and var/ are found for /metrics
  ServerLimits limits;
};

// 128 random bits as 32 hexadecimal digits. Throws Error if the system gives none.
std::string make_token();

class Server {
 public:
  // The Control must outlive the server.
  Server(const ServerOptions& options, Control& control);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  // For people: with the token, and an address that another machine can use where there is one.
  std::string url() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace jackdaw::live
