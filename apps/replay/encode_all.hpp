// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures to embeddings, each once: what is in the cache is taken from there. Interrupted, the
// next call goes on where it stopped; a picture whose file changed is encoded again.

#include <functional>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "replay/embedding_set.hpp"
#include "replay/picture_set.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

struct EncodeOptions {
  bool skip_bad = false;      // leave out pictures that cannot be read, instead of failing
  std::string cache_folder;   // where embeddings are kept
  std::uint32_t threads = 0;  // that read and hash files; 0: one a core
  // Called now and then while pictures are looked at ("reading") and encoded ("encoding").
  std::function<void(const char* what, std::size_t done, std::size_t total)> progress;
};

struct Encoded {
  EmbeddingSet set;
  EncoderInfo encoder;
  std::string pictures_sha256;      // DataInfo::sha256
  std::size_t in_both = 0;          // test pictures that are, byte for byte, also taught
  std::vector<std::string> faults;  // one sentence for each picture that was left out
};

// Throws DataError if pictures are broken (all others have been encoded by then) or a class has
// none left, CacheError, or EncoderError.
Encoded encode_all(const PictureSet& pictures, Encoder& encoder, const EncodeOptions& options);

// What is known of an encoder before it has encoded anything.
EncoderInfo info_of(const Manifest& manifest);

// Where the embeddings of an encoder are: by its hash and what computed them.
std::string cache_name(const Encoder& encoder);

}  // namespace jackdaw::replay
