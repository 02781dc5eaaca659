// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which CPU, and which of the learner's inner loops run on it.
#include <thread>

#include "device/system_files.hpp"
#include "doctor/check.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::doctor {
namespace {

namespace fs = std::filesystem;

struct KnownCore {
  const char* implementer;
  const char* part;
  const char* name;
};

// Arm's kernels give numbers instead of a name; these are in Jetsons.
constexpr KnownCore kCores[] = {{"0x41", "0xd07", "Cortex-A57"},
                                {"0x4e", "0x004", "Carmel"},
                                {"0x41", "0xd42", "Cortex-A78AE"},
                                {"0x41", "0xd83", "Neoverse-V3AE"}};

std::string processor_name(const fs::path& cpuinfo) {
  if (const auto name = device::value_of(cpuinfo, "model name")) return *name;
  const std::string implementer = device::value_of(cpuinfo, "CPU implementer").value_or("");
  const std::string part = device::value_of(cpuinfo, "CPU part").value_or("");
  for (const KnownCore& core : kCores) {
    if (implementer == core.implementer && part == core.part) return core.name;
  }
  return implementer.empty() ? "unknown" : "Arm " + implementer + "/" + part;
}

std::string learner_backend() {
  EnsembleSettings tiny;
  tiny.classifiers = 2;
  tiny.nearest = 1;
  tiny.dimensions = 2;
  tiny.max_classes = 1;
  return make_ensemble(tiny, Device::kCpu)->backend();
}

}  // namespace

Finding check_processor(const DoctorOptions& options) {
  const std::string name = processor_name(fs::path(options.root) / "proc/cpuinfo");
  const unsigned cores = std::thread::hardware_concurrency();
  const std::string backend = learner_backend();
  const nlohmann::json facts{{"name", name}, {"cores", cores}, {"learner", backend}};
  const std::string text =
      name + ", " + std::to_string(cores) + " cores; the learner runs as \"" + backend + "\"";
  if (backend.find("plain") != std::string::npos) {
    return warning(text,
                   "no instruction set that Jackdaw has fast loops for (AVX2, AVX-512, NEON); "
                   "learning works, but slowly",
                   facts);
  }
  return ok(text, facts);
}

}  // namespace jackdaw::doctor
