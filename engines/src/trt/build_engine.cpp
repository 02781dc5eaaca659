// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/engine_build.hpp"
#include "trt/build_child.hpp"
#include "trt/build_main.hpp"

namespace jackdaw {

const char* const kEngineBuildCommand = trt::kBuildCommand;

int engine_build_process(const std::vector<std::string>& arguments) noexcept {
  return trt::build_engine_main(arguments);
}

std::string build_engine(const Manifest& manifest, const EngineBuildOptions& options,
                         const EngineBuildProgress& progress) {
  const std::uint32_t most = options.batch_max == 0 ? manifest.max_batch : options.batch_max;
  if (options.batch_min == 0 || options.batch_min > options.batch_usual ||
      options.batch_usual > most || most > manifest.max_batch) {
    throw SettingsError("the batch is " + std::to_string(options.batch_min) + ":" +
                        std::to_string(options.batch_usual) + ":" + std::to_string(most) +
                        "; it must rise from 1 to at most " + std::to_string(manifest.max_batch) +
                        ", as in 1:8:" + std::to_string(manifest.max_batch));
  }
  trt::load_trt_module().device();  // says why not, before a process is started
  trt::EngineRequest request =
      trt::make_request(manifest, cache_folder() + "/engines",
                        {options.half, options.batch_usual, options.workspace_bytes});
  request.batch = {options.batch_min, options.batch_usual, most};
  return trt::run_build_child("", request, progress);
}

}  // namespace jackdaw
