// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which kernels run, in which order, with which grids. A sequence only enqueues, through a
// launcher: StreamLauncher puts the launches on a CUDA stream, the tests' launcher runs them in the
// emulation. So the sequence that is tested is the one that ships.
//
//   launcher.launch(kernel, Grid{x, y}, threads, arguments...);
//   launcher.copy(to, from, bytes);     // device memory -> pinned host memory
//
// Profile default:
//   predict      ask, top_k, row_answers, answer
//   nearest      similarity, top_k, copy
//   teach        similarity, top_k, teach, class_mean, class_norm, pool_norms, copy
//   teach_batch  similarity, top_k, teach for each example, then as teach
//   derive       class_mean, class_norm, pool_norms
//   refresh      class_mean, class_norm for every max_batch classes, pool_norms
//   admit        door
// Profile seed:
//   predict      similarity, top_k, read_out
//   nearest      similarity, top_k, copy
//   teach        similarity, top_k, teach, copy
//   teach_batch  similarity, top_k, coefficient, step, copy
//   admit        door

#include "cuda/answer_default.cuh"
#include "cuda/class_norm.cuh"
#include "cuda/door.cuh"
#include "cuda/read_out_seed.cuh"
#include "cuda/row_answers.cuh"
#include "cuda/seed_batch.cuh"
#include "cuda/sequences.hpp"
#include "cuda/teach_default.cuh"
#include "cuda/teach_seed.cuh"
#include "cuda/top_k.cuh"
#include "cuda/whiten.cuh"

namespace jackdaw::cuda {

template <class Launcher>
class Sequences {
 public:
  Sequences(Launcher& launcher, const DeviceStore& store) : launcher_(launcher), store_(store) {}

  // One embedding becomes query's first example.
  void admit(const Query& query, const float* embedding) {
    launch_door(launcher_, store_, query, embedding);
  }

  void predict(const Query& query, unsigned batch) {
    if (seed()) {
      choose(query, batch);
      with_element([&](auto element) {
        launcher_.launch(read_out_seed_kernel<decltype(element)>, Grid{shape().max_classes, batch},
                         kSeedReadOutThreads, store_.view, store_.rule, query);
      });
      return;
    }
    launcher_.launch(
        ask_kernel,
        Grid{similarity_blocks(shape().classifiers) + whiten_blocks(shape().stride), batch},
        kSimilarityThreads, shape(), store_.view.keys, store_.whitener, query);
    launcher_.launch(top_k_kernel<std::int32_t>, Grid{1, batch}, top_k_threads(shape().classifiers),
                     shape(), query);
    with_element([&](auto element) {
      launcher_.launch(row_answers_kernel<decltype(element)>, Grid{shape().max_classes, batch},
                       kRowAnswerThreads, store_.view, query);
    });
    launcher_.launch(answer_default_kernel, Grid{answer_blocks(shape().max_classes), batch},
                     kAnswerThreads, store_.view, store_.whitener, store_.rule, query);
  }

  void nearest(const Query& query, std::uint32_t* chosen) {
    choose(query, 1);
    launcher_.copy(chosen, query.chosen, shape().nearest * sizeof(std::uint32_t));
  }

  // One example: targets[0] says as what.
  void teach(const Teacher& teacher) {
    choose(teacher.query, 1);
    if (seed()) {
      with_element([&](auto element) {
        launcher_.launch(teach_seed_kernel<decltype(element)>,
                         Grid{teach_blocks(shape().nearest + 1), 1}, kTeachThreads, store_.view,
                         teacher.query, teacher.targets);
      });
    } else {
      teach_default(teacher, 0);
      norms(Classes{teacher.targets, 0, 1}, teacher.work);
      pool_norms();
    }
    copy_clipped(teacher);
  }

