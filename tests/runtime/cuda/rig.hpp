// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An ensemble's device memory in the emulation, every array a guarded buffer of its exact size, and
// a reference model with the same contents.
//
//   Rig rig(settings, seed);                   // random store, keys and whitening
//   rig.teach(rig.example(), 2, -1, Part::kBoth);
//   for (const std::string& fault : rig.faults()) ...   // what differed, what the emulation
//   reported

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cuda/sequences.hpp"
#include "emulation/global_memory.hpp"
#include "reference.hpp"

namespace jackdaw {

class Rig {
 public:
  // Schedules of the emulation follow from the seed.
  Rig(const EnsembleSettings& settings, std::uint64_t seed);

  reference::Example example();
  std::uint32_t used_slot();  // a class that can be taught
  std::uint64_t random(std::uint64_t below) { return source_() % below; }

  // Each runs the emulated sequence and the reference and compares everything they wrote.
  void predict(const std::vector<reference::Example>& xs);
  void nearest(const reference::Example& x);
  void teach(const reference::Example& x, std::uint32_t slot, int sign, Part part);
  void teach_batch(const std::vector<reference::Example>& xs,
                   const std::vector<std::uint32_t>& slots);
  void refresh_norms();
  // Chooses among given similarities; top_k alone.
  void choose(const std::vector<double>& similarities);

  const std::vector<std::string>& faults() const { return faults_; }
  unsigned launches() const { return launches_; }  // of the last sequence
  unsigned copies() const { return copies_; }

  reference::Reference model;
  void upload();  // after the model was changed by hand

 private:
  template <class Sequence>
  void run(const Sequence& sequence);
  void fill();
  void put(const std::vector<reference::Example>& xs);
  void set_targets(const std::vector<std::uint32_t>& slots, int sign, Part part);
  void compare_store();
  void compare_similarities(std::size_t b, const std::vector<double>& expected);
  void compare_chosen(std::size_t b, const reference::Chosen& expected);
  void expect(bool same, const std::string& what);
  bool seed() const { return model.settings.profile == Profile::kSeed; }

  std::mt19937_64 source_;
  emulation::Buffer<std::int8_t> keys_;
  emulation::Buffer<float> inverse_lengths_;
  emulation::Buffer<std::uint16_t> rows_;
  emulation::Buffer<std::int32_t> counts_, class_sums_, scatter_, class_counts_, class_clipped_;
  emulation::Buffer<float> inverse_, class_norms_;
  emulation::Buffer<Pooled> pooled_;
  emulation::Buffer<WhitenerView> whitener_;
  emulation::Buffer<std::byte> examples_;
  emulation::Buffer<std::int32_t> similarities_;
  emulation::Buffer<std::uint32_t> chosen_;
  emulation::Buffer<float> weights_, totals_, whitened_, class_answers_, coefficients_;
  emulation::Buffer<cuda::RowAnswer> row_answers_;
  emulation::Buffer<ClassScore> scores_;
  emulation::Buffer<cuda::TeachTarget> targets_;
  emulation::Buffer<float> work_;
  std::vector<std::int32_t> clipped_;  // the pinned copy
  cuda::DeviceStore store_;
  cuda::Teacher teacher_;
  std::vector<std::string> faults_;
  unsigned launches_ = 0;
  unsigned copies_ = 0;
};

}  // namespace jackdaw
