// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The product's text of profile seed (cpu/seed_rule.hpp), in double, on a stream from a file: what
// seed_numpy.py compares itself with.
//
//   seed_numpy.py ./seed_run_case          calls ./seed_run_case CASE_FILE RESULT_FILE

#include <algorithm>
#include <cstdio>
#include <exception>

#include "runtime/seed_reference/case_file.hpp"
#include "support/plain_seed_ops.hpp"

namespace jackdaw::testing {
namespace {

SeedResult run(const SeedCase& c) {
  std::uint32_t most = std::max(c.query_count, 1U);
  for (const SeedBatch& batch : c.batches) {
    most = std::max(most, static_cast<std::uint32_t>(batch.labels.size()));
  }
  PlainSeed<double> seed(c.n, c.k, c.d, c.classes, most, c.learning_rate, c.tau);
  seed.set_keys(c.keys.data());
  const auto each_row = [&](auto&& use) {
    for (std::size_t j = 0; j < c.n; ++j) {
      for (std::size_t slot = 0; slot < c.classes; ++slot) use(j, slot, j * c.classes + slot);
    }
  };
  each_row([&](std::size_t j, std::size_t slot, std::size_t row) {
    for (std::size_t i = 0; i < c.d; ++i) seed.weight(j, slot, i) = c.weights[row * c.d + i];
    seed.bias(j, slot) = c.biases[row];
  });

  SeedResult result;
  const auto chosen = [&](std::size_t count) {
    return std::vector<std::uint32_t>(seed.chosen(0), seed.chosen(count));
  };
  for (const SeedBatch& batch : c.batches) {
    const auto size = static_cast<std::uint32_t>(batch.labels.size());
    seed.teach(batch.z.data(), batch.labels.data(), size);
    result.chosen.push_back(chosen(size));
  }
  result.weights.resize(c.weights.size());
  result.biases.resize(c.biases.size());
  each_row([&](std::size_t j, std::size_t slot, std::size_t row) {
    for (std::size_t i = 0; i < c.d; ++i) result.weights[row * c.d + i] = seed.weight(j, slot, i);
    result.biases[row] = seed.bias(j, slot);
  });
  seed.choose(c.queries.data(), c.query_count);
  result.query_chosen = chosen(c.query_count);
  result.answers.resize(std::size_t{c.query_count} * c.classes);
  for (std::size_t q = 0; q < c.query_count; ++q) {
    if (!seed.answer(q, result.answers.data() + q * c.classes)) {
      throw std::runtime_error("the similarities of a query do not sum to more than 0");
    }
  }
  return result;
}

}  // namespace
}  // namespace jackdaw::testing

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CASE_FILE RESULT_FILE\n", argv[0]);
    return 2;
  }
  try {
    using namespace jackdaw::testing;
    write_seed_result(argv[2], run(read_seed_case(argv[1])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
