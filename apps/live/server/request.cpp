// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// One request: judged by its head, its body taken in as it comes, handed to a worker or a stream,
// and answered.

#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <string>
#include <utility>

#include "live/server/api.hpp"
#include "live/server/inside.hpp"
#include "live/server/response.hpp"
#include "live/server/token.hpp"
#include "live/server/views.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

// Slower than these on average, after the first seconds, is no client but an attack.
constexpr double kSlowestBody = 1024.0;        // bytes a second
constexpr double kSlowestReply = 16.0 * 1024;  // bytes a second
// What a stream's client may have in its kernel's buffers, so that what it sees is not old.
constexpr int kStreamBuffer = 128 * 1024;

bool equal_caseless(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

Answer with_header(Answer answer, const char* name, std::string value) {
  answer.headers.emplace_back(name, std::move(value));
  return answer;
}

std::string mebibytes(std::size_t bytes) {
  return bytes >= (std::size_t{1} << 20) ? std::to_string(bytes >> 20) + " MiB"
                                         : std::to_string(bytes >> 10) + " KiB";
}

Answer too_large(std::size_t most) {
  return Answer::error(413,
                       "The body is too large: at most " + mebibytes(most) + " are taken here.");
}

Answer stopping() { return Answer::error(503, "The server is stopping."); }
Answer busy() { return Answer::error(503, "The server is busy; try again in a moment."); }

// Requests that different readers could understand differently.
bool ambiguous(const Exchange& exchange) {
  const std::size_t lengths = exchange.times("Content-Length"),
                    codings = exchange.times("Transfer-Encoding");
  return lengths > 1 || codings > 1 || (lengths == 1 && codings == 1) ||
         exchange.times("Host") > 1 ||
         (codings == 1 && !equal_caseless(exchange.header("Transfer-Encoding"), "chunked"));
}

bool foreign(const Exchange& exchange) {
  const std::string_view origin = exchange.header("Origin"),
                         site = exchange.header("Sec-Fetch-Site");
  if (exchange.times("Origin") > 0 && !same_origin(origin, exchange.header("Host"))) return true;
  return !site.empty() && !equal_caseless(site, "same-origin") && !equal_caseless(site, "none");
}

}  // namespace

std::optional<Answer> Server::Inside::judge_head(Exchange& exchange) {
  exchange.began_at = steady_seconds();
  table_.busy(exchange.entry, exchange.began_at + options_.limits.request_seconds);
  const ClientAddress& who = exchange.entry->who;
  if (!limiter_.allow(who.key, exchange.began_at,
                      who.loopback ? options_.limits.loopback_factor : 1.0)) {
    return with_header(Answer::error(429, "Too many requests; wait a second."), "Retry-After", "1");
  }
  if (ambiguous(exchange)) return Answer::error(400, "The head of the request contradicts itself.");
  if (exchange.times("Host") == 0) return Answer::error(400, "The request has no Host.");
  if (!guard_.knows(exchange.header("Host"))) {
    return Answer::error(403, "This is not a name of this machine; allow it with --allow-host.");
  }
  if (auto page = page_answer(exchange)) return page;

  const Match match = match_route(exchange.method, exchange.path);
  if (match.allow.empty()) return Answer::error(404, "There is nothing here.");
  if (match.endpoint == nullptr) {
    return with_header(
        Answer::error(405, "This cannot be done here; possible are " + match.allow + "."), "Allow",
        match.allow);
  }
  exchange.endpoint = match.endpoint;
  exchange.id = match.id;
  if (foreign(exchange)) return Answer::error(403, "This comes from a page of somebody else.");
  if (match.endpoint->action != Action::kHealth && !authorised(exchange)) {
    return with_header(
        Answer::error(401, "A token is needed; the program printed it when it started."),
        "WWW-Authenticate", "Bearer realm=\"jackdaw\"");
  }
  return judge_body(exchange);
}

