// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/bench.hpp"

namespace jackdaw::bench {

StepTimes step_times(Ensemble& ensemble, int repetitions) {
  constexpr std::size_t kQueries = 16;  // a turn; each chooses other rows
  const std::size_t bytes = ensemble.example_bytes();
  const std::vector<std::byte> examples = random_examples(ensemble, kQueries, 5);
  const auto example = [&](std::size_t q) {
    return Span<const std::byte>(examples).subspan(q * bytes, bytes);
  };
  std::vector<ClassScore> scores(ensemble.settings().max_classes);
  std::vector<Timed> timed{{"predict",
                            [&] {
                              for (std::size_t q = 0; q < kQueries; ++q)
                                static_cast<void>(ensemble.predict(0, example(q), scores));
                            }},
                           {"teach", [&] {
                              for (std::size_t q = 0; q < kQueries; ++q)
                                static_cast<void>(ensemble.teach(example(q), 0, Part::kBoth));
                              for (std::size_t q = 0; q < kQueries; ++q)
                                static_cast<void>(ensemble.unteach(example(q), 0, Part::kBoth));
                            }}};
  measure(timed, repetitions);
  return {timed[0].seconds * 1e6 / kQueries, timed[1].seconds * 1e6 / (2 * kQueries)};
}

}  // namespace jackdaw::bench
