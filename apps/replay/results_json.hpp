// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// results.json: the tree of results.hpp under the names in results_fields.hpp, with "schema": 1,
// and for each row "unknown_auroc" (a number or null) beside the details in "unknown".
//
//   write_results(results, "results.json");         // the old file or the whole new one, no half
//   Results again = read_results("results.json");

#include <string>

#include "jackdaw/error.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

// A file of results cannot be read or written; the text names it.
struct ResultsError : Error {
  using Error::Error;
};

std::string to_json(const Results& results);
// Fields that are missing keep their defaults, but those of a rule are not a number: it was another
// version's. A wrong type or another schema throws ResultsError.
Results from_json(const std::string& text, const std::string& name);

// As far as the file tells; sizes are not in it.
bool same_settings(const EnsembleSettings& a, const EnsembleSettings& b);

void write_results(const Results& results, const std::string& path);
Results read_results(const std::string& path);

}  // namespace jackdaw::replay
