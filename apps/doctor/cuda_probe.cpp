// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/cuda_probe.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "jackdaw/error.hpp"

namespace jackdaw::doctor {
namespace {

// The driver's own library tells without a device. Never closed: CUDA does not stand that.
std::optional<int> driver_version() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  using Ask = int (*)(int*);
  const auto ask = reinterpret_cast<Ask>(::dlsym(library, "cuDriverGetVersion"));
  int version = 0;
  if (ask == nullptr || ask(&version) != 0) return std::nullopt;
  return version;
}

std::string driver_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// 13.0.48 -> 13.0
std::string short_version(const std::string& version) {
  const std::size_t dot = version.find('.');
  return version.substr(0, dot == std::string::npos ? dot : version.find('.', dot + 1));
}

std::string for_this_jetpack(const device::Identity& identity) {
  const std::string jetpack = identity.jetpack();
  return "install the package that was built for JetPack " +
         (jetpack.empty() ? std::string("of this device") : jetpack.substr(0, jetpack.find('.')));
}

}  // namespace

std::unique_ptr<Ensemble> try_cuda(const EnsembleSettings& settings, std::string& why) {
  try {
    return make_ensemble(settings, Device::kCuda);
  } catch (const Error& error) {
    why = error.what();
    return nullptr;
  }
}

CudaProbe probe_cuda() {
  CudaProbe probe;
  probe.runtime = short_version(JACKDAW_CUDA_RUNTIME);
  probe.driver = driver_version();
  EnsembleSettings tiny;
  tiny.classifiers = 32;
  tiny.nearest = 4;
  tiny.dimensions = 32;
  tiny.max_classes = 2;
  if (const auto ensemble = try_cuda(tiny, probe.fault)) probe.device = ensemble->backend();
  return probe;
}

Finding judge(const CudaProbe& probe, const device::Identity& identity) {
  const std::string driver = probe.driver ? driver_text(*probe.driver) : "";
  const nlohmann::json facts{
      {"runtime", probe.runtime}, {"driver", driver}, {"device", probe.device}};
  const std::string versions =
      "CUDA " + probe.runtime + " built in" +
      (probe.driver ? ", the driver serves CUDA up to " + driver : ", no NVIDIA driver");
  if (!probe.device.empty()) return ok(probe.device + "; " + versions, facts);
  if (probe.runtime.empty()) {
    const std::string text = "no CUDA device: this program was built without CUDA" +
                             (driver.empty() ? "" : "; the driver serves CUDA up to " + driver);
    if (!identity.jetson() && !probe.driver) return not_run(text, "", facts);
    return warning(text,
                   identity.jetson() ? for_this_jetpack(identity)
                                     : "build Jackdaw where nvcc is installed to use the GPU",
                   facts);
  }
  if (!probe.driver) {
    if (!identity.jetson()) return not_run("no CUDA device; " + versions, "", facts);
    return failed("no CUDA device; " + versions,
                  "libcuda.so.1 is part of JetPack: flash the board again, or in a container start "
                  "it with --runtime nvidia",
                  facts);
  }
  if (std::atoi(probe.runtime.c_str()) > *probe.driver / 1000) {
    return failed("no CUDA device: the driver is too old for this program; " + versions,
                  for_this_jetpack(identity), facts);
  }
  return failed(probe.fault + "; " + versions,
                "is the user in the groups video and render? ('id' shows it; 'sudo usermod -aG "
                "video,render NAME' adds one)",
                facts);
}

}  // namespace jackdaw::doctor
