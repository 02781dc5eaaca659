// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/exchange.hpp"

#include <strings.h>

namespace jackdaw::live {
namespace {

struct Count {
  const char* name;
  std::size_t times;
};

MHD_Result count_one(void* count, MHD_ValueKind, const char* key, const char*) {
  auto& c = *static_cast<Count*>(count);
  if (::strcasecmp(key, c.name) == 0) ++c.times;
  return MHD_YES;
}

}  // namespace

std::size_t Exchange::times(const char* header_name) const {
  Count count{header_name, 0};
  ::MHD_get_connection_values(connection, MHD_HEADER_KIND, &count_one, &count);
  return count.times;
}

}  // namespace jackdaw::live
