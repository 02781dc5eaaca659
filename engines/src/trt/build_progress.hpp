// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From TensorRT's nested phases to one number that only grows. Phases have steps, and during a step
// of one another may run inside it; TensorRT calls from any of its threads.
//
//   BuildProgress progress(0.1, 0.9, [](double done, const char* step) { return true; });
//   compat::set_progress_monitor(config, progress);
//   progress.report(0.95, "storing the engine");         // between TensorRT's own phases

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "trt/trt_compat.hpp"

namespace jackdaw::trt {

class BuildProgress final : public compat::ProgressMonitor {
 public:
  using Report = std::function<bool(double done, const char* step)>;  // false: stop the build

  // TensorRT's phases move the number from `from` to `to`.
  BuildProgress(double from, double to, Report report);

  bool report(double done, const char* step) noexcept;
  bool cancelled() const noexcept;

  void phaseStart(char const* name, char const* parent, std::int32_t steps) noexcept override;
  bool stepComplete(char const* name, std::int32_t step) noexcept override;
  void phaseFinish(char const* name) noexcept override;

 private:
  struct Phase {
    std::string name;
    std::int32_t steps, done;
  };
  double share() const noexcept;  // of the whole, 0 to 1
  bool tell(double done, const char* step) noexcept;

  const double from_, to_;
  const Report report_;
  mutable std::mutex guard_;
  std::vector<Phase> phases_;  // outermost first
  double told_ = 0.0;
  bool cancelled_ = false;
};

}  // namespace jackdaw::trt
