// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Whether CUDA records an answer's kernels as one graph.
#include "doctor/check.hpp"
#include "doctor/cuda_probe.hpp"

namespace jackdaw::doctor {

Finding check_graph(const DoctorOptions&) {
  std::string why;
  const auto gpu = try_cuda({}, why);
  if (!gpu) return not_run("no CUDA device");
  const nlohmann::json facts{{"captured", gpu->answers_as_graph()}};
  if (gpu->answers_as_graph()) return ok("an answer is started as one graph", facts);
  return warning("an answer is launched kernel by kernel: CUDA could not record it",
                 "answers are the same, but slower; the lines that jackdaw logged say what CUDA "
                 "complained of, attach them to an issue",
                 facts);
}

}  // namespace jackdaw::doctor
