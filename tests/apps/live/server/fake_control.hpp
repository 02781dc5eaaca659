// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A session that learns nothing: classes and bursts in a list, a frame every 1/30 second, pictures
// of a given size that carry the frame's number. Files say what becomes of them: a body that begins
// with "busy", "conflict" or "fail" is answered so, one that begins with "slow" takes a second.
//
//   FakeControl control;
//   Server server(options, control);

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "live/control.hpp"

namespace jackdaw::live::testing {

class FakeControl : public Control {
 public:
  explicit FakeControl(std::size_t picture_bytes = 40000, std::uint32_t max_classes = 8)
      : picture_bytes_(picture_bytes), ticker_([this] { tick(); }) {
    state_.source_uri = "demo://";
    state_.source_status = SourceStatus::kRunning;
    state_.width = 640;
    state_.height = 480;
    state_.encoder = "fake";
    state_.max_classes = max_classes;
    state_.planned_bytes = 1000;
    state_.resident_bytes = 2000;
    state_.state_folder = "/tmp/state";
  }
  ~FakeControl() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    ticker_.join();
  }

  // --- what tests turn --------------------------------------------------------------------------
  void pause(bool yes) { paused_ = yes; }
  void set_status(SourceStatus status, const std::string& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    state_.source_status = status;
    state_.source_message = message;
    note();
  }
  int pictures_made() const { return pictures_made_; }
  int files_seen() const { return files_seen_; }

