// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Times to be compared with each other, taken in one run: the candidates take turns, so that
// whatever else the machine does meets all of them, and each is judged by its median.
//
//   std::vector<Timed> timed{{"ours", [&] { ... }}, {"peer", [&] { ... }}};
//   measure(timed, 41);
//   double ratio = timed[1].seconds / timed[0].seconds;

#include <functional>
#include <string>
#include <vector>

namespace jackdaw::bench {

struct Timed {
  std::string name;
  std::function<void()> run;
  double seconds = 0.0;  // median of one run
};

void measure(std::vector<Timed>& candidates, int repetitions);

// What one benchmark has to say. ratio: ours against the peer, larger is better; 0: nothing
// compared.
struct Result {
  std::string name;
  double ours_us = 0.0;
  double peer_us = 0.0;
  std::string peer;  // what it was compared with
  double ratio = 0.0;
  double required = 0.0;  // what the ratio must reach; 0: nothing is required
  std::string note;
};

// Size of the last-level cache in bytes; 32 MB where the system does not tell.
std::size_t last_level_cache();

}  // namespace jackdaw::bench
