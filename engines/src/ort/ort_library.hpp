// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX Runtime's library, opened at run time, and handles that free themselves.
//
//   const OrtLibrary& ort = load_ort_library();               // throws EncoderError: why not
//   Handle<SessionOptions> options(ort);
//   ort.check(kCreateSessionOptions(ort.table(), options.out()), "make options");

#include <string>
#include <utility>

#include "jackdaw/engines/encoder.hpp"
#include "ort/ort_abi.hpp"

namespace jackdaw::ort {

class OrtLibrary {
 public:
  OrtLibrary(std::string path, Table table, std::string version, Env* env)
      : path_(std::move(path)), table_(table), version_(std::move(version)), env_(env) {}

  Table table() const noexcept { return table_; }
  const Env* env() const noexcept { return env_; }
  const std::string& path() const noexcept { return path_; }
  const std::string& version() const noexcept { return version_; }

  // Takes the failure, if it is one; throws EncoderError "cannot WHAT: REASON".
  void check(Failure* failure, const char* what) const;

 private:
  std::string path_;
  Table table_;
  std::string version_;
  Env* env_;  // lives as long as the process
};

// Opens one file, or by a bare name one in the library path; never unloaded.
OrtLibrary open_ort_library(const std::string& path);

// $JACKDAW_ONNXRUNTIME, then what `jackdaw engine get onnxruntime` put into the cache, then the
// library path. Looked for once in the life of the process; tried again while it fails.
const OrtLibrary& load_ort_library();

inline void release(Table table, MemoryInfo* raw) { kReleaseMemoryInfo(table, raw); }
inline void release(Table table, Session* raw) { kReleaseSession(table, raw); }
inline void release(Table table, Value* raw) { kReleaseValue(table, raw); }
inline void release(Table table, TypeInfo* raw) { kReleaseTypeInfo(table, raw); }
inline void release(Table table, SessionOptions* raw) { kReleaseSessionOptions(table, raw); }

template <class T>
class Handle {
 public:
  explicit Handle(const OrtLibrary& library) : library_(&library) {}
  ~Handle() { reset(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  T* get() const noexcept { return raw_; }
  // For a call that makes one.
  T** out() noexcept {
    reset();
    return &raw_;
  }
  void reset() noexcept {
    if (raw_ != nullptr) release(library_->table(), raw_);
    raw_ = nullptr;
  }

 private:
  const OrtLibrary* library_;
  T* raw_ = nullptr;
};

}  // namespace jackdaw::ort
