// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a loaded graph says about its input and output, held against the manifest.

#include "jackdaw/engines/manifest.hpp"
#include "ort/ort_library.hpp"

namespace jackdaw::ort {

// Throws EncoderError that names both. What the graph leaves open ("batch") is not held against it.
void check_ort_graph(const OrtLibrary& ort, const Session& session, const Manifest& manifest);

}  // namespace jackdaw::ort
