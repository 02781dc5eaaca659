// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile seed, as it ships, on a stream from a file: what compare_authors.py puts beside the
// authors' code. Both files are little-endian, without padding.
//
//   seed_run_stream STREAM_FILE RESULT_FILE
//
//   stream:  "JDSTREAM"                       8 bytes
//            n k d classes                    4 x uint32
//            pictures batches queries seed    4 x uint32
//            embeddings                       float32 [pictures][d]
//            for every batch:
//              size                           uint32
//              picture label                  uint32 [size], uint32 [size]
//            picture                          uint32 [queries]
//   result:  "JDANSWER"                       8 bytes
//            keys                             int8    [n][d], as drawn
//            weights                          int32   [classes][n][d], before, in steps
//            weights                          int32   [classes][n][d], after the last batch
//            biases                           int32   [classes][n], after the last batch
//            chosen                           uint32  [queries][k], ascending
//            answers                          float32 [queries][classes], -infinity if not taught

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/section.hpp"
#include "core/store_view.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::testing {
namespace {

void require(Status status, const char* what) {
  if (status != Status::kOk) throw std::runtime_error(std::string(what) + ": " + describe(status));
}

class Reader {
 public:
  explicit Reader(const std::string& path) : in_(path, std::ios::binary) {
    char magic[8] = {};
    in_.read(magic, sizeof magic);
    if (!in_ || std::memcmp(magic, "JDSTREAM", sizeof magic) != 0) {
      throw std::runtime_error(path + ": not a stream (it should begin with JDSTREAM)");
    }
  }
  template <class T>
  std::vector<T> take(std::size_t count) {
    std::vector<T> values(count);
    in_.read(reinterpret_cast<char*>(values.data()),
             static_cast<std::streamsize>(count * sizeof(T)));
    if (!in_) throw std::runtime_error("the stream ends too early");
    return values;
  }
  std::uint32_t number() { return take<std::uint32_t>(1)[0]; }

 private:
  std::ifstream in_;
};

class Writer {
 public:
  explicit Writer(const std::string& path) : out_(path, std::ios::binary) {
    out_.write("JDANSWER", 8);
  }
  template <class T>
  void put(const T* values, std::size_t count) {
    out_.write(reinterpret_cast<const char*>(values),
               static_cast<std::streamsize>(count * sizeof(T)));
  }
  void finish() {
    out_.flush();
    if (!out_) throw std::runtime_error("the result cannot be written");
  }

 private:
  std::ofstream out_;
};

class Run {
 public:
  explicit Run(const std::string& path) : in_(path) {
    settings_.profile = Profile::kSeed;
    settings_.classifiers = in_.number();
    settings_.nearest = in_.number();
    settings_.dimensions = in_.number();
    settings_.max_classes = in_.number();
    pictures_ = in_.number();
    batches_ = in_.number();
    queries_ = in_.number();
    settings_.seed = in_.number();
    embeddings_ = in_.take<float>(std::size_t{pictures_} * settings_.dimensions);
    ensemble_ = make_ensemble(settings_, Device::kCpu);
  }

  void write(const std::string& path) {
    Writer out(path);
    const std::size_t d = settings_.dimensions;
    const std::size_t stride = padded(settings_.dimensions);
    for (std::size_t j = 0; j < settings_.classifiers; ++j) {
      out.put(ensemble_->keys().data() + j * stride, d);
    }
    write_initial_weights(out);
    for (std::uint32_t i = 0; i < batches_; ++i) teach();
    write_weights_and_biases(out);
    answer(out);
    out.finish();
  }

 private:
  void admit(const std::vector<std::uint32_t>& pictures, std::size_t first, std::size_t count) {
    const std::size_t d = settings_.dimensions;
    examples_.resize(count * ensemble_->example_bytes());
    for (std::size_t b = 0; b < count; ++b) {
      const std::size_t picture = pictures[first + b];
      if (picture >= pictures_) throw std::runtime_error("the stream names no such picture");
      const Span<const float> embedding(embeddings_.data() + picture * d, d);
      require(ensemble_->admit(embedding,
                               Span<std::byte>(examples_).subspan(b * ensemble_->example_bytes(),
                                                                  ensemble_->example_bytes())),
              "admit");
    }
  }

