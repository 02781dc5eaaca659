// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A camera and an encoder that a test has in its hand, and a session made of them.
//
//   Desk desk(folder);
//   desk.show("red");                         // from now on the camera sees this
//   desk.session->teach(id, 0.2);
//   desk.until([&] { return desk.answer() == "red"; });

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "live/session/session.hpp"

namespace jackdaw::live::testing {

// Frames of one pattern each, every 5 ms, with a little noise; or none, or always the same.
class HandSource final : public Source {
 public:
  enum class Mode { kRunning, kSilent, kLost, kFrozen, kEnd };

  struct Hand {  // shared with the test
    std::mutex mutex;
    std::string thing = "red";
    Mode mode = Mode::kRunning;
  };

  explicit HandSource(std::shared_ptr<Hand> hand) : hand_(std::move(hand)) {}
  Capture capture(double deadline_seconds, SourceFrame& frame) override;
  std::string message() const override;
  std::string uri() const override { return "hand://"; }

 private:
  void draw(const std::string& thing, bool noise);

  std::shared_ptr<Hand> hand_;
  std::vector<std::byte> pixels_;
  std::uint64_t number_ = 0;
  double next_ = 0.0;
  unsigned noise_ = 1;
};

// Means of brightness and colour over a grid of 4x4: enough to tell the hand's things apart.
class GridEncoder final : public Encoder {
 public:
  explicit GridEncoder(std::string name = "grid");
  const Manifest& manifest() const noexcept override { return manifest_; }
  std::string backend() const override { return "test"; }
  Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept override;

 private:
  Manifest manifest_;
};

// A picture of a thing as a PNG file.
std::string picture_file(const std::string& thing);
Span<const std::byte> bytes_of(const std::string& file);

struct Desk {
  explicit Desk(const std::string& state_folder, std::uint32_t variations = 0,
                const std::string& encoder = "grid", const std::string& record = "");

  void show(const std::string& thing, HandSource::Mode mode = HandSource::Mode::kRunning);
  // Waits, but not for ever; false: it did not come true.
  bool until(const std::function<bool()>& holds, double seconds = 20.0) const;
  std::string answer() const;  // "": unknown
  std::uint32_t make(const std::string& name);
  // Shows the thing and teaches so many frames of it to a class of its name; the burst.
  std::uint64_t teach(const std::string& thing, std::uint32_t frames = 6);
  bool sees(const std::string& thing, const std::string& as);
  const ClassCard* card(const std::string& name);
  const Burst* burst(std::uint64_t id);

  std::shared_ptr<HandSource::Hand> hand = std::make_shared<HandSource::Hand>();
  std::unique_ptr<Session> session;
  State seen;  // what card() and burst() point into
};

}  // namespace jackdaw::live::testing
