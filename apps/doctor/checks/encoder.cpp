// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Whether the encoder is there and whole.
#include "doctor/check.hpp"
#include "jackdaw/engines/encoder_cache.hpp"

namespace jackdaw::doctor {

Finding check_encoder(const DoctorOptions& options) {
  nlohmann::json facts{{"name", options.encoder}, {"ready", false}};
  try {
    const Manifest manifest = find_encoder(options.encoder);
    facts["ready"] = true;
    facts["output_size"] = manifest.output_size;
    return ok(options.encoder + " is ready: " + std::to_string(manifest.width) + "x" +
                  std::to_string(manifest.height) + " pixels to " +
                  std::to_string(manifest.output_size) + " numbers",
              facts);
  } catch (const Error& error) {
    return warning(error.what(), "jackdaw engine get " + options.encoder, facts);
  }
}

}  // namespace jackdaw::doctor
