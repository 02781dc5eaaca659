// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How wide a text becomes when it is drawn. Which font a reader has is not known, so this is an
// estimate by kinds of characters, and rather too wide: cut by the edge of a drawing, a name loses
// its beginning.
//
//   if (text_width(name, 11) > 80) name = shortened(name, 80, 11);

#include <string>

namespace jackdaw::replay::report {

double text_width(const std::string& text, double font_size);  // in the units of font_size

// The beginning of it, with an ellipsis, that is at most so wide; never cut inside a character.
std::string shortened(const std::string& text, double width, double font_size);

}  // namespace jackdaw::replay::report
