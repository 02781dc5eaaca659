// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu/default_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/whitening.hpp"

namespace jackdaw::default_rule {

void select(const Parts& parts, const ScratchView& scratch, std::uint32_t batch) noexcept {
  const StoreShape& shape = parts.store.shape;
  const std::size_t n = shape.classifiers;
  const std::size_t k = shape.nearest;
  for (std::size_t b = 0; b < batch; ++b) {
    const std::int32_t* similarity = scratch.similarities + b * n;
    std::uint32_t* chosen = scratch.chosen + b * k;
    parts.loops.top_k(similarity, n, k, chosen);
    std::int64_t total = 0;
    for (std::size_t r = 0; r < k; ++r) total += std::max(similarity[chosen[r]], 0);
    for (std::size_t r = 0; r < k; ++r) {
      const auto weight = static_cast<float>(std::max(similarity[chosen[r]], 0));
      scratch.weights[b * k + r] =
          total > 0 ? weight / static_cast<float>(total) : 1.0F / static_cast<float>(k);
    }
  }
}

void whiten(const Parts& parts, const WhitenerView& whitener, const ScratchView& scratch,
            std::uint32_t first, std::uint32_t count, float* whitened) noexcept {
  const std::size_t stride = parts.store.shape.stride;
  const auto* examples = static_cast<const std::int8_t*>(scratch.examples) + first * stride;
  for (std::size_t i = 0; i < count * stride; ++i) {
    scratch.query[i] = static_cast<float>(examples[i]);
  }
  if (count == 1) {
    parts.loops.symmetric_vector(whitener.inverse, scratch.query, stride, scratch.lanes, whitened);
  } else {
    parts.loops.products(whitener.inverse, stride, scratch.query, count, stride, whitened, stride);
  }
}

// With u = Pq: a class's mean agrees with the query by u.m_c. Each chosen classifier corrects that
// by what its own examples of the class say beyond it, D = u.R - n u.m, less what it says of all
// classes alike (its examples all lie near its key), as a mean that is pulled to 0 by lambda
// examples.
void begin_answer(const Parts& parts, const float* whitened, std::uint32_t slots, float* sums,
                  ClassScore* scores) noexcept {
  const StoreView& store = parts.store;
  constexpr auto kSums = static_cast<std::size_t>(StoreType::kInt32);
  parts.loops.dot_rows[kSums](whitened, store.class_sums, store.class_counts, slots,
                              store.shape.stride, sums);
  for (std::uint32_t c = 0; c < slots; ++c) {
    sums[c] /= static_cast<float>(store.class_counts[c]);
    scores[c].score = sums[c];
  }
}

void read_rows(const Parts& parts, const float* whitened, std::uint32_t classifier,
               std::uint32_t slots, float* dots) noexcept {
  const StoreView& store = parts.store;
  const auto type = static_cast<std::size_t>(parts.settings.store);
  const std::size_t row_bytes =
      std::size_t{store.shape.stride} * element_bytes(parts.settings.store);
  const std::size_t row = store.shape.row(classifier, 0);
  parts.loops.dot_rows[type](whitened, static_cast<const std::byte*>(store.rows) + row * row_bytes,
                             store.counts + row, slots, store.shape.stride, dots);
}

void add_classifier(const Parts& parts, const float* sums, std::uint32_t classifier, float weight,
                    std::uint32_t slots, float* dots, ClassScore* scores) noexcept {
  const StoreView& store = parts.store;
  const DefaultRule& rule = parts.settings.default_rule;
  const std::int32_t* counts = store.counts + store.shape.row(classifier, 0);
  float shared = 0.0F;
  std::int64_t taught = 0;
  for (std::uint32_t c = 0; c < slots; ++c) {
    if (counts[c] == 0 || store.class_counts[c] <= 0) continue;
    dots[c] -= static_cast<float>(counts[c]) * sums[c];
    shared += dots[c];
    taught += counts[c];
  }
  shared /= static_cast<float>(taught) + rule.offset_examples;
  for (std::uint32_t c = 0; c < slots; ++c) {
    if (counts[c] == 0 || store.class_counts[c] <= 0) continue;
    const auto count = static_cast<float>(counts[c]);
    const float beyond = (dots[c] - count * shared) / (count + rule.lambda);
    scores[c].score = std::fma(weight, beyond, scores[c].score);
  }
}

void finish_answer(const Parts& parts, const WhitenerView& whitener, std::uint32_t slots,
                   ClassScore* scores) noexcept {
  const StoreView& store = parts.store;
  const auto dimensions = static_cast<float>(store.shape.dimensions);
  for (std::uint32_t c = 0; c < slots; ++c) {
    if (store.class_counts[c] <= 0) {
      scores[c] = {-std::numeric_limits<float>::infinity(), 0.0F};
      continue;
    }
    const float agreement = scores[c].score;
    const float norm =
        settled_norm(parts.settings.default_rule, dimensions, whitener.class_norms[c],
                     static_cast<float>(store.class_counts[c]), whitener.pooled->norm);
    scores[c].typicality = agreement / norm;
    scores[c].score = whitener.pooled->scale * (agreement / std::sqrt(norm));
  }
}

float class_norm(const Parts& parts, const float* inverse, const ScratchView& scratch,
                 const std::int32_t* sums, std::int32_t count) noexcept {
  if (count <= 0) return 0.0F;
  const std::size_t stride = parts.store.shape.stride;
  const auto examples = static_cast<float>(count);
  for (std::size_t i = 0; i < stride; ++i) {
    scratch.query[i] = static_cast<float>(sums[i]) / examples;
  }
  parts.loops.symmetric_vector(inverse, scratch.query, stride, scratch.lanes, scratch.whitened);
  return parts.loops.dot(scratch.query, scratch.whitened, stride);
}

void prefetch_rows(const Parts& parts, const ScratchView& scratch, std::uint32_t slot) noexcept {
  constexpr std::size_t kLine = 64;  // bytes
  const StoreShape& shape = parts.store.shape;
  const std::size_t row_bytes = std::size_t{shape.stride} * element_bytes(parts.settings.store);
  for (std::size_t r = 0; r < shape.nearest; ++r) {
    const std::size_t row = shape.row(scratch.chosen[r], slot);
    const auto* at = static_cast<const std::byte*>(parts.store.rows) + row * row_bytes;
    for (std::size_t line = 0; line < row_bytes; line += kLine) __builtin_prefetch(at + line, 1);
    __builtin_prefetch(parts.store.counts + row, 1);
  }
}

void change_class(const Parts& parts, const ScratchView& scratch, std::uint32_t slot,
                  int sign) noexcept {
  const StoreView& store = parts.store;
  const StoreShape& shape = store.shape;
  const auto type = static_cast<std::size_t>(parts.settings.store);
  const std::size_t row_bytes = std::size_t{shape.stride} * element_bytes(parts.settings.store);
  const auto* example = static_cast<const std::int8_t*>(scratch.examples);
  for (std::size_t r = 0; r < shape.nearest; ++r) {
    const std::size_t row = shape.row(scratch.chosen[r], slot);
    const bool clipped = parts.loops.add_row[type](
        static_cast<std::byte*>(store.rows) + row * row_bytes, example, sign, shape.stride);
    store.class_clipped[slot] += clipped ? 1 : 0;
    store.counts[row] += sign;
  }
  std::int32_t* sums = store.class_sums + std::size_t{slot} * shape.stride;
  for (std::size_t i = 0; i < shape.stride; ++i) sums[i] += sign * example[i];
  store.class_counts[slot] += sign;
}

std::int32_t largest_diagonal(const Parts& parts) noexcept {
  const std::size_t stride = parts.store.shape.stride;
  std::int32_t largest = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    largest = std::max(largest, parts.store.scatter[i * stride + i]);
  }
  return largest;
}

bool fits(const Parts& parts, Span<const std::int8_t> example) noexcept {
  const std::size_t stride = parts.store.shape.stride;
  for (std::size_t i = 0; i < example.size(); ++i) {
    const std::int32_t square = example[i] * example[i];
    if (parts.store.scatter[i * stride + i] > std::numeric_limits<std::int32_t>::max() - square) {
      return false;
    }
  }
  return true;
}

}  // namespace jackdaw::default_rule
