// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/answer.hpp"

#include <nlohmann/json.hpp>

namespace jackdaw::live {

Answer Answer::json(unsigned status, std::string text) {
  Answer out;
  out.status = status;
  out.body = std::make_shared<const std::string>(std::move(text));
  return out;
}

Answer Answer::error(unsigned status, std::string_view sentence) {
  nlohmann::ordered_json object;
  object["error"] = sentence;
  Answer out =
      json(status, object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (status == 503) out.headers.emplace_back("Retry-After", "1");
  return out;
}

Answer Answer::of(const char* content_type, Bytes body) {
  Answer out;
  out.content_type = content_type;
  out.body = std::move(body);
  return out;
}

unsigned status_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kOk:
      return 200;
    case Outcome::kBadRequest:
      return 400;
    case Outcome::kNotFound:
      return 404;
    case Outcome::kConflict:
      return 409;
    case Outcome::kFull:
      return 507;
    case Outcome::kBusy:
      return 503;
    case Outcome::kFailed:
      break;
  }
  return 500;
}

Answer refusal(const Reply& reply) {
  const std::string_view fallback = "It did not work, and nothing says why.";
  return Answer::error(status_of(reply.outcome),
                       reply.message.empty() ? fallback : std::string_view(reply.message));
}

}  // namespace jackdaw::live