  // --- looking ----------------------------------------------------------------------------------
  State state() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return state_;
  }
  Moment moment() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    Moment out;
    out.frame = out.answered = versions_.moment;
    if (!state_.classes.empty()) {
      const ClassCard& card = state_.classes.front();
      out.answer = out.raw = {card.id, card.name, 0.75};
      out.ranked = {out.answer};
      out.unknown = 0.25;
    }
    out.captured_rate = out.answered_rate = 30.0;
    out.milliseconds = {0.25, 0.5, 4.0, 0.125, 0.0};
    return out;
  }
  Versions versions() const noexcept override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return versions_;
  }
  Versions wait(Versions seen, double seconds) const override {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
      return stopping_ || versions_.state > seen.state || versions_.moment > seen.moment;
    });
    return versions_;
  }
  Bytes picture() override {
    ++pictures_made_;
    const std::uint64_t frame = versions().moment;
    if (frame == 0) return nullptr;
    std::string jpeg = "\xff\xd8 frame " + std::to_string(frame) + ' ';
    jpeg.resize(picture_bytes_, '.');
    return std::make_shared<const std::string>(jpeg + "\xff\xd9");
  }
  Bytes thumbnail(std::uint32_t class_id) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const ClassCard* card = find(class_id);
    if (card == nullptr || card->thumbnail_version == 0) return nullptr;
    return std::make_shared<const std::string>("\xff\xd8 thumbnail\xff\xd9");
  }

  // --- teaching ---------------------------------------------------------------------------------
  Reply teach(std::uint32_t class_id, double) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return burst_of(class_id);
  }
  Reply stop_teaching() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    state_.teaching.reset();
    note();
    return {};
  }
  Reply teach_picture(std::uint32_t class_id, Span<const std::byte> file) override {
    if (const Reply reply = look_at(file); reply.outcome != Outcome::kOk) return reply;
    const std::lock_guard<std::mutex> lock(mutex_);
    return burst_of(class_id);
  }
  Reply predict_picture(Span<const std::byte> file, Moment& out) override {
    const Reply reply = look_at(file);
    if (reply.outcome == Outcome::kOk) out = moment();
    return reply;
  }

  // --- changing one's mind ----------------------------------------------------------------------
  Reply add_class(const std::string& name) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (named(name)) return {Outcome::kConflict, "The name is in use.", 0};
    if (state_.classes.size() >= state_.max_classes)
      return {Outcome::kFull, "There is no room.", 0};
    ClassCard card;
    card.id = ++last_class_;
    card.name = name;
    state_.classes.push_back(card);
    note();
    return {Outcome::kOk, "", card.id};
  }
  Reply rename(std::uint32_t class_id, const std::string& name) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ClassCard* card = find(class_id);
    if (card == nullptr) return no_class();
    if (named(name)) return {Outcome::kConflict, "The name is in use.", 0};
    card->name = name;
    note();
    return {};
  }
  Reply forget(std::uint32_t class_id) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto i = state_.classes.begin(); i != state_.classes.end(); ++i) {
      if (i->id != class_id) continue;
      state_.classes.erase(i);
      note();
      return {};
    }
    return no_class();
  }
  Reply undo(std::uint64_t burst_id) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = state_.bursts.size(); i-- > 0;) {
      const std::uint64_t id = state_.bursts[i].id;
      if (burst_id != 0 && id != burst_id) continue;
      state_.bursts.erase(state_.bursts.begin() + static_cast<std::ptrdiff_t>(i));
      note();
      return {Outcome::kOk, "", id};
    }
    return {Outcome::kNotFound, "There is nothing to undo.", 0};
  }
  Reply move(std::uint64_t burst_id, std::uint32_t class_id) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (find(class_id) == nullptr) return no_class();
    for (Burst& burst : state_.bursts) {
      if (burst.id != burst_id) continue;
      burst.class_id = class_id;
      note();
      return {};
    }
    return {Outcome::kNotFound, "There is no such burst.", 0};
  }
  Reply set_region(const std::optional<Region>& region) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    state_.region = region;
    note();
    return {};
  }

  // --- state files ------------------------------------------------------------------------------
  Reply export_state(Bytes& file) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    file = std::make_shared<const std::string>(file_);
    return {};
  }
  Reply import_state(Span<const std::byte> file) override { return keep(file); }
  Reply merge_state(Span<const std::byte> file) override { return keep(file); }

 private:
  void tick() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stopping_) {
      changed_.wait_for(lock, std::chrono::milliseconds(33), [this] { return stopping_; });
      if (paused_) continue;
      ++versions_.moment;
      changed_.notify_all();
    }
  }
  void note() {
    ++versions_.state;
    changed_.notify_all();
  }
  const ClassCard* find(std::uint32_t id) const {
    for (const ClassCard& card : state_.classes) {
      if (card.id == id) return &card;
    }
    return nullptr;
  }
  ClassCard* find(std::uint32_t id) {
    return const_cast<ClassCard*>(static_cast<const FakeControl*>(this)->find(id));
  }
  bool named(const std::string& name) const {
    for (const ClassCard& card : state_.classes) {
      if (card.name == name) return true;
    }
    return false;
  }
  static Reply no_class() { return {Outcome::kNotFound, "There is no such class.", 0}; }
  Reply burst_of(std::uint32_t class_id) {
    ClassCard* card = find(class_id);
    if (card == nullptr) return no_class();
    card->thumbnail_version = 1;
    ++card->examples;
    Burst burst;
    burst.id = ++last_burst_;
    burst.class_id = class_id;
    state_.bursts.push_back(burst);
    state_.teaching = class_id;
    note();
    return {Outcome::kOk, "", burst.id};
  }
  Reply look_at(Span<const std::byte> file) {
    ++files_seen_;
    const std::string text(reinterpret_cast<const char*>(file.data()), file.size());
    const auto begins = [&](const char* word) {
      return text.compare(0, std::strlen(word), word) == 0;
    };
    if (begins("slow")) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (begins("busy")) return {Outcome::kBusy, "Something else is under way.", 0};
    if (begins("conflict")) return {Outcome::kConflict, "It is of another encoder.", 0};
    if (begins("fail")) return {Outcome::kFailed, "The disk is full.", 0};
    if (begins("bad")) return {Outcome::kBadRequest, "This is no picture.", 0};
    return {};
  }
  Reply keep(Span<const std::byte> file) {
    const Reply reply = look_at(file);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (reply.outcome == Outcome::kOk) {
      file_.assign(reinterpret_cast<const char*>(file.data()), file.size());
    }
    return reply;
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
  Versions versions_;
  std::uint32_t last_class_ = 0;
  std::uint64_t last_burst_ = 0;
  std::string file_ = "a state file";
  const std::size_t picture_bytes_;
  std::atomic<int> pictures_made_{0}, files_seen_{0};
  std::atomic<bool> paused_{false};
  bool stopping_ = false;
  std::thread ticker_;
};

}  // namespace jackdaw::live::testing
