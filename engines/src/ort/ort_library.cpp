// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "ort/ort_library.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/log.hpp"

namespace jackdaw::ort {
namespace {

constexpr const char* kVariable = "JACKDAW_ONNXRUNTIME";
constexpr const char* kNotUsed = "ONNX Runtime cannot be used: ";

[[noreturn]] void unavailable(const std::string& why) { throw EncoderError(kNotUsed + why); }

void to_our_log(void*, int level, const char*, const char*, const char*, const char* message) {
  log(level >= kError     ? LogLevel::kError
      : level == kWarning ? LogLevel::kWarning
                          : LogLevel::kInfo,
      std::string("ONNX Runtime: ") + message);
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// A library is executable code: one that somebody else may write or put another in the place of is
// not loaded.
void check_owner(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) unavailable(path + " cannot be looked at");
  const bool ours = facts.st_uid == ::geteuid() || facts.st_uid == 0;
  const bool shared_folder = S_ISDIR(facts.st_mode) && (facts.st_mode & S_ISVTX) != 0;
  if (!ours || (!shared_folder && (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)) {
    unavailable(path +
                " belongs to somebody else or can be written by others; delete it and run: " +
                "jackdaw engine get onnxruntime");
  }
}

}  // namespace

void OrtLibrary::check(Failure* failure, const char* what) const {
  if (failure == nullptr) return;
  const std::string why = kGetErrorMessage(table_, failure);
  kReleaseStatus(table_, failure);
  throw EncoderError("ONNX Runtime " + version_ + " cannot " + what + ": " + why);
}

OrtLibrary open_ort_library(const std::string& path) {
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos) {
    check_owner(path.substr(0, std::max<std::size_t>(slash, 1)));
    check_owner(path);
  }
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    unavailable(why == nullptr ? path + " cannot be loaded" : why);
  }
  const auto entry = reinterpret_cast<EntryPoint>(::dlsym(handle, kEntryPoint));
  const ApiBase* const base = entry == nullptr ? nullptr : entry();
  if (base == nullptr) unavailable(path + " is another library: it has no " + kEntryPoint);
  const std::string version = base->version();
  const Table table = base->get_api(kApiVersion);
  if (table == nullptr) {
    unavailable(path + " is of version " + version + ", 1." + std::to_string(kApiVersion) +
                " or later is needed; get one: jackdaw engine get onnxruntime");
  }
  OrtLibrary library(path, table, version, nullptr);
  Env* env = nullptr;
  library.check(kCreateEnvWithCustomLogger(table, &to_our_log, nullptr, kError, "jackdaw", &env),
                "start");
  return {path, table, version, env};
}

const OrtLibrary& load_ort_library() {
  static const OrtLibrary library = [] {
    const char* named = std::getenv(kVariable);
    if (named != nullptr && *named != '\0') {
      if (std::strchr(named, '/') == nullptr || !is_there(named)) {
        unavailable(std::string(kVariable) + " is " + named + ", which is no path of a file");
      }
      return open_ort_library(named);
    }
    const std::string cached = cache_folder() + "/onnxruntime/libonnxruntime.so";
    if (is_there(cached)) return open_ort_library(cached);
    for (const char* name : {"libonnxruntime.so.1", "libonnxruntime.so"}) {
      try {
        return open_ort_library(name);
      } catch (const EncoderError& error) {
        if (std::string(error.what()).find("cannot open shared object file") == std::string::npos) {
          throw;
        }
      }
    }
    unavailable("it is neither in " + cached +
                " nor in the library path; get it: " + "jackdaw engine get onnxruntime");
  }();
  return library;
}

}  // namespace jackdaw::ort
