// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Real pictures through real encoders, for the slow tests.
//
//   const auto manifest = ready_encoder("efficientnet-lite0");    // skips and says what to run
//   const auto files = every_nth(list_pictures(folder), 5);
//   const std::vector<float> embeddings = encode_files(*encoder, files);

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/picture.hpp"
#include "support/skip.hpp"

namespace jackdaw::testing {

inline std::optional<Manifest> ready_encoder(const std::string& name) {
  try {
    return find_encoder(name);
  } catch (const Error& error) {
    skip(error.what());
    return std::nullopt;
  }
}

inline std::unique_ptr<Encoder> open_or_skip(const Manifest& manifest, EncoderBackend backend) {
  try {
    return make_encoder(manifest, {backend, 0});
  } catch (const EncoderError& error) {
    skip(error.what());
    return nullptr;
  }
}

inline std::vector<std::string> every_nth(const std::vector<std::string>& all, std::size_t n) {
  std::vector<std::string> some;
  for (std::size_t i = 0; i < all.size(); i += n) some.push_back(all[i]);
  return some;
}

inline std::vector<float> encode_files(Encoder& encoder, const std::vector<std::string>& files) {
  const Manifest& m = encoder.manifest();
  constexpr std::size_t kBatch = 8;
  std::vector<float> out(files.size() * m.output_size);
  std::vector<Picture> pictures(kBatch);
  for (std::size_t first = 0; first < files.size(); first += kBatch) {
    std::vector<FrameView> frames;
    for (std::size_t i = first; i < std::min(first + kBatch, files.size()); ++i) {
      const std::string fault = read_picture(files[i], pictures[i - first]);
      REQUIRE_MESSAGE(fault.empty(), fault);
      frames.push_back(pictures[i - first].view);
    }
    const Span<float> to(out.data() + first * m.output_size, frames.size() * m.output_size);
    REQUIRE(encoder.encode(frames, to) == Status::kOk);
  }
  return out;
}

}  // namespace jackdaw::testing
