// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/trt_probe.hpp"

#include "jackdaw/engines/encoder_cache.hpp"
#include "trt/engine_file.hpp"
#include "trt/engine_request.hpp"

namespace jackdaw::doctor {
namespace {

std::string fault_of_engine(const trt::TrtModule& module, const trt::GpuId& gpu,
                            const std::string& encoder) {
  try {
    const trt::EngineRequest request =
        trt::make_request(find_encoder(encoder), cache_folder() + "/engines");
    const trt::EngineKey key = trt::make_key(request, module, gpu);
    static_cast<void>(trt::load_engine(trt::engine_path(request, key), trt::to_text(key)));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TrtProbe probe_trt(const std::string& encoder) {
  TrtProbe probe;
  probe.encoder = encoder;
  try {
    const trt::TrtModule& module = trt::load_trt_module();
    probe.module = module.path();
    probe.version = module.tensorrt_version();
    const trt::TrtDevice gpu = module.device();
    probe.device = gpu.id.name;
    probe.engine_fault = fault_of_engine(module, gpu.id, encoder);
  } catch (const trt::TrtUnavailable& error) {
    probe.reason = error.reason;
    probe.why = error.what();
  }
  return probe;
}

Finding judge(const TrtProbe& probe, const device::Identity& identity) {
  const bool usable = !probe.reason;
  const nlohmann::json facts{{"module", probe.module},
                             {"version", probe.version},
                             {"device", probe.device},
                             {"encoder", probe.encoder},
                             {"engine_ready", usable && probe.engine_fault.empty()}};
  if (usable) {
    const std::string text = "TensorRT " + probe.version + " on " + probe.device;
    if (probe.engine_fault.empty()) {
      return ok(text + "; the engine of " + probe.encoder + " is built", facts);
    }
    return warning(
        text + ", but the engine of " + probe.encoder + " is not ready: " + probe.engine_fault,
        "jackdaw engine build --encoder " + probe.encoder, facts);
  }
  switch (*probe.reason) {
    case trt::TrtReason::kNoModule:
      // Without a Jetson nobody expects it.
      if (!identity.jetson()) return not_run(probe.why, "", facts);
      return warning(probe.why, "install the package that was built for this JetPack", facts);
    case trt::TrtReason::kNoDriver:
    case trt::TrtReason::kNoGpu:
      if (!identity.jetson()) return not_run(probe.why, "", facts);
      break;
    default:
      break;
  }
  return failed(probe.why, "", facts);
}

}  // namespace jackdaw::doctor