  void teach_batch(const Teacher& teacher, unsigned batch) {
    choose(teacher.query, batch);
    if (seed()) {
      with_element([&](auto element) {
        launcher_.launch(
            seed_coefficient_kernel<decltype(element)>,
            Grid{(shape().nearest + kCoefficientThreads / 2 - 1) / (kCoefficientThreads / 2),
                 batch},
            kCoefficientThreads, store_.view, store_.rule, teacher.query, teacher.targets);
        launcher_.launch(seed_step_kernel<decltype(element)>,
                         Grid{teach_blocks(shape().nearest + 1), batch}, kTeachThreads, store_.view,
                         teacher.query, teacher.targets);
      });
    } else {
      // One after the other: two examples of a batch may choose the same row.
      for (unsigned b = 0; b < batch; ++b) teach_default(teacher, b);
      norms(Classes{teacher.targets, 0, batch}, teacher.work);
      pool_norms();
    }
    copy_clipped(teacher);
  }

  // The norm of targets[0]'s class, after its statistics were put there by the host.
  void derive(const Teacher& teacher) {
    norms(Classes{teacher.targets, 0, 1}, teacher.work);
    pool_norms();
  }

  // The norms of all classes, by the whitening that store.whitener says.
  void refresh_norms(const Teacher& teacher, unsigned max_batch) {
    for (unsigned first = 0; first < shape().max_classes; first += max_batch) {
      const unsigned left = shape().max_classes - first;
      norms(Classes{nullptr, first, left < max_batch ? left : max_batch}, teacher.work);
    }
    pool_norms();
  }

 private:
  const StoreShape& shape() const { return store_.view.shape; }
  bool seed() const { return store_.profile == Profile::kSeed; }

  template <class Enqueue>
  void with_element(const Enqueue& enqueue) const {
    if (store_.type == StoreType::kHalf) {
      enqueue(HalfElement{});
    } else {
      enqueue(Int16Element{});
    }
  }

  void choose(const Query& query, unsigned batch) {
    if (seed()) {
      launcher_.launch(similarity_seed_kernel, Grid{similarity_blocks(shape().classifiers), batch},
                       kSimilarityThreads, shape(), store_.view.keys, store_.view.inverse_lengths,
                       static_cast<const float*>(query.examples),
                       static_cast<float*>(query.similarities));
      launcher_.launch(top_k_kernel<float>, Grid{1, batch}, top_k_threads(shape().classifiers),
                       shape(), query);
      return;
    }
    launcher_.launch(similarity_i8_kernel, Grid{similarity_blocks(shape().classifiers), batch},
                     kSimilarityThreads, shape(), store_.view.keys,
                     static_cast<const std::int8_t*>(query.examples),
                     static_cast<std::int32_t*>(query.similarities));
    launcher_.launch(top_k_kernel<std::int32_t>, Grid{1, batch}, top_k_threads(shape().classifiers),
                     shape(), query);
  }

  void teach_default(const Teacher& teacher, unsigned b) {
    with_element([&](auto element) {
      launcher_.launch(teach_default_kernel<decltype(element)>,
                       Grid{teach_blocks(shape().nearest + shape().stride + 1), 1}, kTeachThreads,
                       store_.view, teacher.query, teacher.targets, b);
    });
  }

  void norms(const Classes& which, float* work) {
    launcher_.launch(class_mean_kernel, Grid{shape().stride / (kClassNormThreads / 4), which.count},
                     kClassNormThreads, store_.view, store_.whitener, which, work);
    launcher_.launch(class_norm_kernel, Grid{1, which.count}, kWarp, store_.view, store_.whitener,
                     which, static_cast<const float*>(work));
  }

  void pool_norms() {
    launcher_.launch(pool_norms_kernel, Grid{1, 1}, kWarp, store_.view, store_.whitener,
                     store_.rule);
  }

  void copy_clipped(const Teacher& teacher) {
    launcher_.copy(teacher.clipped, store_.view.class_clipped,
                   shape().max_classes * sizeof(std::int32_t));
  }

  Launcher& launcher_;
  const DeviceStore& store_;
};

}  // namespace jackdaw::cuda
