// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files by which seed_numpy.py and a C++ program exchange a stream and what was learned from
// it; the layout is written down in seed_numpy.py.
//
//   SeedCase seed_case = read_seed_case(argv[1]);
//   SeedResult result;      // fill: one entry of `chosen` for each batch, in order
//   write_seed_result(argv[2], result);

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jackdaw::testing {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the case files are read as they lie in memory, which needs a little-endian machine"
#endif

struct SeedBatch {
  std::vector<double> z;              // [size][d]
  std::vector<std::uint32_t> labels;  // [size]
};

struct SeedCase {
  std::uint32_t n = 0, k = 0, d = 0, classes = 0;
  double learning_rate = 0, tau = 0;
  std::vector<double> keys;           // [n][d], of any length but 0
  std::vector<std::int32_t> weights;  // [n][classes][d], in steps of learning_rate
  std::vector<std::int32_t> biases;   // [n][classes]
  std::vector<SeedBatch> batches;
  std::uint32_t query_count = 0;
  std::vector<double> queries;  // [query_count][d]
};

struct SeedResult {
  std::vector<std::vector<std::uint32_t>> chosen;  // for each batch [size][k], ascending
  std::vector<std::int32_t> weights;               // as in the case, after the last batch
  std::vector<std::int32_t> biases;
  std::vector<std::uint32_t> query_chosen;  // [query_count][k], ascending
  std::vector<double> answers;              // [query_count][classes]
};

namespace detail {

template <class T>
void read_values(std::ifstream& in, T* values, std::size_t count) {
  in.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
  if (!in) throw std::runtime_error("the seed case ends too early");
}

template <class T>
std::vector<T> read_vector(std::ifstream& in, std::size_t count) {
  std::vector<T> values(count);
  read_values(in, values.data(), count);
  return values;
}

template <class T>
void write_vector(std::ofstream& out, const std::vector<T>& values) {
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
}

}  // namespace detail

inline SeedCase read_seed_case(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char magic[8] = {};
  in.read(magic, sizeof magic);
  if (!in || std::memcmp(magic, "JDSEEDC1", sizeof magic) != 0) {
    throw std::runtime_error(path + ": not a seed case (it should begin with JDSEEDC1)");
  }
  std::uint32_t sizes[6] = {};  // n k d classes batches queries
  double rule[2] = {};          // learning_rate tau
  detail::read_values(in, sizes, 6);
  detail::read_values(in, rule, 2);
  SeedCase c;
  c.n = sizes[0], c.k = sizes[1], c.d = sizes[2], c.classes = sizes[3];
  c.learning_rate = rule[0], c.tau = rule[1];
  const std::size_t rows = std::size_t{c.n} * c.classes;
  c.keys = detail::read_vector<double>(in, std::size_t{c.n} * c.d);
  c.weights = detail::read_vector<std::int32_t>(in, rows * c.d);
  c.biases = detail::read_vector<std::int32_t>(in, rows);
  for (std::uint32_t i = 0; i < sizes[4]; ++i) {
    std::uint32_t size = 0;
    detail::read_values(in, &size, 1);
    SeedBatch batch;
    batch.z = detail::read_vector<double>(in, std::size_t{size} * c.d);
    batch.labels = detail::read_vector<std::uint32_t>(in, size);
    c.batches.push_back(std::move(batch));
  }
  c.query_count = sizes[5];
  c.queries = detail::read_vector<double>(in, std::size_t{c.query_count} * c.d);
  return c;
}

inline void write_seed_result(const std::string& path, const SeedResult& result) {
  std::ofstream out(path, std::ios::binary);
  out.write("JDSEEDR1", 8);
  for (const std::vector<std::uint32_t>& chosen : result.chosen) detail::write_vector(out, chosen);
  detail::write_vector(out, result.weights);
  detail::write_vector(out, result.biases);
  detail::write_vector(out, result.query_chosen);
  detail::write_vector(out, result.answers);
  out.flush();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace jackdaw::testing
