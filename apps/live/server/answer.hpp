// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a request is answered with, before it is put on the wire.
//
//   return Answer::json(200, R"({"burst": 7})");
//   return Answer::error(404, "There is no class 12.");

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/control.hpp"

namespace jackdaw::live {

struct Answer {
  unsigned status = 200;
  const char* content_type = "application/json";
  Bytes body;
  std::vector<std::pair<const char*, std::string>> headers;

  static Answer json(unsigned status, std::string text);
  static Answer error(unsigned status, std::string_view sentence);
  static Answer of(const char* content_type, Bytes body);
};

// For a reply that is not kOk.
Answer refusal(const Reply& reply);
unsigned status_of(Outcome outcome) noexcept;

}  // namespace jackdaw::live
