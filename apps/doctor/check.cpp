// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/check.hpp"

namespace jackdaw::doctor {

const std::vector<Check>& all_checks() {
  static const std::vector<Check> checks{
      {"board", "device", "board", false, check_board},
      {"processor", "device", "processor", false, check_processor},
      {"memory", "device", "memory", false, check_memory},
      {"power", "device", "power and heat", false, check_power},
      {"cuda", "GPU", "CUDA", false, check_cuda},
      {"tensorrt", "GPU", "TensorRT", false, check_tensorrt},
      {"parity", "GPU", "CPU against CUDA", false, check_parity},
      {"graph", "GPU", "graph capture", false, check_graph},
      {"allocations", "learner", "allocations", false, check_allocations},
      {"ensemble_speed", "learner", "speed", true, check_ensemble_speed},
      {"libraries", "encoder", "libraries", false, check_libraries},
      {"encoder", "encoder", "encoder", false, check_encoder},
      {"encoder_speed", "encoder", "speed", true, check_encoder_speed},
      {"cameras", "camera", "cameras", false, check_cameras},
      {"source", "camera", "a picture", true, check_source},
      {"disk", "disk", "disk", false, check_disk},
      {"state", "disk", "state", false, check_state}};
  return checks;
}

}  // namespace jackdaw::doctor
