// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/response.hpp"

#include <sys/socket.h>

#include <new>
#include <string>

namespace jackdaw::live {
namespace {

constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::size_t kStreamBlock = std::size_t{32} << 10;

struct StreamReader {
  StreamHub& hub;
  StreamHub::Member& member;
};

ssize_t read_stream(void* reader, std::uint64_t, char* buffer, std::size_t most) {
  auto& from = *static_cast<StreamReader*>(reader);
  return from.hub.read(from.member, buffer, most);
}

// What libmicrohttpd owns until it calls back.
template <class Owned>
void release(void* owned) {
  const std::unique_ptr<Owned> last(static_cast<Owned*>(owned));
}

}  // namespace

Response::Response(MHD_Response* response) : response_(response) {
  if (!response_) throw std::bad_alloc();
}

void Response::header(const char* name, const char* value) {
  if (::MHD_add_response_header(get(), name, value) != MHD_YES) throw std::bad_alloc();
}

void Response::common_headers(const char* content_type) {
  header("Content-Type", content_type);
  header("X-Content-Type-Options", "nosniff");
  header("Content-Security-Policy", kContentPolicy);
  header("Cross-Origin-Resource-Policy", "same-origin");
  header("Referrer-Policy", "same-origin");
}

Response Response::of(const Answer& answer) {
  auto body =
      std::make_unique<Bytes>(answer.body ? answer.body : std::make_shared<const std::string>());
  // Only read, though the signature cannot say so.
  auto* data = const_cast<char*>((*body)->data());
  Response out(::MHD_create_response_from_buffer_with_free_callback_cls(
      (*body)->size(), data, &release<Bytes>, body.get()));
  static_cast<void>(body.release());
  out.common_headers(answer.content_type);
  bool cache = false;
  for (const auto& [name, value] : answer.headers) {
    out.header(name, value.c_str());
    cache = cache || std::string_view(name) == "Cache-Control";
  }
  if (!cache) out.header("Cache-Control", "no-store");
  return out;
}

Response Response::stream(StreamHub& hub, StreamHub::Member& member) {
  auto reader = std::make_unique<StreamReader>(StreamReader{hub, member});
  Response out(::MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, kStreamBlock, &read_stream,
                                                   reader.get(), &release<StreamReader>));
  static_cast<void>(reader.release());
  // No chunks: the stream ends with the connection, and every reader understands that.
  ::MHD_set_response_options(out.get(), MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
  const bool events = member.stream.kind() == Stream::Kind::kEvents;
  out.common_headers(events ? "text/event-stream; charset=utf-8" : kPictureStreamType);
  out.header("Cache-Control", "no-store");
  out.header("X-Accel-Buffering", "no");  // proxies pass it on as it comes
  return out;
}

void refuse_midway(MHD_Connection* connection, const Answer& answer) noexcept try {
  const MHD_ConnectionInfo* info =
      ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info == nullptr || !answer.body) return;
  const char* reason = ::MHD_get_reason_phrase_for(answer.status);
  const std::string text = "HTTP/1.1 " + std::to_string(answer.status) + ' ' + reason +
                           "\r\nContent-Type: application/json\r\nContent-Length: " +
                           std::to_string(answer.body->size()) +
                           "\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n" +
                           *answer.body;
  // The send buffer is empty here; whatever does not fit is lost with the connection.
  static_cast<void>(
      ::send(info->connect_fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
} catch (const std::exception&) {
  return;
}

}  // namespace jackdaw::live