  // A class is opened when it is first taught, as the head of the replay does it; an ensemble of
  // its own shows what each begins with.
  void write_initial_weights(Writer& out) const {
    const auto fresh = make_ensemble(settings_, Device::kCpu);
    for (std::uint32_t slot = 0; slot < settings_.max_classes; ++slot) {
      require(fresh->open_slot(slot), "open");
      put_weights(*fresh, slot, out);
    }
  }

  void teach() {
    const std::size_t size = in_.number();
    const auto pictures = in_.take<std::uint32_t>(size);
    const auto labels = in_.take<std::uint32_t>(size);
    admit(pictures, 0, size);
    for (const std::uint32_t slot : labels) require(ensemble_->open_slot(slot), "open");
    require(ensemble_->teach_batch(examples_, labels), "teach");
  }

  std::vector<std::byte> section_of(Ensemble& ensemble, std::uint32_t slot) const {
    std::vector<std::byte> section(ensemble.class_section_bytes());
    require(ensemble.export_class(slot, section), "export");
    return section;
  }

  void put_weights(Ensemble& ensemble, std::uint32_t slot, Writer& out) const {
    const std::vector<std::byte> section = section_of(ensemble, slot);
    const std::size_t stride = padded(settings_.dimensions);
    std::vector<std::int16_t> row(settings_.dimensions);
    std::vector<std::int32_t> wide(settings_.dimensions);
    for (std::size_t j = 0; j < settings_.classifiers; ++j) {
      std::memcpy(row.data(), section.data() + ClassSection(settings_).rows + j * stride * 2,
                  row.size() * 2);
      std::copy(row.begin(), row.end(), wide.begin());
      out.put(wide.data(), wide.size());
    }
  }

  void write_weights_and_biases(Writer& out) {
    for (std::uint32_t slot = 0; slot < settings_.max_classes; ++slot) {
      require(ensemble_->open_slot(slot), "open");  // of those never taught: the initial ones
      put_weights(*ensemble_, slot, out);
    }
    for (std::uint32_t slot = 0; slot < settings_.max_classes; ++slot) {
      out.put(section_of(*ensemble_, slot).data() + ClassSection(settings_).counts,
              std::size_t{settings_.classifiers} * 4);
      if (ensemble_->class_count(slot) == 0) require(ensemble_->close_class(slot), "close");
    }
  }

  void answer(Writer& out) {
    const auto pictures = in_.take<std::uint32_t>(queries_);
    std::vector<std::uint32_t> chosen(std::size_t{queries_} * settings_.nearest);
    std::vector<float> answers;
    std::vector<ClassScore> scores;
    for (std::size_t first = 0; first < queries_; first += settings_.max_batch) {
      const std::size_t count = std::min<std::size_t>(settings_.max_batch, queries_ - first);
      admit(pictures, first, count);
      scores.resize(count * settings_.max_classes);
      require(ensemble_->predict_batch(0, examples_, scores), "predict");
      for (const ClassScore& score : scores) answers.push_back(score.score);
      const std::size_t bytes = ensemble_->example_bytes(), k = settings_.nearest;
      for (std::size_t b = 0; b < count; ++b) {
        require(ensemble_->nearest(0, Span<const std::byte>(examples_).subspan(b * bytes, bytes),
                                   Span<std::uint32_t>(chosen).subspan((first + b) * k, k)),
                "nearest");
      }
    }
    out.put(chosen.data(), chosen.size());
    out.put(answers.data(), answers.size());
  }

  Reader in_;
  EnsembleSettings settings_;
  std::uint32_t pictures_ = 0, batches_ = 0, queries_ = 0;
  std::vector<float> embeddings_;
  std::vector<std::byte> examples_;
  std::unique_ptr<Ensemble> ensemble_;
};

}  // namespace
}  // namespace jackdaw::testing

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s STREAM_FILE RESULT_FILE\n", argv[0]);
    return 2;
  }
  try {
    jackdaw::testing::Run(argv[1]).write(argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
