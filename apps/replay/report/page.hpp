// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results as one page that needs nothing else: no network, no library, inline drawings. It is
// well-formed XHTML, prints, and follows the reader's light or dark mode.
//
//   write_whole_file("report.html", report::html_page(results));

#include <string>

#include "replay/results.hpp"

namespace jackdaw::replay::report {

std::string html_page(const Results& results);

// Throws if the file cannot be written; then, an older one is as it was.
void write_page(const Results& results, const std::string& path);

// Inline, see style.cpp.
extern const char* const kStyle;
extern const char* const kScript;

}  // namespace jackdaw::replay::report
