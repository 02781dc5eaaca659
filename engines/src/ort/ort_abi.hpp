// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What Jackdaw calls of ONNX Runtime's C interface, so that it can be used where its library is
// found and its headers are not (Debian 12, Ubuntu 22.04 and JetPack have no package of it).
//
//   Failure* failure = kCreateSessionOptions(table, &options);     // null: it worked
//
// ONNX Runtime hands out one table of functions and promises never to move an entry; an Entry is a
// place in it and a signature. tests/engines/ort_abi_test.cpp holds every place and number against
// the real header where that is installed.

#include <cstddef>
#include <cstdint>

namespace jackdaw::ort {

// Known to ONNX Runtime only.
struct Failure;
struct Env;
struct Session;
struct SessionOptions;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct TypeInfo;
struct TensorInfo;
struct Allocator;

using Function = void (*)();
using Table = const Function*;

struct ApiBase {
  Table (*get_api)(std::uint32_t version);  // null: the library is older than that
  const char* (*version)();                 // "1.21.0"
};
inline constexpr const char* kEntryPoint = "OrtGetApiBase";
using EntryPoint = const ApiBase* (*)();
inline constexpr std::uint32_t kApiVersion = 11;  // that of ONNX Runtime 1.11

enum Level : int { kVerbose = 0, kInfo = 1, kWarning = 2, kError = 3, kFatal = 4 };
enum ElementType : int { kFloat = 1, kUint8 = 2 };
inline constexpr int kAllOptimisations = 99;
inline constexpr int kArenaAllocator = 1;
inline constexpr int kDefaultMemory = 0;

using LogFunction = void (*)(void* user, int level, const char* category, const char* id,
                             const char* where, const char* message);

template <std::size_t kAt, class Signature>
struct Entry;

template <std::size_t kAt, class Result, class... Arguments>
struct Entry<kAt, Result(Arguments...)> {
  static constexpr std::size_t kPlace = kAt;
  Result operator()(Table table, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(table[kAt])(arguments...);
  }
};

inline constexpr Entry<2, const char*(const Failure*)> kGetErrorMessage{};
inline constexpr Entry<4, Failure*(LogFunction, void*, int, const char*, Env**)>
    kCreateEnvWithCustomLogger{};
inline constexpr Entry<8, Failure*(const Env*, const void*, std::size_t, const SessionOptions*,
                                   Session**)>
    kCreateSessionFromArray{};
inline constexpr Entry<9, Failure*(Session*, const RunOptions*, const char* const*,
                                   const Value* const*, std::size_t, const char* const*,
                                   std::size_t, Value**)>
    kRun{};
inline constexpr Entry<10, Failure*(SessionOptions**)> kCreateSessionOptions{};
inline constexpr Entry<23, Failure*(SessionOptions*, int)> kSetSessionGraphOptimizationLevel{};
inline constexpr Entry<24, Failure*(SessionOptions*, int)> kSetIntraOpNumThreads{};
inline constexpr Entry<30, Failure*(const Session*, std::size_t*)> kSessionGetInputCount{};
inline constexpr Entry<31, Failure*(const Session*, std::size_t*)> kSessionGetOutputCount{};
inline constexpr Entry<33, Failure*(const Session*, std::size_t, TypeInfo**)>
    kSessionGetInputTypeInfo{};
inline constexpr Entry<34, Failure*(const Session*, std::size_t, TypeInfo**)>
    kSessionGetOutputTypeInfo{};
inline constexpr Entry<36, Failure*(const Session*, std::size_t, Allocator*, char**)>
    kSessionGetInputName{};
inline constexpr Entry<37, Failure*(const Session*, std::size_t, Allocator*, char**)>
    kSessionGetOutputName{};
inline constexpr Entry<49, Failure*(const MemoryInfo*, void*, std::size_t, const std::int64_t*,
                                    std::size_t, int, Value**)>
    kCreateTensorWithDataAsOrtValue{};
inline constexpr Entry<55, Failure*(const TypeInfo*, const TensorInfo**)>
    kCastTypeInfoToTensorInfo{};
inline constexpr Entry<60, Failure*(const TensorInfo*, int*)> kGetTensorElementType{};
inline constexpr Entry<61, Failure*(const TensorInfo*, std::size_t*)> kGetDimensionsCount{};
inline constexpr Entry<62, Failure*(const TensorInfo*, std::int64_t*, std::size_t)>
    kGetDimensions{};
inline constexpr Entry<69, Failure*(int, int, MemoryInfo**)> kCreateCpuMemoryInfo{};
inline constexpr Entry<76, Failure*(Allocator*, void*)> kAllocatorFree{};
inline constexpr Entry<78, Failure*(Allocator**)> kGetAllocatorWithDefaultOptions{};
inline constexpr Entry<93, void(Failure*)> kReleaseStatus{};
inline constexpr Entry<94, void(MemoryInfo*)> kReleaseMemoryInfo{};
inline constexpr Entry<95, void(Session*)> kReleaseSession{};
inline constexpr Entry<96, void(Value*)> kReleaseValue{};
inline constexpr Entry<98, void(TypeInfo*)> kReleaseTypeInfo{};
inline constexpr Entry<100, void(SessionOptions*)> kReleaseSessionOptions{};
inline constexpr Entry<130, Failure*(SessionOptions*, const char*, const char*)>
    kAddSessionConfigEntry{};

}  // namespace jackdaw::ort
