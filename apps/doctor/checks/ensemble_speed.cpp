// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// How fast the learner is, against what this device's memory allows.
#include <algorithm>

#include "bench/bench.hpp"
#include "device/identity.hpp"
#include "doctor/check.hpp"
#include "doctor/cuda_probe.hpp"
#include "doctor/floor_of.hpp"
#include "doctor/words.hpp"

namespace jackdaw::doctor {
namespace {

constexpr int kRepetitions = 9;

std::string times_text(const char* where, const bench::StepTimes& times) {
  return std::string(where) + ": an answer takes " + microseconds(times.predict_us) +
         ", a lesson " + microseconds(times.teach_us);
}

}  // namespace

Finding check_ensemble_speed(const DoctorOptions& options) {
  const EnsembleSettings sizes;  // what the floors are computed for
  const bench::StepTimes cpu = bench::step_times(*bench::full_ensemble(sizes), kRepetitions);
  nlohmann::json facts{{"classes", sizes.max_classes},
                       {"dimensions", sizes.dimensions},
                       {"cpu", {{"answer_us", cpu.predict_us}, {"lesson_us", cpu.teach_us}}},
                       {"cuda", nullptr},
                       {"computed_floor", nullptr}};
  std::string text = "measured, " + std::to_string(sizes.max_classes) + " classes of " +
                     std::to_string(sizes.dimensions) + " dimensions, " + times_text("CPU", cpu);
  std::string why;
  if (try_cuda(sizes, why) != nullptr) {
    const bench::StepTimes cuda =
        bench::step_times(*bench::full_ensemble(sizes, Device::kCuda), kRepetitions);
    facts["cuda"] = {{"answer_us", cuda.predict_us}, {"lesson_us", cuda.teach_us}};
    text += "; " + times_text("CUDA", cuda);
  }
  const auto floor =
      floor_of(device::read_identity(options.root).model, bench::floors(sizes, sizes.max_classes));
  if (floor) {
    facts["computed_floor"] = {{"device", floor->device},
                               {"answer_us", floor->predict_us},
                               {"lesson_us", floor->teach_us}};
    text += "; computed floor of " + floor->device + ": " + microseconds(floor->predict_us) +
            " and " + microseconds(floor->teach_us);
  } else {
    text += "; no floor is computed for this device";
  }
  bool slow = false;
  facts["against_memory"] = nlohmann::json::array();
  for (const bench::Result& r : bench::memory_bench({kRepetitions, 0})) {
    facts["against_memory"].push_back(
        {{"name", r.name}, {"ratio", r.ratio}, {"required", r.required}});
    text += "; " + r.name + ": " + fixed(r.ratio, 2) + " of " + r.peer;
    slow = slow || r.ratio < r.required;
  }
  if (slow) {
    return warning(text,
                   "at least 0.6 is expected of each ratio: is something else running, or is the "
                   "device hot? Try again when it is idle",
                   facts);
  }
  return ok(text, facts);
}

}  // namespace jackdaw::doctor
