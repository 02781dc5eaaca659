// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Compiled where ONNX Runtime's header is installed: every place in its table that ort_abi.hpp
// names, and every number, is the header's.
#include <doctest/doctest.h>
#include <onnxruntime_c_api.h>

#include "ort/ort_abi.hpp"

namespace jackdaw::ort {

template <class E>
constexpr bool is_at(const E&, std::size_t offset) {
  return E::kPlace * sizeof(Function) == offset;
}

#define JACKDAW_IS_AT(name) static_assert(is_at(k##name, offsetof(OrtApi, name)), #name)
JACKDAW_IS_AT(GetErrorMessage);
JACKDAW_IS_AT(CreateEnvWithCustomLogger);
JACKDAW_IS_AT(CreateSessionFromArray);
JACKDAW_IS_AT(Run);
JACKDAW_IS_AT(CreateSessionOptions);
JACKDAW_IS_AT(SetSessionGraphOptimizationLevel);
JACKDAW_IS_AT(SetIntraOpNumThreads);
JACKDAW_IS_AT(SessionGetInputCount);
JACKDAW_IS_AT(SessionGetOutputCount);
JACKDAW_IS_AT(SessionGetInputTypeInfo);
JACKDAW_IS_AT(SessionGetOutputTypeInfo);
JACKDAW_IS_AT(SessionGetInputName);
JACKDAW_IS_AT(SessionGetOutputName);
JACKDAW_IS_AT(CreateTensorWithDataAsOrtValue);
JACKDAW_IS_AT(CastTypeInfoToTensorInfo);
JACKDAW_IS_AT(GetTensorElementType);
JACKDAW_IS_AT(GetDimensionsCount);
JACKDAW_IS_AT(GetDimensions);
JACKDAW_IS_AT(CreateCpuMemoryInfo);
JACKDAW_IS_AT(AllocatorFree);
JACKDAW_IS_AT(GetAllocatorWithDefaultOptions);
JACKDAW_IS_AT(ReleaseStatus);
JACKDAW_IS_AT(ReleaseMemoryInfo);
JACKDAW_IS_AT(ReleaseSession);
JACKDAW_IS_AT(ReleaseValue);
JACKDAW_IS_AT(ReleaseTypeInfo);
JACKDAW_IS_AT(ReleaseSessionOptions);
JACKDAW_IS_AT(AddSessionConfigEntry);
static_assert(kApiVersion <= ORT_API_VERSION);
static_assert(static_cast<int>(kError) == ORT_LOGGING_LEVEL_ERROR);
static_assert(static_cast<int>(kWarning) == ORT_LOGGING_LEVEL_WARNING);
static_assert(static_cast<int>(kFloat) == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
static_assert(static_cast<int>(kUint8) == ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8);
static_assert(kAllOptimisations == ORT_ENABLE_ALL);
static_assert(kArenaAllocator == OrtArenaAllocator);
static_assert(kDefaultMemory == OrtMemTypeDefault);

TEST_CASE("what Jackdaw says of ONNX Runtime's interface is what its header says") {
  CHECK(ORT_API_VERSION >= kApiVersion);  // the rest was checked by the compiler
}

}  // namespace jackdaw::ort
