// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/views.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "jackdaw/version.hpp"

namespace jackdaw::live {
namespace {

using Json = nlohmann::ordered_json;

// What is not UTF-8 (a folder's name may be anything) is replaced, not refused.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

double finite(double value) { return std::isfinite(value) ? value : 0.0; }

Json guess_json(const Guess& guess) {
  if (guess.class_id == 0) return nullptr;
  return {
      {"class", guess.class_id}, {"name", guess.name}, {"confidence", finite(guess.confidence)}};
}

Json card_json(const ClassCard& card) {
  Json thumbnail = nullptr;
  if (card.thumbnail_version != 0) {
    thumbnail = "/api/classes/" + std::to_string(card.id) +
                "/thumbnail.jpg?v=" + std::to_string(card.thumbnail_version);
  }
  return {{"id", card.id},
          {"name", card.name},
          {"examples", card.examples},
          {"lessons", card.lessons},
          {"thumbnail", std::move(thumbnail)}};
}

Json burst_json(const Burst& burst) {
  return {{"id", burst.id},
          {"class", burst.class_id},
          {"frames", burst.frames},
          {"lessons", burst.lessons},
          {"pending", burst.pending},
          {"durable", burst.durable},
          {"undoable", burst.undoable}};
}

}  // namespace

const char* name_of(SourceStatus status) noexcept {
  switch (status) {
    case SourceStatus::kOpening:
      return "opening";
    case SourceStatus::kRunning:
      return "running";
    case SourceStatus::kLost:
      return "lost";
    case SourceStatus::kFrozen:
      return "frozen";
    case SourceStatus::kEnded:
      break;
  }
  return "ended";
}

std::string state_json(const State& state) {
  Json out;
  out["version"] = kVersion;
  out["source"] = {{"uri", state.source_uri},
                   {"status", name_of(state.source_status)},
                   {"message", state.source_message},
                   {"width", state.width},
                   {"height", state.height}};
  out["encoder"] = {{"name", state.encoder}, {"backend", state.encoder_backend}};
  out["learner"] = {{"backend", state.learner_backend}};
  out["classes"] = Json::array();
  for (const ClassCard& card : state.classes) out["classes"].push_back(card_json(card));
  out["max_classes"] = state.max_classes;
  out["teaching"] = state.teaching ? Json{{"class", *state.teaching}} : Json(nullptr);
  out["bursts"] = Json::array();
  for (const Burst& burst : state.bursts) out["bursts"].push_back(burst_json(burst));
  out["region"] = nullptr;
  if (const auto& region = state.region) {
    out["region"] = {{"x", finite(region->x)},
                     {"y", finite(region->y)},
                     {"width", finite(region->width)},
                     {"height", finite(region->height)}};
  }
  out["memory"] = {{"planned_bytes", state.planned_bytes},
                   {"resident_bytes", state.resident_bytes}};
  out["state_folder"] = text_or_null(state.state_folder);
  out["record_folder"] = text_or_null(state.record_folder);
  out["problems"] = Json::array();
  for (const Problem& problem : state.problems) {
    out["problems"].push_back({{"id", problem.id},
                               {"severity", problem.error ? "error" : "warning"},
                               {"text", problem.text}});
  }
  return text_of(out);
}

std::string moment_json(const Moment& moment) {
  Json out;
  out["frame"] = moment.frame;
  out["answer"] = guess_json(moment.answer);
  out["raw"] = guess_json(moment.raw);
  out["ranked"] = Json::array();
  for (const Guess& guess : moment.ranked) out["ranked"].push_back(guess_json(guess));
  out["unknown"] = finite(moment.unknown);
  out["taught"] = moment.taught;
  out["rate"] = {{"captured", finite(moment.captured_rate)},
                 {"answered", finite(moment.answered_rate)}};
  const StageMilliseconds& stages = moment.milliseconds;
  out["milliseconds"] = {{"capture", finite(stages.capture)},
                         {"preprocess", finite(stages.preprocess)},
                         {"encode", finite(stages.encode)},
                         {"answer", finite(stages.answer)},
                         {"teach", finite(stages.teach)}};
  out["counts"] = {{"answered", moment.answered},
                   {"lessons", moment.lessons},
                   {"dropped", moment.dropped},
                   {"bad_frames", moment.bad_frames},
                   {"dropped_variations", moment.dropped_variations}};
  return text_of(out);
}

std::string problem_json(const std::string& problem) {
  return text_of({{"ok", false}, {"problem", problem}});
}

}  // namespace jackdaw::live
