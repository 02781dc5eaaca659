// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The data set turntable (things turning before a white background), through an encoder and a
// learner as the camera app uses them: every taught frame with its variations, one object after the
// other, one pass.
//
//   const auto turntable = load_turntable(24, 60, 20);   // nothing after a skip
//   Learner learner = turntable->teach(objects, 60);
//   accuracy(learner, turntable->changed, objects)

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/learner.hpp"
#include "live/variation/variation.hpp"

namespace jackdaw::testing {

using Objects = std::set<std::size_t>;

struct Shots {  // [object][frame], and what the encoder made of them
  std::vector<std::vector<Picture>> pictures;
  std::vector<std::vector<std::vector<float>>> embeddings;
};

struct Turntable {
  std::uint32_t dimensions = 0;
  std::string encoder;  // name and backend
  Shots train, plain, changed;
  // [object][frame][variation]
  std::vector<std::vector<std::vector<std::vector<float>>>> variations;
  double variation_milliseconds = 0.0;  // to make one, on average
  double encode_milliseconds = 0.0;     // of one frame or variation

  // A learner that was taught the first `frames` train frames of these objects.
  Learner teach(const Objects& objects, std::size_t frames, bool with_variations = true) const;
};

// Nothing after a skip() that says what is missing.
std::optional<Turntable> load_turntable(std::size_t objects, std::size_t train_frames,
                                        std::size_t test_frames);

// Percent of the shots of these objects that are known; "unknown" as an answer does not count.
double accuracy(Learner& learner, const Shots& shots, const Objects& objects);
// The same of raw pixels, taught the first `frames` train frames of every object.
double raw_accuracy(const Turntable& turntable, std::size_t frames, const Shots& shots);

struct Unknown {
  double auroc = 0.0;     // of the best class's typicality
  double rejected = 0.0;  // percent of the known that are called unknown
  double accepted = 0.0;  // percent of the unknown that are not
};
Unknown unknown(Learner& learner, const Shots& shots, const Objects& known);

}  // namespace jackdaw::testing
