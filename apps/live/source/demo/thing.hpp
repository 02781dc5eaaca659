// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands on the demo's table: shapes and patterns, without colours. A pattern says how much of
// each of four colours a point has; three are the colourway's and change, the fourth is cream. What
// is left is dark.
//
//   for (const std::string& name : thing_names()) Thing thing = make_thing(name);

#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "live/source/demo/mesh.hpp"

namespace jackdaw::live::demo {

struct Part {
  Mesh mesh;
  cv::Mat pattern;  // four bytes a point: shares of main, second, accent, cream
  float gloss = 0.3F;
};

struct Thing {
  std::string name;
  std::vector<Part> parts;
  float swing = 1.0F;   // radians to either side that it turns
  float facing = 0.0F;  // radians: the middle of the swing
  float lean = 0.0F;    // how much it may lean, radians
  float foot = 0.5F;    // half the width of its shadow
};

const std::vector<std::string>& thing_names();
Thing make_thing(const std::string& name);  // one of those

}  // namespace jackdaw::live::demo
