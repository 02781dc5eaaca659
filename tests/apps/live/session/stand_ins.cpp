// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "stand_ins.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <opencv2/imgcodecs.hpp>

#include "live/steady_clock.hpp"

namespace jackdaw::live::testing {
namespace {

constexpr int kWidth = 32, kHeight = 24, kGrid = 4;
constexpr double kPeriod = 0.005;

// Blue, green, red of one of four quarters: a pattern for each name.
unsigned char level(const std::string& thing, int x, int y, int channel) {
  unsigned hash = 2166136261U;
  for (const char c : thing) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  const int quarter = (x * 2 / kWidth) + 2 * (y * 2 / kHeight);
  hash = (hash ^ static_cast<unsigned>(quarter * 3 + channel + 1)) * 16777619U;
  hash ^= hash >> 15U;
  return static_cast<unsigned char>(40U + hash % 176U);
}

}  // namespace

void HandSource::draw(const std::string& thing, bool noise) {
  pixels_.resize(std::size_t{3} * kWidth * kHeight);
  std::size_t i = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      for (int c = 0; c < 3; ++c, ++i) {
        noise_ = noise_ * 1664525U + 1013904223U;
        const int shake = noise ? static_cast<int>(noise_ >> 28U) : 0;
        pixels_[i] = static_cast<std::byte>(level(thing, x, y, c) + shake);
      }
    }
  }
}

Capture HandSource::capture(double deadline_seconds, SourceFrame& frame) {
  const double begun = steady_seconds();
  const std::lock_guard<std::mutex> lock(hand_->mutex);
  if (hand_->mode == Mode::kEnd) return Capture::kEnd;
  if (hand_->mode == Mode::kSilent || hand_->mode == Mode::kLost) {
    sleep_seconds(std::min(deadline_seconds, kPeriod));
    return hand_->mode == Mode::kLost ? Capture::kLost : Capture::kTimeout;
  }
  if (next_ > begun + deadline_seconds) {
    sleep_seconds(deadline_seconds);
    return Capture::kTimeout;
  }
  if (next_ > begun) sleep_seconds(next_ - begun);
  next_ = steady_seconds() + kPeriod;
  draw(hand_->thing, hand_->mode != Mode::kFrozen);
  frame.view = {PixelFormat::kBgr, kWidth, kHeight, pixels_.data(), std::size_t{3} * kWidth};
  frame.number = ++number_;
  frame.captured_at = steady_seconds();
  frame.name = hand_->thing;
  return Capture::kFrame;
}

std::string HandSource::message() const {
  const std::lock_guard<std::mutex> lock(hand_->mutex);
  return hand_->mode == Mode::kLost ? "The camera is gone." : "";
}

GridEncoder::GridEncoder(std::string name) {
  manifest_.name = std::move(name);
  manifest_.graph_sha256 = std::string(64, manifest_.name[0]);
  manifest_.output_size = 3 * kGrid * kGrid;
  manifest_.max_batch = 1;
}

Status GridEncoder::encode(Span<const FrameView> frames, Span<float> embeddings) noexcept {
  const FrameView& frame = frames[0];
  if (const Status s = check(frame); s != Status::kOk) return s;
  std::size_t i = 0;
  for (std::uint32_t gy = 0; gy < kGrid; ++gy) {
    for (std::uint32_t gx = 0; gx < kGrid; ++gx) {
      const std::uint32_t x = (2 * gx + 1) * frame.width / (2 * kGrid);
      const std::uint32_t y = (2 * gy + 1) * frame.height / (2 * kGrid);
      for (std::size_t c = 0; c < 3; ++c) {
        const std::byte value = frame.data[y * frame.stride + 3 * std::size_t{x} + c];
        embeddings[i++] = static_cast<float>(std::to_integer<int>(value)) - 128.0F;
      }
    }
  }
  return Status::kOk;
}

std::string picture_file(const std::string& thing) {
  cv::Mat picture(kHeight, kWidth, CV_8UC3);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      for (int c = 0; c < 3; ++c) picture.at<cv::Vec3b>(y, x)[c] = level(thing, x, y, c);
    }
  }
  std::vector<unsigned char> file;
  cv::imencode(".png", picture, file);
  return {file.begin(), file.end()};
}

Span<const std::byte> bytes_of(const std::string& file) {
  return {reinterpret_cast<const std::byte*>(file.data()), file.size()};
}

Desk::Desk(const std::string& state_folder, std::uint32_t variations, const std::string& encoder,
           const std::string& record) {
  SessionOptions options;
  options.classroom.state_folder = state_folder;
  options.classroom.max_classes = 6;
  options.classroom.variations.count = variations;
  options.record_folder = record;
  options.camera = true;
  session = std::make_unique<Session>(options, std::make_unique<HandSource>(hand),
                                      std::make_unique<GridEncoder>(encoder));
  session->start();
}

void Desk::show(const std::string& thing, HandSource::Mode mode) {
  const std::lock_guard<std::mutex> lock(hand->mutex);
  hand->thing = thing;
  hand->mode = mode;
}

bool Desk::until(const std::function<bool()>& holds, double seconds) const {
  const double end = steady_seconds() + seconds;
  while (steady_seconds() < end) {
    if (holds()) return true;
    sleep_seconds(0.005);
  }
  return holds();
}

std::string Desk::answer() const { return session->moment().answer.name; }

std::uint32_t Desk::make(const std::string& name) {
  const Reply reply = session->add_class(name);
  CHECK_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
  return static_cast<std::uint32_t>(reply.id);
}

std::uint64_t Desk::teach(const std::string& thing, std::uint32_t frames) {
  show(thing);
  const std::uint32_t id = card(thing) == nullptr ? make(thing) : card(thing)->id;
  const std::uint64_t before = session->moment().frame;
  REQUIRE(until([&] { return session->moment().frame > before + 1; }));  // the new thing is seen
  const Reply reply = session->teach(id, 30.0);
  REQUIRE_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
  REQUIRE(until([&] { return burst(reply.id) != nullptr && burst(reply.id)->frames >= frames; }));
  CHECK(session->stop_teaching().outcome == Outcome::kOk);
  REQUIRE(until([&] { return burst(reply.id)->durable; }));
  return reply.id;
}

bool Desk::sees(const std::string& thing, const std::string& as) {
  show(thing);
  return until([&] { return answer() == as; });
}

const ClassCard* Desk::card(const std::string& name) {
  seen = session->state();
  const auto found = std::find_if(seen.classes.begin(), seen.classes.end(),
                                  [&](const ClassCard& c) { return c.name == name; });
  return found == seen.classes.end() ? nullptr : &*found;
}

const Burst* Desk::burst(std::uint64_t id) {
  seen = session->state();
  const auto found = std::find_if(seen.bursts.begin(), seen.bursts.end(),
                                  [&](const Burst& b) { return b.id == id; });
  return found == seen.bursts.end() ? nullptr : &*found;
}

}  // namespace jackdaw::live::testing
