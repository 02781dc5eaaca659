// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/api.hpp"

#include <exception>
#include <limits>

#include "live/server/body_fields.hpp"
#include "live/server/views.hpp"

namespace jackdaw::live {
namespace {

constexpr std::uint64_t kMostClass = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostBurst = std::numeric_limits<std::uint64_t>::max();
constexpr double kLongestTeach = 60.0;  // seconds
constexpr double kRounding = 1e-9;      // of a region's right and lower edge

Span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

Answer nothing_more(const Reply& reply) {
  return reply.outcome == Outcome::kOk ? Answer::json(200, "{}") : refusal(reply);
}

Answer with_id(const Reply& reply, unsigned status, const char* field) {
  if (reply.outcome != Outcome::kOk) return refusal(reply);
  return Answer::json(status, "{\"" + std::string(field) + "\": " + std::to_string(reply.id) + "}");
}

// A class in the path that cannot be one is a class that is not there.
std::uint32_t class_in_path(std::uint64_t id) {
  return id <= kMostClass ? static_cast<std::uint32_t>(id) : 0;
}

Answer no_class() { return Answer::error(404, "There is no such class."); }

std::uint32_t class_in_query(std::string_view text) {
  const std::uint64_t id = parse_id(text, kMostClass);
  if (id == 0) throw BadRequest("Say which class: ?class= and a whole number from 1 on.");
  return static_cast<std::uint32_t>(id);
}

Answer picture(Control& control) {
  const Bytes jpeg = control.picture();
  return jpeg ? Answer::of("image/jpeg", jpeg) : Answer::error(503, "There is no picture yet.");
}

Answer thumbnail(std::uint64_t id, Control& control) {
  const Bytes jpeg = control.thumbnail(class_in_path(id));
  return jpeg ? Answer::of("image/jpeg", jpeg) : Answer::error(404, "There is no such thumbnail.");
}

Answer add_class(std::string_view text, Control& control) {
  BodyFields body(text);
  const std::string name = body.name("name");
  body.done();
  return with_id(control.add_class(name), 201, "id");
}

Answer rename(std::uint64_t id, std::string_view text, Control& control) {
  BodyFields body(text);
  const std::string name = body.name("name");
  body.done();
  const std::uint32_t klass = class_in_path(id);
  return klass == 0 ? no_class() : nothing_more(control.rename(klass, name));
}

Answer teach(std::string_view text, Control& control) {
  BodyFields body(text);
  const auto klass = static_cast<std::uint32_t>(body.whole("class", 1, kMostClass));
  const double seconds = body.number("seconds", 0.0, kLongestTeach);
  body.done();
  return with_id(control.teach(klass, seconds), 200, "burst");
}

Answer undo(std::string_view text, Control& control) {
  BodyFields body(text);
  const std::uint64_t burst = body.has("burst") ? body.whole("burst", 1, kMostBurst) : 0;
  body.done();
  return with_id(control.undo(burst), 200, "burst");
}

Answer move(std::uint64_t burst, std::string_view text, Control& control) {
  BodyFields body(text);
  const auto klass = static_cast<std::uint32_t>(body.whole("class", 1, kMostClass));
  body.done();
  return nothing_more(control.move(burst, klass));
}

Answer set_region(std::string_view text, Control& control) {
  BodyFields body(text);
  Region region;
  region.x = body.number("x", 0.0, 1.0);
  region.y = body.number("y", 0.0, 1.0);
  region.width = body.number("width", 0.0, 1.0);
  region.height = body.number("height", 0.0, 1.0);
  body.done();
  if (!(region.width > 0.0) || !(region.height > 0.0)) {
    throw BadRequest("The region is empty: width and height must be more than 0.");
  }
  if (region.x + region.width > 1.0 + kRounding || region.y + region.height > 1.0 + kRounding) {
    throw BadRequest("The region goes beyond the picture: x + width and y + height are at most 1.");
  }
  return nothing_more(control.set_region(region));
}

Answer predict(std::string_view file, Control& control) {
  Moment moment;
  const Reply reply = control.predict_picture(bytes_of(file), moment);
  return reply.outcome == Outcome::kOk ? Answer::json(200, moment_json(moment)) : refusal(reply);
}

Answer export_state(Control& control) {
  Bytes file;
  const Reply reply = control.export_state(file);
  if (reply.outcome != Outcome::kOk) return refusal(reply);
  if (!file) return Answer::error(500, "The state file could not be made.");
  Answer answer = Answer::of("application/octet-stream", file);
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"state.jackdaw\"");
  return answer;
}

Answer dispatch(const ApiRequest& request, Control& control) {
  switch (request.action) {
    case Action::kState:
      return Answer::json(200, state_json(control.state()));
    case Action::kPicture:
      return picture(control);
    case Action::kThumbnail:
      return thumbnail(request.id, control);
    case Action::kAddClass:
      return add_class(request.body, control);
    case Action::kRename:
      return rename(request.id, request.body, control);
    case Action::kForget:
      return class_in_path(request.id) == 0
                 ? no_class()
                 : nothing_more(control.forget(class_in_path(request.id)));
    case Action::kTeach:
      return teach(request.body, control);
    case Action::kStopTeaching:
      return nothing_more(control.stop_teaching());
    case Action::kTeachPicture:
      return with_id(control.teach_picture(class_in_query(request.klass), bytes_of(request.body)),
                     200, "burst");
    case Action::kPredict:
      return predict(request.body, control);
    case Action::kUndo:
      return undo(request.body, control);
    case Action::kMove:
      return move(request.id, request.body, control);
    case Action::kSetRegion:
      return set_region(request.body, control);
    case Action::kClearRegion:
      return nothing_more(control.set_region(std::nullopt));
    case Action::kExport:
      return export_state(control);
    case Action::kImport:
      return nothing_more(control.import_state(bytes_of(request.body)));
    case Action::kMerge:
      return nothing_more(control.merge_state(bytes_of(request.body)));
    case Action::kEvents:
    case Action::kMovingPicture:
    case Action::kHealth:
    case Action::kMetrics:
      break;
  }
  return Answer::error(404, "There is nothing here.");
}

}  // namespace

Answer perform(const ApiRequest& request, Control& control) noexcept try {
  return dispatch(request, control);
} catch (const BadRequest& error) {
  return Answer::error(400, error.what());
} catch (const std::exception& error) {
  return Answer::error(500, std::string("It did not work: ") + error.what());
}

}  // namespace jackdaw::live
