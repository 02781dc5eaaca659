// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "turntable.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "engines/real_pictures.hpp"
#include "jackdaw/engines/picture_folder.hpp"
#include "raw_pixels.hpp"
#include "replay/metrics.hpp"
#include "strong_changes.hpp"
#include "support/data.hpp"

namespace jackdaw::testing {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}

std::vector<std::string> object_folders(const std::filesystem::path& split) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(split)) {
    out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::vector<Picture>> read(const std::filesystem::path& split, std::size_t objects,
                                       std::size_t frames) {
  const auto folders = object_folders(split);
  REQUIRE(folders.size() >= objects);
  std::vector<std::vector<Picture>> out(objects);
  for (std::size_t o = 0; o < objects; ++o) {
    const auto files = list_pictures(folders[o]);
    REQUIRE(files.size() >= frames);
    out[o].resize(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      const std::string fault = read_picture(files[f], out[o][f]);
      REQUIRE_MESSAGE(fault.empty(), fault);
    }
  }
  return out;
}

class Workshop {  // counts what encoding and varying cost
 public:
  explicit Workshop(Encoder& encoder) : encoder_(encoder) {}

  std::vector<float> encode(const FrameView& frame) {
    std::vector<float> embedding(encoder_.manifest().output_size);
    const auto begun = Clock::now();
    REQUIRE(encoder_.encode({&frame, 1}, embedding) == Status::kOk);
    encoding_ += milliseconds_since(begun);
    ++encoded_;
    return embedding;
  }
  void encode(Shots& shots) {
    for (const auto& object : shots.pictures) {
      auto& embeddings = shots.embeddings.emplace_back();
      for (const Picture& picture : object) embeddings.push_back(encode(picture.view));
    }
  }
  std::vector<std::vector<float>> vary(const FrameView& frame, std::uint64_t number) {
    std::vector<std::vector<float>> out;
    const auto begun = Clock::now();
    REQUIRE(live::shrink(frame, small_) == Status::kOk);
    varying_ += milliseconds_since(begun);
    for (std::uint32_t i = 0; i < variations_.count(); ++i) {
      const auto made = Clock::now();
      REQUIRE(variations_.make(small_, number, i, varied_) == Status::kOk);
      varying_ += milliseconds_since(made);
      ++varied_count_;
      out.push_back(encode(varied_.view()));
    }
    return out;
  }
  double encode_milliseconds() const { return encoding_ / std::max(encoded_, 1.0); }
  double vary_milliseconds() const { return varying_ / std::max(varied_count_, 1.0); }

 private:
  Encoder& encoder_;
  live::Variations variations_{live::VariationOptions{}};
  live::SmallFrame small_, varied_;
  double encoding_ = 0.0, varying_ = 0.0, encoded_ = 0.0, varied_count_ = 0.0;
};

Answer ask(Learner& learner, const std::vector<float>& embedding) {
  Answer answer = learner.make_answer();
  REQUIRE(learner.predict(embedding, answer) == Status::kOk);
  return answer;
}

double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

}  // namespace

std::optional<Turntable> load_turntable(std::size_t objects, std::size_t train_frames,
                                        std::size_t test_frames) {
  const auto folder = data_folder("turntable");
  if (!folder) return std::nullopt;
  const auto manifest = ready_encoder("efficientnet-lite0@cifar100-256");
  if (!manifest) return std::nullopt;
  const auto encoder = open_or_skip(*manifest, EncoderBackend::kAuto);
  if (!encoder) return std::nullopt;

  Turntable out;
  out.dimensions = manifest->output_size;
  out.encoder = manifest->name + ", " + encoder->backend();
  out.train.pictures = read(*folder / "train", objects, train_frames);
  out.plain.pictures = read(*folder / "test", objects, test_frames);
  for (std::size_t o = 0; o < objects; ++o) {
    auto& changed = out.changed.pictures.emplace_back(test_frames);
    for (std::size_t f = 0; f < test_frames; ++f) {
      change_strongly(out.plain.pictures[o][f].view, strong_seed(o, f), changed[f]);
    }
  }
  Workshop workshop(*encoder);
  workshop.encode(out.train);
  workshop.encode(out.plain);
  workshop.encode(out.changed);
  std::uint64_t number = 0;
  for (const auto& object : out.train.pictures) {
    auto& frames = out.variations.emplace_back();
    for (const Picture& picture : object) frames.push_back(workshop.vary(picture.view, ++number));
  }
  out.variation_milliseconds = workshop.vary_milliseconds();
  out.encode_milliseconds = workshop.encode_milliseconds();
  return out;
}

Learner Turntable::teach(const Objects& objects, std::size_t frames, bool with_variations) const {
  LearnerSettings settings;
  settings.ensemble.dimensions = dimensions;
  settings.refresh_in_background = false;  // once at the end, so that every run is the same
  Learner learner(settings);
  for (const std::size_t o : objects) {
    const std::string label = std::to_string(o);
    for (std::size_t f = 0; f < frames; ++f) {
      REQUIRE(learner.teach(train.embeddings[o][f], label) == Status::kOk);
      if (!with_variations) continue;
      for (const auto& embedding : variations[o][f]) {
        REQUIRE(learner.teach(embedding, label) == Status::kOk);
      }
    }
  }
  REQUIRE(learner.refresh() == Status::kOk);
  return learner;
}

double accuracy(Learner& learner, const Shots& shots, const Objects& objects) {
  std::size_t right = 0, asked = 0;
  for (const std::size_t o : objects) {
    for (const auto& embedding : shots.embeddings[o]) {
      right += ask(learner, embedding).best().label.text() == std::to_string(o) ? 1U : 0U;
      ++asked;
    }
  }
  return percent(right, asked);
}

double raw_accuracy(const Turntable& turntable, std::size_t frames, const Shots& shots) {
  RawPixels raw;
  for (std::size_t o = 0; o < turntable.train.pictures.size(); ++o) {
    for (std::size_t f = 0; f < frames; ++f) raw.teach(turntable.train.pictures[o][f].view, o);
  }
  std::size_t right = 0, asked = 0;
  for (std::size_t o = 0; o < shots.pictures.size(); ++o) {
    for (const Picture& picture : shots.pictures[o]) {
      right += raw.nearest(picture.view) == o ? 1U : 0U;
      ++asked;
    }
  }
  return percent(right, asked);
}

Unknown unknown(Learner& learner, const Shots& shots, const Objects& known) {
  std::vector<float> inside, outside;
  std::size_t rejected = 0, accepted = 0;
  for (std::size_t o = 0; o < shots.embeddings.size(); ++o) {
    for (const auto& embedding : shots.embeddings[o]) {
      const Answer answer = ask(learner, embedding);
      if (known.count(o) > 0) {
        inside.push_back(answer.best().typicality);
        rejected += answer.unknown ? 1U : 0U;
      } else {
        outside.push_back(answer.best().typicality);
        accepted += answer.unknown ? 0U : 1U;
      }
    }
  }
  return {replay::auroc(inside, outside), percent(rejected, inside.size()),
          percent(accepted, outside.size())};
}

}  // namespace jackdaw::testing
