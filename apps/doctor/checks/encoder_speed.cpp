// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// From pixels to an embedding, on everything that runs encoders here.
#include <filesystem>

#include "bench/bench.hpp"
#include "device/identity.hpp"
#include "doctor/check.hpp"
#include "doctor/floor_of.hpp"
#include "doctor/trt_probe.hpp"
#include "doctor/words.hpp"
#include "jackdaw/engines/encoder_cache.hpp"

namespace jackdaw::doctor {

Finding check_encoder_speed(const DoctorOptions& options) {
  Manifest manifest;
  try {
    manifest = find_encoder(options.encoder);
  } catch (const Error&) {
    return not_run("the encoder " + options.encoder + " is not ready");
  }
  std::vector<EncoderBackend> backends{EncoderBackend::kOpenCv, EncoderBackend::kOnnxRuntime};
  const TrtProbe trt = probe_trt(options.encoder);
  // Without its engine TensorRT would build one, which takes minutes.
  if (!trt.reason && trt.engine_fault.empty()) backends.push_back(EncoderBackend::kTensorRt);
  const bench::Result result = bench::encoder_speed(manifest, backends, 1, {9, 0});
  nlohmann::json facts{{"encoder", options.encoder},
                       {"first_us", result.ours_us},
                       {"second_us", result.peer_us},
                       {"note", result.note},
                       {"computed_floor_us", nullptr}};
  std::string text = result.note;
  const auto floor = floor_of(device::read_identity(options.root).model, bench::floors({}, 100));
  if (floor) {
    const std::filesystem::path graph =
        std::filesystem::path(manifest.folder) / manifest.graph_file;
    const double us =
        static_cast<double>(std::filesystem::file_size(graph)) / floor->bandwidth * 1e6;
    facts["computed_floor_us"] = us;
    text +=
        "; computed floor of " + floor->device + ", reading every weight once: " + microseconds(us);
  }
  if (result.ours_us <= 0.0) return failed(text, "jackdaw engine get " + options.encoder, facts);
  return ok("measured, one picture at a time: " + text, facts);
}

}  // namespace jackdaw::doctor
