// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One request and its answer, from the end of its head until it is sent. Belongs to the event
// thread; while a worker has it (the connection sleeps) it belongs to that worker.

#include <microhttpd.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "live/server/answer.hpp"
#include "live/server/connection_table.hpp"
#include "live/server/routes.hpp"
#include "live/server/stream_hub.hpp"

namespace jackdaw::live {

struct Exchange {
  Exchange(MHD_Connection* c, ConnectionTable::Entry* e, const char* m, const char* p)
      : connection(c), entry(e), method(m), path(p) {}

  // "" and absent are the same here; nothing is unescaped.
  std::string_view header(const char* name) const {
    return view(::MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name));
  }
  std::string_view cookie(const char* name) const {
    return view(::MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, name));
  }
  std::string_view query(const char* name) const {
    return view(::MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name));
  }
  std::size_t times(const char* header_name) const;  // that a header is there
  bool declares_body() const {
    const std::string_view length = header("Content-Length");
    return times("Transfer-Encoding") > 0 || (!length.empty() && length != "0");
  }

  MHD_Connection* connection;
  ConnectionTable::Entry* entry;
  std::string method, path;

  const Endpoint* endpoint = nullptr;
  std::uint64_t id = 0;
  std::string body;
  std::size_t most_body = 0;
  std::size_t held = 0;   // counted among the bytes of all bodies
  double began_at = 0.0;  // steady seconds
  std::optional<Answer> answer;
  StreamHub::Member* member = nullptr;

 private:
  static std::string_view view(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
  }
};

}  // namespace jackdaw::live
