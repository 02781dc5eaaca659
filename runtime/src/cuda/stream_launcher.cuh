// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts kernels on a stream. The counterpart in the tests is EmulatedLauncher.

#include <cstddef>
#include <tuple>

#include "cuda/check.hpp"
#include "cuda/sequences.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::cuda {

class StreamLauncher {
 public:
  explicit StreamLauncher(cudaStream_t stream) : stream_(stream) {
    if (stream == nullptr)
      throw CudaError("launches need a stream; the default stream is not used");
  }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), Grid grid, unsigned threads,
              const Arguments&... arguments) {
    // Not <<<>>>: only this gives the launch's own error, not one that the caller left unread.
    std::tuple<Parameters...> held(arguments...);
    std::apply(
        [&](Parameters&... parameters) {
          void* addresses[] = {&parameters...};
          JACKDAW_CHECK_CUDA(cudaLaunchKernel(reinterpret_cast<const void*>(kernel),
                                              dim3(grid.x, grid.y), dim3(threads), addresses, 0,
                                              stream_));
        },
        held);
  }

  void copy(void* to, const void* from, std::size_t bytes) {
    JACKDAW_CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
  }

 private:
  cudaStream_t stream_;
};

}  // namespace jackdaw::cuda
