// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/trt_module.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <utility>

#include "jackdaw/log.hpp"

namespace jackdaw::trt {
namespace {

constexpr const char* kFileName = "jackdaw-trt.so";
constexpr const char* kVariable = "JACKDAW_TRT_MODULE";
constexpr const char* kNotUsed = "TensorRT cannot be used: ";

void to_our_log(void*, int level, const char* text) {
  log(level == JACKDAW_TRT_INFO      ? LogLevel::kInfo
      : level == JACKDAW_TRT_WARNING ? LogLevel::kWarning
                                     : LogLevel::kError,
      std::string("TensorRT: ") + text);
}

[[noreturn]] void unavailable(TrtReason reason, const std::string& why) {
  throw TrtUnavailable(reason, kNotUsed + why);
}

// "" where /proc does not say.
std::string program_folder() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof path)) return {};
  const std::string text(path, static_cast<std::size_t>(length));
  return text.substr(0, text.find_last_of('/'));
}

std::string last_dl_error() {
  const char* text = ::dlerror();
  return text == nullptr ? "for no stated reason" : text;
}

// The loader says "NAME: cannot open shared object file": NAME is either what was asked for or
// something that it needs.
std::string missing_library(const std::string& error) {
  const std::size_t colon = error.find(": cannot open shared object file");
  return colon == std::string::npos ? std::string() : error.substr(0, colon);
}

}  // namespace

TrtModule::TrtModule(std::string path, const jackdaw_trt_functions& functions)
    : path_(std::move(path)), functions_(functions) {}

std::string TrtModule::tensorrt_version() const { return functions_.tensorrt_version(); }

TrtDevice TrtModule::device() const {
  jackdaw_trt_device found{};
  jackdaw_trt_message message{};
  const int code = functions_.device(&found, &message);
  const std::string why = std::string(" (") + message.text + ")";
  switch (code) {
    case JACKDAW_TRT_OK:
      break;
    case JACKDAW_TRT_NO_DRIVER:
      unavailable(TrtReason::kNoDriver,
                  "there is no NVIDIA driver that CUDA accepts" + why +
                      "; install or update it, on a Jetson by updating JetPack");
    case JACKDAW_TRT_NO_GPU:
      unavailable(TrtReason::kNoGpu, "the NVIDIA driver reports no GPU" + why +
                                         "; in a container, start it with the NVIDIA runtime");
    default:
      unavailable(TrtReason::kGpuFailed,
                  "the GPU does not answer" + why + "; restarting the machine may help");
  }
  return {{found.name, found.sm_major, found.sm_minor, found.multiprocessors}, found.memory_bytes};
}

TrtModule open_trt_module(const std::string& path) {
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string error = last_dl_error();
    const std::string missing = missing_library(error);
    if (missing == path) unavailable(TrtReason::kNoModule, path + " is not there");
    if (!missing.empty()) {
      unavailable(TrtReason::kNoTensorRt,
                  path + " needs " + missing +
                      ", which is not installed; install the TensorRT and CUDA that it was built "
                      "for, or build Jackdaw again on this machine");
    }
    unavailable(TrtReason::kBadModule, path + " cannot be loaded: " + error);
  }
  ::dlerror();
  const auto entry = reinterpret_cast<jackdaw_trt_entry>(::dlsym(handle, JACKDAW_TRT_ENTRY));
  if (entry == nullptr) {
    unavailable(TrtReason::kBadModule, path + " is no module of Jackdaw: it has no " +
                                           JACKDAW_TRT_ENTRY +
                                           "; put the jackdaw-trt.so of this version in its place");
  }
  const jackdaw_trt_functions* const functions = entry();
  if (functions == nullptr) {
    unavailable(TrtReason::kBadModule, path + " gives no functions; install Jackdaw again");
  }
  if (functions->abi != JACKDAW_TRT_ABI) {
    unavailable(TrtReason::kOtherAbi,
                path + " speaks version " + std::to_string(functions->abi) +
                    " of the interface, this program version " + std::to_string(JACKDAW_TRT_ABI) +
                    "; install the program and the module from the same build");
  }
  functions->set_log(&to_our_log, nullptr);
  return {path, *functions};
}

TrtModule find_trt_module() {
  const std::string folder = program_folder();
  if (!folder.empty()) {
    const std::string path = folder + "/" + kFileName;
    if (::access(path.c_str(), F_OK) == 0) return open_trt_module(path);
  }
  try {
    return open_trt_module(kFileName);
  } catch (const TrtUnavailable& error) {
    if (error.reason != TrtReason::kNoModule) throw;
  }
  const char* named = std::getenv(kVariable);
  if (named != nullptr && *named != '\0') {
    try {
      return open_trt_module(named);
    } catch (const TrtUnavailable& error) {
      if (error.reason != TrtReason::kNoModule) throw;
      unavailable(TrtReason::kNoModule,
                  std::string(kVariable) + " names " + named + ", which is not there");
    }
  }
  unavailable(TrtReason::kNoModule, std::string(kFileName) + " is neither next to the program (" +
                                        (folder.empty() ? "unknown" : folder) +
                                        ") nor in the library path, and " + kVariable +
                                        " is not set; build Jackdaw where TensorRT is installed");
}

const TrtModule& load_trt_module() {
  static const TrtModule module = find_trt_module();  // tried again by the next call if it throws
  return module;
}

}  // namespace jackdaw::trt