std::size_t Server::Inside::most_bytes(Body body) const {
  switch (body) {
    case Body::kJson:
      return options_.limits.json_bytes;
    case Body::kPicture:
      return options_.limits.picture_bytes;
    case Body::kState:
      return options_.limits.state_bytes;
    case Body::kNone:
      break;
  }
  return 0;
}

std::optional<Answer> Server::Inside::judge_body(Exchange& exchange) {
  const std::string_view length = exchange.header("Content-Length");
  const bool chunked = exchange.times("Transfer-Encoding") > 0;
  if (exchange.endpoint->body == Body::kNone) {
    if (!exchange.declares_body()) return std::nullopt;
    return Answer::error(400, "This request takes no body.");
  }
  exchange.most_body = most_bytes(exchange.endpoint->body);
  if (chunked) return std::nullopt;
  if (length.empty()) return Answer::error(411, "The request has no length; send Content-Length.");
  if (length == "0") return Answer::error(400, "The body is empty.");
  const std::uint64_t declared = parse_id(length, exchange.most_body);
  if (declared == 0) return too_large(exchange.most_body);
  if (declared > 2 * options_.limits.state_bytes - held_bytes_) return busy();
  exchange.held = declared;
  held_bytes_ += declared;
  exchange.body.reserve(declared);
  return std::nullopt;
}

bool Server::Inside::authorised(const Exchange& exchange) const {
  if (options_.token.empty()) return true;
  return same_secret(bearer_token(exchange.header("Authorization")), options_.token) ||
         same_secret(exchange.cookie(cookie_.c_str()), options_.token);
}

std::optional<Answer> Server::Inside::page_answer(const Exchange& exchange) const {
  const PageFile* file = page_.find(exchange.path);
  if (file == nullptr) return std::nullopt;
  if (exchange.method != "GET" && exchange.method != "HEAD") {
    return with_header(Answer::error(405, "This can only be read."), "Allow", "GET, HEAD");
  }
  // The token goes into a cookie, and out of the address bar.
  if (const std::string_view token = exchange.query("token");
      exchange.path == "/" && !token.empty()) {
    if (!options_.token.empty() && !same_secret(token, options_.token)) {
      return Answer::error(401, "This is not the token; the program printed it when it started.");
    }
    Answer answer = Answer::json(303, "{}");
    answer.headers.emplace_back("Location", "/");
    if (!options_.token.empty()) {
      answer.headers.emplace_back(
          "Set-Cookie", cookie_ + '=' + options_.token + "; HttpOnly; SameSite=Strict; Path=/");
    }
    return answer;
  }
  return with_header(Answer::of(file->content_type, file->body), "Cache-Control", "no-cache");
}

MHD_Result Server::Inside::take_body(Exchange& exchange, const char* data, std::size_t size) {
  std::optional<Answer> refused;
  if (size > exchange.most_body - exchange.body.size()) {
    refused = too_large(exchange.most_body);
  } else if (exchange.body.size() + size > exchange.held) {  // in chunks: counted as they come
    if (size > 2 * options_.limits.state_bytes - held_bytes_) {
      refused = busy();
    } else {
      exchange.held += size;
      held_bytes_ += size;
    }
  }
  if (refused) {
    counts_.count(refused->status);
    refuse_midway(exchange.connection, *refused);
    return MHD_NO;
  }
  exchange.body.append(data, size);
  const double patience = options_.limits.request_seconds, now = steady_seconds();
  const double slowest =
      exchange.began_at + patience + static_cast<double>(exchange.body.size()) / kSlowestBody;
  table_.busy(exchange.entry, std::min(now + patience, slowest));
  return MHD_YES;
}

MHD_Result Server::Inside::finish(Exchange& exchange) {
  if (exchange.answer) return send(exchange);
  if (exchange.endpoint->lane == Lane::kStream) return open_stream(exchange);
  ask(exchange);
  return MHD_YES;
}

