// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether GStreamer has what a pipeline needs. OpenCV builds a pipeline without an element that is
// not there, and then waits for it for ever.
//
//   if (const auto fault = missing_element({"nvarguscamerasrc", "nvvidconv"}); !fault.empty()) ...

#include <initializer_list>
#include <string>

namespace jackdaw::live {

// Empty, or one sentence. GStreamer is opened at run time; it is no part of the program.
std::string missing_element(std::initializer_list<const char*> names);

}  // namespace jackdaw::live
