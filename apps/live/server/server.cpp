// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/server.hpp"

#include <cerrno>
#include <cstring>

#include "jackdaw/error.hpp"
#include "live/server/address.hpp"
#include "live/server/inside.hpp"
#include "live/server/listen_socket.hpp"
#include "live/server/token.hpp"

namespace jackdaw::live {
namespace {

constexpr std::size_t kConnectionMemory = std::size_t{32}
                                          << 10;  // also the most that a head can be
constexpr std::size_t kThreadStack = std::size_t{512} << 10;
constexpr unsigned kClosing = 32;  // connections that were cut and are not closed yet

std::size_t keep_escapes(void*, MHD_Connection*, char* text) { return std::strlen(text); }

ServerOptions checked(ServerOptions options) {
  if (!options.token.empty() && !is_token(options.token)) {
    throw SettingsError(
        "the token must be 16 to 128 letters and digits; leave it out to have one made");
  }
  const ServerLimits& limits = options.limits;
  if (!(limits.updates_per_second > 0.0) || limits.connections == 0 || limits.queued_tasks == 0) {
    throw SettingsError("the server's limits must be more than 0");
  }
  return options;
}

std::string url_of(const ListenSocket& socket, const std::string& token) {
  std::string address = socket.address();
  if (socket.everywhere()) {
    address = "127.0.0.1";
    for (const std::string& own : own_addresses()) {
      if (own.find(':') == std::string::npos && own.compare(0, 4, "127.") != 0) {
        address = own;
        break;
      }
    }
  }
  if (address.find(':') != std::string::npos) address = '[' + address + ']';
  return "http://" + address + ':' + std::to_string(socket.port()) + '/' +
         (token.empty() ? "" : "?token=" + token);
}

}  // namespace

Server::Inside::Inside(const ServerOptions& options, Control& control)
    : options_(checked(options)),
      control_(control),
      guard_(options.address, options.allow_hosts),
      page_(options.page_folder.empty() ? PageFiles() : PageFiles(options.page_folder)),
      limiter_(options.limits.requests_per_second, options.limits.request_burst),
      table_({options.limits.connections, options.limits.connections_per_address,
              options.limits.connections_from_loopback, options.limits.request_seconds}),
      hub_(table_, options.limits.streams, options.limits.progress_seconds,
           options.limits.heartbeat_seconds),
      quick_(options.limits.queued_tasks),
      slow_(options.limits.queued_tasks),
      pump_(control, hub_, table_, options.limits.updates_per_second) {
  ListenSocket socket(options.address, options.port);
  if (!socket.loopback() && options.token.empty()) {
    throw SettingsError(
        "listening on " + socket.address() +
        " lets other machines in and needs a token; give one, or listen on 127.0.0.1");
  }
  port_ = socket.port();
  url_ = url_of(socket, options.token);
  cookie_ = "jackdaw_" + std::to_string(port_);

  const ServerLimits& limits = options_.limits;
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                         (socket.ipv6() ? static_cast<unsigned>(MHD_USE_IPv6) : 0U);
  daemon_.reset(::MHD_start_daemon(
      flags, static_cast<std::uint16_t>(port_), &accept, this, &on_request, this,
      MHD_OPTION_LISTEN_SOCKET, socket.fd(), MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(limits.connections) + kClosing, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      kConnectionMemory, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(limits.progress_seconds) + 1, MHD_OPTION_THREAD_STACK_SIZE,
      kThreadStack, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, &keep_escapes,
      nullptr, MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this, MHD_OPTION_NOTIFY_COMPLETED,
      &on_completed, this, MHD_OPTION_END));
  if (!daemon_) throw Error(std::string("the HTTP server did not start: ") + std::strerror(errno));
  socket.release();
}

Server::Inside::~Inside() {
  pump_.stop();
  quick_.stop();
  slow_.stop();
  hub_.stop();
  daemon_.reset();
}

MHD_Result Server::Inside::accept(void* self, const sockaddr* address, socklen_t) try {
  return static_cast<Inside*>(self)->table_.admit(client_address(*address)) ? MHD_YES : MHD_NO;
} catch (const std::exception&) {
  return MHD_NO;
}

void Server::Inside::on_connection(void* self, MHD_Connection* connection, void** entry,
                                   MHD_ConnectionNotificationCode what) try {
  ConnectionTable& table = static_cast<Inside*>(self)->table_;
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const auto* fd = ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const auto* who = ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    *entry = table.opened(fd->connect_fd, client_address(*who->client_addr));
  } else if (*entry != nullptr) {
    table.closed(static_cast<ConnectionTable::Entry*>(*entry));
    *entry = nullptr;
  }
} catch (const std::exception&) {
  *entry = nullptr;  // no memory for it: its first request is refused
}

MHD_Result Server::Inside::on_request(void* self_pointer, MHD_Connection* connection,
                                      const char* path, const char* method, const char*,
                                      const char* data, std::size_t* size, void** state) try {
  Inside& self = *static_cast<Inside*>(self_pointer);
  if (*state == nullptr) {
    const auto* info = ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    auto* entry = static_cast<ConnectionTable::Entry*>(info->socket_context);
    if (entry == nullptr) return MHD_NO;
    auto made = std::make_unique<Exchange>(connection, entry, method, path);
    Exchange& exchange = *made;
    *state = made.release();  // until on_completed
    exchange.answer = self.judge_head(exchange);
    // Answered before its body, a connection cannot go on; one without a body waits for finish().
    return exchange.answer && exchange.declares_body() ? self.send(exchange) : MHD_YES;
  }
  Exchange& exchange = *static_cast<Exchange*>(*state);
  if (*size > 0) {
    const std::size_t count = *size;
    *size = 0;
    return self.take_body(exchange, data, count);
  }
  return self.finish(exchange);
} catch (const std::exception&) {
  return MHD_NO;  // out of memory: this connection ends, the others live
}

void Server::Inside::on_completed(void* self_pointer, MHD_Connection*, void** state,
                                  MHD_RequestTerminationCode) {
  if (*state == nullptr) return;
  Inside& self = *static_cast<Inside*>(self_pointer);
  const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(*state));
  *state = nullptr;
  if (exchange->member != nullptr) self.hub_.leave(*exchange->member);
  self.held_bytes_ -= exchange->held;
  self.table_.waiting(exchange->entry);
}

Server::Server(const ServerOptions& options, Control& control)
    : inside_(std::make_unique<Inside>(options, control)) {}

Server::~Server() = default;

int Server::port() const { return inside_->port(); }

std::string Server::url() const { return inside_->url(); }

}  // namespace jackdaw::live
