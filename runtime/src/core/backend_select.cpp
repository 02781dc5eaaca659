// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which backend a caller gets: the only file that asks whether CUDA was built in.
#include "cpu/cpu_ensemble.hpp"
#include "jackdaw/ensemble.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"
#if JACKDAW_HAS_CUDA
#include "cuda/cuda_ensemble.hpp"
#endif

namespace jackdaw {
namespace {

std::unique_ptr<Ensemble> try_cuda(const EnsembleSettings& settings, Span<const std::int8_t> keys) {
#if JACKDAW_HAS_CUDA
  return make_cuda_ensemble(settings, keys);
#else
  static_cast<void>(settings);
  static_cast<void>(keys);
  throw CudaError("this build has no CUDA backend; configure with -DJACKDAW_CUDA=ON");
#endif
}

}  // namespace

std::unique_ptr<Ensemble> make_ensemble(const EnsembleSettings& settings, Device device,
                                        Span<const std::int8_t> keys) {
  // The GPU keeps 16 bits only; with kAuto a caller gets what works.
  const bool cpu_only = device == Device::kAuto && settings.store == StoreType::kInt32;
  if (device == Device::kCpu || cpu_only)
    return make_cpu_ensemble(settings, best_primitives(), keys);
  try {
    return try_cuda(settings, keys);
  } catch (const CapacityError& error) {
    if (device == Device::kCuda) throw;
    log(LogLevel::kWarning, std::string("learning on the CPU: ") + error.what());
  } catch (const CudaError& error) {
    if (device == Device::kCuda) throw;
    log(LogLevel::kInfo, std::string("learning on the CPU: ") + error.what());
  }
  return make_cpu_ensemble(settings, best_primitives(), keys);
}

}  // namespace jackdaw
