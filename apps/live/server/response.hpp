// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// libmicrohttpd's response objects, owned; every one carries the headers that keep browsers safe.
//
//   Response response = Response::of(answer);
//   return MHD_queue_response(connection, answer.status, response.get());

#include <microhttpd.h>

#include <memory>

#include "live/server/answer.hpp"
#include "live/server/stream_hub.hpp"

namespace jackdaw::live {

class Response {
 public:
  static Response of(const Answer& answer);
  // Sends what the hub has for the member until one of them ends it.
  static Response stream(StreamHub& hub, StreamHub::Member& member);
  MHD_Response* get() const { return response_.get(); }

 private:
  struct Destroy {
    void operator()(MHD_Response* response) const { ::MHD_destroy_response(response); }
  };
  explicit Response(MHD_Response* response);
  void header(const char* name, const char* value);
  void common_headers(const char* content_type);

  std::unique_ptr<MHD_Response, Destroy> response_;
};

// While a body still comes libmicrohttpd takes no response: this is written to the connection by
// hand, which must then be closed.
void refuse_midway(MHD_Connection* connection, const Answer& answer) noexcept;

}  // namespace jackdaw::live
