// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What others ask of a session.
#include "live/session/session.hpp"

#include <cmath>

#include "jackdaw/engines/picture.hpp"
#include "jackdaw/error.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

constexpr double kPatience = 10.0;      // seconds to wait for the loop
constexpr double kDiskPatience = 10.0;  // seconds to wait for the disk

Reply busy() { return {Outcome::kBusy, "The frame loop is busy; try again in a moment."}; }

}  // namespace

Session::Session(const SessionOptions& options, std::unique_ptr<Source> source,
                 std::unique_ptr<Encoder> encoder)
    : options_(options), source_(std::move(source)), room_(options.classroom, std::move(encoder)) {
  if (!options_.record_folder.empty()) {
    recorder_ = std::make_unique<Recorder>(options_.record_folder);
  }
  ranked_.reserve(16);
  shown_.region = room_.store().load_region();
  publish_state(steady_seconds());
}

Session::~Session() { static_cast<void>(stop()); }

void Session::start() {
  thread_ = std::thread([this] { run(); });
}

bool Session::stop() {
  stopping_.store(true);
  if (thread_.joinable()) thread_.join();
  errands_.close();
  return room_.ready() && room_.learner().flush(kDiskPatience);
}

template <class Errand>
Reply Session::ask(const Errand& errand, bool changes) {
  Reply reply;
  const auto run = [&]() noexcept {
    try {
      reply = room_.ready() ? errand() : Reply{Outcome::kFailed, room_.fault()};
      if (changes) publish_state(steady_seconds());
    } catch (const std::exception& error) {
      reply = {Outcome::kFailed, error.what()};
    }
  };
  return errands_.ask(run, kPatience) ? reply : busy();
}

// What changes the learner has to wait while another state is prepared from it.
template <class Errand>
Reply Session::change(const Errand& errand) {
  return ask([&]() -> Reply {
    if (exchanging_) return {Outcome::kBusy, "A state file is being taken in; try again."};
    return errand();
  });
}

// However long the loop takes: somebody waits for what this lets go.
void Session::let_go(const std::function<void()>& errand) {
  while (!errands_.ask(errand, kPatience) && !errands_.closed()) sleep_seconds(0.01);
}

Bytes Session::picture() { return viewfinder_.jpeg(steady_seconds()); }

Bytes Session::thumbnail(std::uint32_t class_id) const {
  const std::lock_guard<std::mutex> lock(thumbnails_mutex_);
  for (const auto& [id, jpeg] : thumbnails_) {
    if (id == class_id) return jpeg;
  }
  return nullptr;
}

// --- teaching ----------------------------------------------------------------------------------

Reply Session::teach(std::uint32_t class_id, double seconds) {
  if (!(seconds >= 0.0 && seconds <= 60.0)) {
    return {Outcome::kBadRequest, "seconds must be from 0 to 60."};
  }
  return change([&]() -> Reply {
    if (shown_.source_status == SourceStatus::kLost || ended_.load()) {
      return {Outcome::kConflict, "There is no picture to learn from."};
    }
    if (shown_.source_status == SourceStatus::kFrozen) {
      return {Outcome::kConflict,
              "The camera shows the same picture again and again; nothing is learned from it."};
    }
    if (!teaching_ || teaching_->class_id != class_id) {
      const Reply begun = room_.begin_burst(class_id);
      if (begun.outcome != Outcome::kOk) return begun;
      teaching_ = Teaching{class_id, begun.id, 0.0};
    }
    teaching_->until = steady_seconds() + seconds;
    return {Outcome::kOk, "", teaching_->burst};
  });
}

Reply Session::stop_teaching() {
  return ask([&]() -> Reply {
    teaching_.reset();
    return {};
  });
}

Reply Session::wait_until_durable(std::uint64_t sequence, std::uint64_t burst) const {
  const double until = steady_seconds() + kDiskPatience;
  while (durable_.load() < sequence) {
    if (steady_seconds() > until) {
      return {Outcome::kFailed, "It was learned, but is not safe on the disk: see the problems."};
    }
    sleep_seconds(0.005);
  }
  return {Outcome::kOk, "", burst};
}

