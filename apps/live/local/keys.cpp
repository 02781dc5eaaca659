// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/local/keys.hpp"

#include <cstdio>

namespace jackdaw::live {

std::string Keys::press(char key) {
  if (key >= '1' && key <= '9') return teach(static_cast<std::size_t>(key - '1'));
  if (key == 'u') {
    const Reply reply = control_.undo(0);
    return reply.outcome == Outcome::kOk ? "the last burst is taken back" : reply.message;
  }
  if (key == 'q') quit_ = true;
  return {};
}

std::string Keys::teach(std::size_t place) {
  const std::vector<ClassCard> classes = control_.state().classes;
  if (place > classes.size()) {
    return "there are " + std::to_string(classes.size()) + " classes; the next one is key " +
           std::to_string(classes.size() + 1);
  }
  std::uint32_t id = 0;
  std::string name;
  if (place == classes.size()) {
    // One of them may have been forgotten, and its number be free or not.
    Reply made{Outcome::kConflict, ""};
    for (std::size_t n = place + 1; made.outcome == Outcome::kConflict && n < place + 100; ++n) {
      name = "class " + std::to_string(n);
      made = control_.add_class(name);
    }
    if (made.outcome != Outcome::kOk) return made.message;
    id = static_cast<std::uint32_t>(made.id);
  } else {
    id = classes[place].id;
    name = classes[place].name;
  }
  constexpr double kSeconds = 1.0;
  const Reply reply = control_.teach(id, kSeconds);
  return reply.outcome == Outcome::kOk ? "teaching " + name : reply.message;
}

std::string live_line(const State& state, const Moment& moment) {
  char text[200];
  const std::string answer = moment.answer.class_id == 0 ? "unknown" : moment.answer.name;
  std::snprintf(text, sizeof(text), "%s %.0f %%   %.1f frames/s   encode %.1f ms   %zu classes",
                answer.c_str(), 100.0 * moment.answer.confidence, moment.answered_rate,
                moment.milliseconds.preprocess + moment.milliseconds.encode, state.classes.size());
  std::string line = text;
  for (const Problem& problem : state.problems) line += "   " + problem.text;
  return line;
}

}  // namespace jackdaw::live
