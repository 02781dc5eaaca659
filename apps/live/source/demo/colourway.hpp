// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The colours of a thing at a moment: main, second, accent, cream. All things take theirs from the
// same few colourways, so that no colour belongs to one of them.

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace jackdaw::live::demo {

std::vector<cv::Vec3f> colours_at(std::uint64_t seed, std::uint64_t thing, double seconds);

}  // namespace jackdaw::live::demo
