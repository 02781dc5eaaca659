// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/thing.hpp"

#include <utility>

#include "live/source/demo/things.hpp"

namespace jackdaw::live::demo {
namespace {

using Maker = Thing (*)();
const std::pair<const char*, Maker> kMakers[] = {
    {"mug", make_mug},     {"ball", make_ball}, {"book", make_book}, {"clock", make_clock},
    {"plant", make_plant}, {"car", make_car},   {"duck", make_duck}, {"rocket", make_rocket}};

}  // namespace

const std::vector<std::string>& thing_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, maker] : kMakers) all.emplace_back(name);
    return all;
  }();
  return names;
}

Thing make_thing(const std::string& name) {
  for (const auto& [known, maker] : kMakers) {
    if (name != known) continue;
    Thing thing = maker();
    thing.name = name;
    return thing;
  }
  return {};
}

}  // namespace jackdaw::live::demo
