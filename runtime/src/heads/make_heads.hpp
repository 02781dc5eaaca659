// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One factory for each head, so that every head's class can stay inside its own file.

#include <memory>

#include "jackdaw/head.hpp"

namespace jackdaw {

std::unique_ptr<Head> make_nearest_mean_head(const HeadSettings& settings);
std::unique_ptr<Head> make_slda_head(const HeadSettings& settings);
std::unique_ptr<Head> make_knn_head(const HeadSettings& settings);
std::unique_ptr<Head> make_vanilla_head(const HeadSettings& settings);
std::unique_ptr<Head> make_tanh_head(const HeadSettings& settings);

}  // namespace jackdaw
