// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small pictures for a report, as text.

#include <cstddef>
#include <string>
#include <vector>

#include "replay/picture_set.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

// A PNG of at most 64 pixels a side in base64; empty if the file cannot be read.
std::string thumbnail_of(const std::string& path);

// For the activations of this data set that have none yet. Where pictures were left out, which
// picture is which is not known, and nothing is added.
void add_thumbnails(const PictureSet& pictures, Results& results);

std::string base64(const std::vector<unsigned char>& bytes);

}  // namespace jackdaw::replay
