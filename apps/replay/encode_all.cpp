// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/encode_all.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <set>
#include <thread>

#include "files/whole_file.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/sha256.hpp"
#include "replay/embedding_cache.hpp"
#include "replay/parallel.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kLargestPicture = std::size_t{64} << 20U;  // bytes, as read_picture has it
// So many pictures one after the other that cannot be encoded: it is not the pictures.
constexpr std::uint32_t kFewInARow = 3;
constexpr std::uint32_t kManyInARow = 50;  // where bad ones may be left out

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
    find_zeros();
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
    out.pictures_sha256 = pictures_sha256();
    out.in_both = in_both();
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
      (void)read_and_hash(entry);
    } catch (const FileError& error) {
      entry.fault = error.what();
    }
  }

  static std::string read_and_hash(Entry& entry) {
    std::string file = read_whole_file(*entry.path, kLargestPicture);
    Sha256 hash;
    hash.add(file);
    entry.digest = hash.finish();
    return file;
  }

  // Hashed again, because it may have changed since: what is kept under a hash is of these bytes.
  static std::string decode(Entry& entry, Picture& picture) {
    try {
      const std::string file = read_and_hash(entry);
      return decode_picture({reinterpret_cast<const std::byte*>(file.data()), file.size()},
                            *entry.path, picture);
    } catch (const FileError& error) {
      return error.what();
    } catch (const std::bad_alloc&) {
      return *entry.path + " needs more memory than there is";
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
      missing[i]->fault = decode(*missing[i], picture);
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
    if (encoder_.encode(frames_, embeddings_) == Status::kOk) {
      for (std::size_t b = 0; b < batch_.size(); ++b) keep(*batch_[b], b);
    } else {
      encode_one_by_one();
    }
    batch_.clear();
    frames_.clear();
    cache_.flush();
  }

  // One picture that cannot be encoded must not take its neighbours with it.
  void encode_one_by_one() {
    const Span<float> embedding = Span<float>(embeddings_).subspan(0, manifest_.output_size);
    for (std::size_t b = 0; b < batch_.size(); ++b) {
      const Status s = encoder_.encode(Span<const FrameView>(frames_).subspan(b, 1), embedding);
      if (s == Status::kOk) {
        keep(*batch_[b], 0);
        continue;
      }
      batch_[b]->fault =
          *batch_[b]->path + ": " + manifest_.name + " could not encode it: " + describe(s);
      const bool go_on = options_.skip_bad && encoded_ > 0;
      if (++failed_in_a_row_ == (go_on ? kManyInARow : kFewInARow)) {
        cache_.flush();
        throw EncoderError(batch_[b]->fault + ", nor those before it");
      }
    }
  }

  void keep(const Entry& entry, std::size_t place) {
    const std::size_t d = manifest_.output_size;
    cache_.add(entry.digest, Span<const float>(embeddings_).subspan(place * d, d));
    failed_in_a_row_ = 0;
    ++encoded_;
  }

  // No head takes an embedding without a direction.
  void find_zeros() {
    std::vector<float> embedding(manifest_.output_size);
    for (Entry& entry : entries_) {
      if (!entry.fault.empty()) continue;
      cache_.find(entry.digest, embedding);
      if (std::all_of(embedding.begin(), embedding.end(), [](float v) { return v == 0.0F; })) {
        entry.fault = *entry.path + ": " + manifest_.name + " gives nothing but zeros for it";
      }
    }
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

  std::string pictures_sha256() const {
    Sha256 hash;
    std::size_t i = 0;
    for (const PictureSplit* split : {&pictures_.train, &pictures_.test}) {
      for (const std::uint32_t label : split->labels) {
        hash.add(pictures_.classes[label] + "\n" + to_hex(entries_[i++].digest) + "\n");
      }
    }
    return to_hex(hash.finish());
  }

  std::size_t in_both() const {
    const auto test = entries_.begin() + static_cast<std::ptrdiff_t>(pictures_.train.paths.size());
    std::set<Digest> taught;
    for (auto entry = entries_.begin(); entry != test; ++entry) taught.insert(entry->digest);
    return static_cast<std::size_t>(std::count_if(test, entries_.end(), [&](const Entry& entry) {
      return entry.fault.empty() && taught.count(entry.digest) != 0;
    }));
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
  std::uint32_t failed_in_a_row_ = 0;
  std::uint64_t encoded_ = 0;
  double seconds_ = 0.0;
};

}  // namespace

// TensorRT computes in 16 bits where it may: not the same numbers, so not the same file.
std::string cache_name(const Encoder& encoder) {
  const std::string backend = encoder.backend();
  const std::string kind = backend.substr(0, backend.find(' '));
  const bool half = backend.find(", fp16") != std::string::npos;
  return encoder_hash(encoder.manifest()) + (kind == "opencv" ? "" : "-" + kind) +
         (half ? "-fp16" : "");
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
