// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the backend enqueues on a stream, for host code: no CUDA syntax here. sequences.cuh has the
// launches.
//
//   enqueue_predict(stream, store, query, 1);      // returns at once
//
// None of these allocates, synchronises or uses the default stream. Failed launches throw
// CudaError.

#include <cstdint>

#include "cuda/arguments.hpp"

typedef struct CUstream_st* cudaStream_t;  // as cuda_runtime_api.h has it

namespace jackdaw::cuda {

struct Grid {
  unsigned x = 1;
  unsigned y = 1;
};

// What every sequence needs to know of the ensemble.
struct DeviceStore {
  StoreView view;
  const WhitenerView* whitener = nullptr;  // device: the one in force; default only
  Rule rule;
  Profile profile = Profile::kDefault;
  StoreType type = StoreType::kInt16;
};

// The teacher's work area.
struct Teacher {
  Query query;
  const TeachTarget* targets = nullptr;  // mapped [max_batch]
  float* work = nullptr;                 // device [max_batch][stride]; default only
  std::int32_t* clipped = nullptr;       // pinned [max_classes]: class_clipped after each step
};

// Loads every kernel of these sequences, so that the first launch of none has to.
void load_kernels(const DeviceStore& store);

void enqueue_admit(cudaStream_t stream, const DeviceStore& store, const Query& query,
                   const float* embedding);
void enqueue_predict(cudaStream_t stream, const DeviceStore& store, const Query& query,
                     unsigned batch);
void enqueue_nearest(cudaStream_t stream, const DeviceStore& store, const Query& query,
                     std::uint32_t* chosen);
void enqueue_teach(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher);
void enqueue_teach_batch(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher,
                         unsigned batch);
void enqueue_derive(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher);
void enqueue_refresh_norms(cudaStream_t stream, const DeviceStore& store, const Teacher& teacher,
                           unsigned max_batch);

}  // namespace jackdaw::cuda
