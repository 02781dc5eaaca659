// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The things, one by one; make_thing() calls them by their names.

#include "live/source/demo/thing.hpp"

namespace jackdaw::live::demo {

Thing make_mug();
Thing make_plant();
Thing make_rocket();
Thing make_ball();
Thing make_book();
Thing make_clock();
Thing make_car();
Thing make_duck();

}  // namespace jackdaw::live::demo