MHD_Result Server::Inside::send(Exchange& exchange) {
  const Answer& answer = *exchange.answer;
  const Response response = Response::of(answer);
  counts_.count(answer.status);
  const double size = answer.body ? static_cast<double>(answer.body->size()) : 0.0;
  table_.busy(exchange.entry,
              steady_seconds() + options_.limits.progress_seconds + size / kSlowestReply);
  return ::MHD_queue_response(exchange.connection, answer.status, response.get());
}

MHD_Result Server::Inside::open_stream(Exchange& exchange) {
  const bool events = exchange.endpoint->action == Action::kEvents;
  if (exchange.method == "HEAD") {
    exchange.answer =
        Answer::of(events ? "text/event-stream; charset=utf-8" : kPictureStreamType, {});
    return send(exchange);
  }
  const auto kind = events ? Stream::Kind::kEvents : Stream::Kind::kPictures;
  exchange.member = hub_.join(kind, exchange.connection, exchange.entry);
  if (exchange.member == nullptr) {
    exchange.answer =
        Answer::error(503, "Too many clients follow already; close a page elsewhere.");
    return send(exchange);
  }
  const int size = kStreamBuffer;
  ::setsockopt(exchange.entry->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  counts_.count(200);
  table_.busy(exchange.entry, steady_seconds() + options_.limits.progress_seconds);
  const Response response = Response::stream(hub_, *exchange.member);
  return ::MHD_queue_response(exchange.connection, 200, response.get());
}

// The connection sleeps until a worker has the answer; then finish() is called again.
void Server::Inside::ask(Exchange& exchange) {
  table_.busy(exchange.entry, ConnectionTable::kNever);
  ::MHD_suspend_connection(exchange.connection);
  const auto wake = [&exchange](Answer answer) {
    exchange.answer = std::move(answer);
    ::MHD_resume_connection(exchange.connection);
  };
  Worker& worker = exchange.endpoint->lane == Lane::kSlow ? slow_ : quick_;
  const bool taken = worker.submit(
      {[this, &exchange, wake] { wake(answer_of(exchange)); }, [wake] { wake(stopping()); }});
  if (!taken) wake(busy());
}

Answer Server::Inside::answer_of(const Exchange& exchange) noexcept try {
  switch (exchange.endpoint->action) {
    case Action::kHealth:
      return health();
    case Action::kMetrics:
      return metrics();
    default:
      return perform(
          {exchange.endpoint->action, exchange.id, exchange.query("class"), exchange.body},
          control_);
  }
} catch (const std::exception& error) {
  return Answer::error(500, std::string("It did not work: ") + error.what());
}

Answer Server::Inside::health() const {
  const State state = control_.state();
  const bool running = state.source_status == SourceStatus::kRunning;
  const bool answering =
      std::none_of(state.problems.begin(), state.problems.end(),
                   [](const Problem& problem) { return problem.id == "encoder"; });
  if (running && answering && pump_.seconds_since_frame() < options_.limits.stale_seconds) {
    return Answer::json(200, "{\"ok\": true}");
  }
  std::string problem = running ? "No frame was answered lately." : state.source_message;
  for (const Problem& known : state.problems) {
    if (known.error) {
      problem = known.text;
      break;
    }
  }
  if (problem.empty()) problem = std::string("The source is ") + name_of(state.source_status) + '.';
  return with_header(Answer::json(503, problem_json(problem)), "Retry-After", "1");
}

Answer Server::Inside::metrics() const {
  const StreamHub::Audience audience = hub_.audience();
  const ServerNumbers numbers{table_.size(), audience.events, audience.pictures, counts_.all()};
  return Answer::of("text/plain; version=0.0.4; charset=utf-8",
                    std::make_shared<const std::string>(
                        metrics_text(control_.state(), control_.moment(), numbers,
                                     device::read_sensors(options_.device_root))));
}

}  // namespace jackdaw::live