Reply Session::teach_picture(std::uint32_t class_id, Span<const std::byte> file) {
  Picture picture;
  if (const std::string fault = decode_picture(file, "the picture", picture); !fault.empty()) {
    return {Outcome::kBadRequest, fault};
  }
  std::uint64_t sequence = 0;
  const Reply reply = change([&]() -> Reply {
    const Reply begun = room_.begin_burst(class_id);
    if (begun.outcome != Outcome::kOk) return begun;
    Moment unused;
    Status status = room_.ask_about(picture.view, unused);
    if (status == Status::kOk) status = room_.teach_last(picture.view, 0, begun.id);
    if (status != Status::kOk) room_.drop_empty_burst(begun.id);
    if (status == Status::kJournalBehind) return {Outcome::kBusy, jackdaw::describe(status)};
    if (status != Status::kOk) return {Outcome::kFailed, jackdaw::describe(status)};
    if (recorder_) recorder_->keep(picture.view, room_.cards().find(class_id)->name);
    sequence = room_.learner().last_sequence();
    return begun;
  });
  return reply.outcome == Outcome::kOk ? wait_until_durable(sequence, reply.id) : reply;
}

Reply Session::predict_picture(Span<const std::byte> file, Moment& moment) {
  Picture picture;
  if (const std::string fault = decode_picture(file, "the picture", picture); !fault.empty()) {
    return {Outcome::kBadRequest, fault};
  }
  return ask(
      [&]() -> Reply {
        const Status status = room_.ask_about(picture.view, moment);
        if (status == Status::kOk) return {};
        return {Outcome::kFailed, jackdaw::describe(status)};
      },
      false);
}

// --- changing one's mind -----------------------------------------------------------------------

Reply Session::add_class(const std::string& name) {
  return change([&] { return room_.add_class(name); });
}

Reply Session::rename(std::uint32_t class_id, const std::string& name) {
  return change([&] { return room_.rename(class_id, name); });
}

Reply Session::forget(std::uint32_t class_id) {
  return change([&] {
    if (teaching_ && teaching_->class_id == class_id) teaching_.reset();
    return room_.forget(class_id);
  });
}

Reply Session::undo(std::uint64_t burst_id) {
  return change([&] {
    teaching_.reset();
    return room_.undo(burst_id);
  });
}

Reply Session::move(std::uint64_t burst_id, std::uint32_t class_id) {
  return change([&] {
    teaching_.reset();
    return room_.move(burst_id, class_id);
  });
}

Reply Session::set_region(const std::optional<Region>& region) {
  if (region && !is_within_picture(*region)) {
    return {Outcome::kBadRequest,
            "The region must lie within the picture: x, y, width and height from 0 to 1, and at "
            "least 0.02 wide and high."};
  }
  return ask([&]() -> Reply {
    shown_.region = region;
    room_.store().save_region(region);
    return {};
  });
}

// --- state files -------------------------------------------------------------------------------

Reply Session::export_state(Bytes& file) {
  // The loop may teach meanwhile; it may not replace the learner.
  const Reply begun = ask(
      [&]() -> Reply {
        if (room_.held()) return busy();
        room_.hold(true);
        return {};
      },
      false);
  if (begun.outcome != Outcome::kOk) return begun;
  Reply reply;
  try {
    file = std::make_shared<const std::string>(room_.store().pack(room_.learner()));
  } catch (const std::exception& error) {
    reply = {Outcome::kFailed, error.what()};
  }
  let_go([&] { room_.hold(false); });
  return reply;
}

Reply Session::import_state(Span<const std::byte> file) { return take_in(file, false); }
Reply Session::merge_state(Span<const std::byte> file) { return take_in(file, true); }

Reply Session::take_in(Span<const std::byte> file, bool merge) {
  LearnerSettings ours;
  const Reply begun = ask([&]() -> Reply {
    if (room_.held()) return busy();
    ours = room_.learner().settings();
    teaching_.reset();
    room_.drop_pending();
    room_.hold(true);
    exchanging_ = true;
    return {};
  });
  if (begun.outcome != Outcome::kOk) return begun;
  Reply reply;
  try {
    if (!room_.learner().flush(kDiskPatience)) {
      throw StateError("What was taught last is not on the disk yet; try again.");
    }
    room_.store().prepare(file, ours, merge);
  } catch (const std::exception& error) {
    reply = {Outcome::kConflict, error.what()};
  }
  let_go([&]() noexcept {
    room_.hold(false);
    exchanging_ = false;
    if (reply.outcome == Outcome::kOk) reply = room_.reopen_exchanged();
    if (!room_.ready()) return;
    durable_.store(room_.learner().durable_sequence());
    try {
      publish_state(steady_seconds());
    } catch (const std::exception&) {  // no memory for it now; the next turn tries again
      state_changed_ = true;
    }
  });
  return reply;
}

}  // namespace jackdaw::live
