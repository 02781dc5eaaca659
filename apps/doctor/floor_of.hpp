// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of the computed floors is this board's, by its name in the device tree.
//
//   floor_of("NVIDIA Jetson Orin Nano Developer Kit", bench::floors(settings, 100))->device

#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"

namespace jackdaw::doctor {

// None for a board that there is no floor for, and for a PC.
std::optional<bench::Floor> floor_of(const std::string& model,
                                     const std::vector<bench::Floor>& floors);

}  // namespace jackdaw::doctor
