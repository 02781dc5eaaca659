// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/ensemble.hpp"

namespace jackdaw {

Status Ensemble::admit_batch(Span<const float> embeddings, Span<std::byte> examples) noexcept {
  const std::size_t d = settings().dimensions;
  const std::size_t bytes = example_bytes();
  const std::size_t batch = embeddings.size() / d;
  if (embeddings.size() != batch * d || examples.size() != batch * bytes) return Status::kWrongSize;
  for (std::size_t b = 0; b < batch; ++b) {
    const Status s = admit(embeddings.subspan(b * d, d), examples.subspan(b * bytes, bytes));
    if (s != Status::kOk) return s;
  }
  return Status::kOk;
}

Status Ensemble::choose_batch(std::uint32_t /*context*/, Span<const std::byte> /*examples*/,
                              Span<Choice> /*choices*/) noexcept {
  return Status::kOk;
}

Status Ensemble::predict_chosen(std::uint32_t context, Span<const std::byte> examples,
                                Span<const Choice> /*choices*/, Span<ClassScore> scores) noexcept {
  return predict_batch(context, examples, scores);
}

}  // namespace jackdaw
