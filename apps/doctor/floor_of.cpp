// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/floor_of.hpp"

namespace jackdaw::doctor {

std::optional<bench::Floor> floor_of(const std::string& model,
                                     const std::vector<bench::Floor>& floors) {
  for (const bench::Floor& floor : floors) {
    if (model.find(floor.device) != std::string::npos) return floor;
  }
  return std::nullopt;
}

}  // namespace jackdaw::doctor
