// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/encode_all.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "files/whole_file.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/sha256.hpp"
#include "replay/embedding_cache.hpp"
#include "replay/parallel.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{64} << 20U;  // bytes, as read_picture has it

struct Entry {
  const std::string* path = nullptr;
  Digest digest{};
  std::string fault;  // why it cannot be used; empty: it can
};

class EncodeAll {
 public:
  EncodeAll(const PictureSet& pictures, Encoder& encoder, const EncodeOptions& options)
      : pictures_(pictures),
        encoder_(encoder),
        manifest_(encoder.manifest()),
        options_(options),
        cache_(options.cache_folder, cache_name(encoder), manifest_.output_size) {
    for (const PictureSplit* split : {&pictures.train, &pictures.test}) {
      for (const std::string& path : split->paths) {
        entries_.emplace_back();
        entries_.back().path = &path;
      }
    }
  }

  Encoded all() {
    hash_files();
    encode_missing();
    Encoded out;
    for (const Entry& entry : entries_) {
      if (!entry.fault.empty()) out.faults.push_back(entry.fault);
    }
    if (!out.faults.empty() && !options_.skip_bad) refuse(out.faults);
    out.set.data = pictures_.name;
    out.set.encoder = manifest_.name;
    out.set.dimensions = manifest_.output_size;
    out.set.classes = pictures_.classes;
    out.set.train = collect(pictures_.train, 0, "teach");
    out.set.test = collect(pictures_.test, pictures_.train.paths.size(), "test with");
    out.encoder = describe_encoder();
    return out;
  }

 private:
  void report(const char* what, std::size_t done, std::size_t total) const {
    if (options_.progress) options_.progress(what, done, total);
  }

  void hash_files() {
    constexpr std::size_t kAtOnce = 256;
    const std::size_t jobs = (entries_.size() + kAtOnce - 1) / kAtOnce;
    const std::uint32_t threads = options_.threads != 0
                                      ? options_.threads
                                      : std::max(1U, std::thread::hardware_concurrency());
    std::size_t done = 0;
    in_parallel(
        jobs, threads,
        [&](std::size_t job, const std::atomic<bool>&) {
          const std::size_t end = std::min((job + 1) * kAtOnce, entries_.size());
          for (std::size_t i = job * kAtOnce; i < end; ++i) hash_file(entries_[i]);
        },
        [&] {
          report("reading", done = std::min(done + kAtOnce, entries_.size()), entries_.size());
        });
  }

  static void hash_file(Entry& entry) {
    try {
      Sha256 hash;
      hash.add(read_whole_file(*entry.path, kLargestPicture));
      entry.digest = hash.finish();
    } catch (const FileError& error) {
      entry.fault = error.what();
    }
  }

  void encode_missing() {
    std::vector<Entry*> missing;
    for (Entry& entry : entries_) {
      if (entry.fault.empty() && !cache_.contains(entry.digest)) missing.push_back(&entry);
    }
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < missing.size(); ++i) {
      Picture& picture = next_picture();
      missing[i]->fault = read_picture(*missing[i]->path, picture);
      if (missing[i]->fault.empty()) {
        batch_.push_back(missing[i]);
        frames_.push_back(picture.view);
      }
      if (batch_.size() == manifest_.max_batch) encode_batch();
      report("encoding", i + 1, missing.size());
    }
    if (!batch_.empty()) encode_batch();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Picture& next_picture() {
    pictures_at_hand_.resize(manifest_.max_batch);
    return pictures_at_hand_[frames_.size()];
  }

  void encode_batch() {
    const std::size_t d = manifest_.output_size;
    embeddings_.resize(batch_.size() * d);
    if (const Status s = encoder_.encode(frames_, embeddings_); s != Status::kOk) {
      throw EncoderError(manifest_.name + " could not encode " + *batch_.front()->path +
                         " and those after it: " + describe(s));
    }
    for (std::size_t b = 0; b < batch_.size(); ++b) {
      cache_.add(batch_[b]->digest, Span<const float>(embeddings_).subspan(b * d, d));
    }
    encoded_ += batch_.size();
    batch_.clear();
    frames_.clear();
    cache_.flush();
  }

  EmbeddingSplit collect(const PictureSplit& split, std::size_t first, const char* purpose) const {
    EmbeddingSplit out;
    const std::size_t d = manifest_.output_size;
    std::vector<std::size_t> left(pictures_.classes.size(), 0);
    out.embeddings.reserve(split.paths.size() * d);
    for (std::size_t i = 0; i < split.paths.size(); ++i) {
      const Entry& entry = entries_[first + i];
      if (!entry.fault.empty()) continue;
      out.embeddings.resize(out.embeddings.size() + d);
      cache_.find(entry.digest, {out.embeddings.data() + out.embeddings.size() - d, d});
      out.labels.push_back(split.labels[i]);
      ++left[split.labels[i]];
    }
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (left[c] == 0) {
        throw DataError("the class \"" + pictures_.classes[c] + "\" has no picture left to " +
                        purpose + " after the broken ones");
      }
    }
    return out;
  }

  [[noreturn]] void refuse(const std::vector<std::string>& faults) const {
    constexpr std::size_t kNamed = 5;
    std::string text = std::to_string(faults.size()) + " of " + std::to_string(entries_.size()) +
                       " pictures cannot be used; give --skip-bad to leave them out:";
    for (std::size_t i = 0; i < std::min(kNamed, faults.size()); ++i) text += "\n  " + faults[i];
    if (faults.size() > kNamed) {
      text += "\n  and " + std::to_string(faults.size() - kNamed) + " more";
    }
    throw DataError(text);
  }

  EncoderInfo describe_encoder() const {
    EncoderInfo info = info_of(manifest_);
    info.backend = encoder_.backend();
    info.encoded = encoded_;
    if (encoded_ > 0 && seconds_ > 0.0) {
      info.pictures_per_second = static_cast<double>(encoded_) / seconds_;
    }
    return info;
  }

  const PictureSet& pictures_;
  Encoder& encoder_;
  const Manifest& manifest_;
  const EncodeOptions& options_;
  EmbeddingCache cache_;
  std::vector<Entry> entries_;  // train, then test
  std::vector<Picture> pictures_at_hand_;
  std::vector<Entry*> batch_;
  std::vector<FrameView> frames_;
  std::vector<float> embeddings_;
  std::uint64_t encoded_ = 0;
  double seconds_ = 0.0;
};

}  // namespace

// TensorRT computes in 16 bits: not the same numbers, so not the same file.
std::string cache_name(const Encoder& encoder) {
  const std::string backend = encoder.backend();
  const std::string kind = backend.substr(0, backend.find(' '));
  return encoder_hash(encoder.manifest()) + (kind == "opencv" ? "" : "-" + kind);
}

EncoderInfo info_of(const Manifest& manifest) {
  EncoderInfo info;
  info.name = manifest.name;
  info.hash = encoder_hash(manifest);
  info.description = manifest.description;
  info.output_size = manifest.output_size;
  if (manifest.calibration) {
    info.calibration = manifest.calibration->pictures + ", " +
                       std::to_string(manifest.calibration->count) + " pictures";
  }
  return info;
}

Encoded encode_all(const PictureSet& pictures, Encoder& encoder, const EncodeOptions& options) {
  return EncodeAll(pictures, encoder, options).all();
}

}  // namespace jackdaw::replay
