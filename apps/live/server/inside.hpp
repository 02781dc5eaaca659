// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a Server is made of, in the order in which it is built; it ends in the opposite order, first
// waking every sleeping connection, because libmicrohttpd stops only when none sleeps.

#include <microhttpd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "live/server/connection_table.hpp"
#include "live/server/exchange.hpp"
#include "live/server/host_guard.hpp"
#include "live/server/metrics.hpp"
#include "live/server/page_files.hpp"
#include "live/server/pump.hpp"
#include "live/server/rate_limiter.hpp"
#include "live/server/server.hpp"
#include "live/server/stream_hub.hpp"
#include "live/server/worker.hpp"

namespace jackdaw::live {

class Server::Inside {
 public:
  Inside(const ServerOptions& options, Control& control);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  int port() const { return port_; }
  std::string url() const { return url_; }

 private:
  // --- what libmicrohttpd calls, all on its one thread
  // --------------------------------------------
  static MHD_Result accept(void* self, const sockaddr* address, socklen_t size);
  static void on_connection(void* self, MHD_Connection* connection, void** entry,
                            MHD_ConnectionNotificationCode what);
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* path,
                               const char* method, const char* version, const char* data,
                               std::size_t* size, void** exchange);
  static void on_completed(void* self, MHD_Connection* connection, void** exchange,
                           MHD_RequestTerminationCode how);

  // --- one request: its head, parts of its body, its end; request.cpp
  // ------------------------------
  std::optional<Answer> judge_head(Exchange& exchange);
  std::optional<Answer> judge_body(Exchange& exchange);
  std::optional<Answer> page_answer(const Exchange& exchange) const;
  bool authorised(const Exchange& exchange) const;
  MHD_Result take_body(Exchange& exchange, const char* data, std::size_t size);
  MHD_Result finish(Exchange& exchange);
  MHD_Result send(Exchange& exchange);
  MHD_Result open_stream(Exchange& exchange);
  void ask(Exchange& exchange);
  Answer answer_of(const Exchange& exchange) noexcept;
  Answer health() const;
  Answer metrics() const;
  std::size_t most_bytes(Body body) const;

  const ServerOptions options_;
  Control& control_;
  HostGuard guard_;
  PageFiles page_;
  RateLimiter limiter_;
  ConnectionTable table_;
  StreamHub hub_;
  RequestCounts counts_;
  std::size_t held_bytes_ = 0;  // of all bodies; the event thread's own
  std::string cookie_;          // its name; browsers share cookies among the ports of a machine
  int port_ = 0;
  std::string url_;
  Worker quick_, slow_;
  Pump pump_;
  struct Stop {
    void operator()(MHD_Daemon* daemon) const { ::MHD_stop_daemon(daemon); }
  };
  std::unique_ptr<MHD_Daemon, Stop> daemon_;
};

}  // namespace jackdaw::live
