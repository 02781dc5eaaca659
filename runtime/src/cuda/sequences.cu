// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cuda/sequences.cuh"

#include "cuda/stream_launcher.cuh"

namespace jackdaw::cuda {
namespace {

// Launches nothing: asking for a kernel's attributes is what makes CUDA load it.
class KernelLoader {
 public:
  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), Grid, unsigned, const Arguments&...) {
    cudaFuncAttributes attributes{};
    JACKDAW_CHECK_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  }
  void copy(void*, const void*, std::size_t) {}
};

}  // namespace

void load_kernels(const DeviceStore& store) {
  KernelLoader loader;
  Sequences<KernelLoader> sequences(loader, store);
  sequences.admit({}, nullptr);
  sequences.predict({}, 1);
  sequences.nearest({}, nullptr);
  sequences.teach({});
  sequences.teach_batch({}, 1);
  if (store.profile == Profile::kSeed) return;
  sequences.derive({});
  sequences.refresh_norms({}, store.view.shape.max_classes);
}

void enqueue_admit(cudaStream_t stream, const DeviceStore& store, const Query& query,
                   const float* embedding) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).admit(query, embedding);
}

void enqueue_predict(cudaStream_t stream, const DeviceStore& store, const Query& query,
                     unsigned batch) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).predict(query, batch);
}

void enqueue_nearest(cudaStream_t stream, const DeviceStore& store, const Query& query,
                     std::uint32_t* chosen) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).nearest(query, chosen);
}

void enqueue_teach(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).teach(teacher);
}

void enqueue_teach_batch(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher,
                         unsigned batch) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).teach_batch(teacher, batch);
}

void enqueue_derive(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).derive(teacher);
}

void enqueue_refresh_norms(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher,
                           unsigned max_batch) {
  StreamLauncher launcher(stream);
  Sequences<StreamLauncher>(launcher, store).refresh_norms(teacher, max_batch);
}

}  // namespace jackdaw::cuda
