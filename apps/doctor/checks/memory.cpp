// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// How much memory there is, against what the learner plans.
#include <cstdlib>

#include "device/system_files.hpp"
#include "doctor/check.hpp"
#include "doctor/words.hpp"
#include "jackdaw/memory_plan.hpp"

namespace jackdaw::doctor {
namespace {

// "61734912 kB"
std::uint64_t bytes_of(const std::filesystem::path& meminfo, const char* key) {
  const auto value = device::value_of(meminfo, key);
  return value ? std::strtoull(value->c_str(), nullptr, 10) * 1024 : 0;
}

// What an encoder, OpenCV and the frames take besides, generously.
constexpr std::uint64_t kBesides = 1'000'000'000;

}  // namespace

Finding check_memory(const DoctorOptions& options) {
  const auto meminfo = std::filesystem::path(options.root) / "proc/meminfo";
  const std::uint64_t total = bytes_of(meminfo, "MemTotal"),
                      free = bytes_of(meminfo, "MemAvailable"),
                      swap = bytes_of(meminfo, "SwapTotal");
  const EnsembleSettings usual;
  const std::uint64_t planned = plan_memory(usual).total_bytes;
  const nlohmann::json facts{{"total_bytes", total},
                             {"available_bytes", free},
                             {"swap_bytes", swap},
                             {"learner_bytes", planned}};
  if (total == 0) return not_run("/proc/meminfo does not tell", "", facts);
  const std::string text = gigabytes(free) + " of " + gigabytes(total) + " free, " +
                           gigabytes(swap) + " swap; the learner plans " + gigabytes(planned) +
                           " for " + std::to_string(usual.max_classes) + " classes of " +
                           std::to_string(usual.dimensions) + " dimensions";
  if (free < planned + kBesides) {
    return warning(
        text,
        "building a TensorRT engine may fail for want of memory: end other programs "
        "(on a Jetson the desktop: sudo systemctl isolate multi-user.target), or add swap",
        facts);
  }
  return ok(text, facts);
}

}  // namespace jackdaw::doctor
