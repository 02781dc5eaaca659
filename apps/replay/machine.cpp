// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/machine.hpp"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <opencv2/core/version.hpp>
#include <thread>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/version.hpp"

namespace jackdaw::replay {
namespace {

// "model name : X" of the first processor; on ARM boards the device tree has the better name.
std::string processor() {
  std::ifstream model("/proc/device-tree/model");
  std::string line;
  if (std::getline(model, line, '\0') && !line.empty()) return line;
  std::ifstream info("/proc/cpuinfo");
  while (std::getline(info, line)) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.processor = processor();
  utsname names{};
  if (::uname(&names) == 0) {
    machine.system = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  machine.cores = std::thread::hardware_concurrency();
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  machine.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  EnsembleSettings tiny;
  tiny.classifiers = 2;
  tiny.nearest = 1;
  tiny.dimensions = 2;
  tiny.max_classes = 1;
  machine.backend = make_ensemble(tiny, Device::kCpu)->backend();
  return machine;
}

Versions these_versions() {
  Versions versions;
  versions.jackdaw = kVersion;
  versions.opencv = CV_VERSION;
  versions.compiler = __VERSION__;
  return versions;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024
                                               : 0;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace jackdaw::replay
