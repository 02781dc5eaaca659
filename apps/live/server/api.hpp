// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a request does, once it is whole and allowed: numbers are checked, the Control is asked, its
// reply becomes an answer. May take as long as the Control takes; from any thread; never throws.
//
//   const Answer answer = perform({Action::kTeach, 0, "", body}, control);

#include <cstdint>
#include <string>
#include <string_view>

#include "live/control.hpp"
#include "live/server/answer.hpp"
#include "live/server/routes.hpp"

namespace jackdaw::live {

struct ApiRequest {
  Action action = Action::kState;
  std::uint64_t id = 0;    // from the path
  std::string_view klass;  // ?class=
  std::string_view body;
};

// All but streams, health and metrics, which are the server's own.
Answer perform(const ApiRequest& request, Control& control) noexcept;

}  // namespace jackdaw::live
