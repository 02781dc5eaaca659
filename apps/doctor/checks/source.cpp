// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// One picture from the source that was named.
#include <chrono>

#include "doctor/check.hpp"
#include "doctor/words.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::doctor {
namespace {

constexpr double kPatience = 10.0;  // seconds; a CSI camera needs some to start

}  // namespace

Finding check_source(const DoctorOptions& options) {
  if (options.source.empty()) return not_run("no --source was given");
  live::SourceOptions wanted;
  wanted.uri = options.source;
  const auto source = live::open_source(wanted);
  const std::string shown = source->uri();
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  live::SourceFrame frame;
  while (spent() < kPatience) {
    if (source->capture(1.0, frame) != live::Capture::kFrame) continue;
    const nlohmann::json facts{{"source", shown},
                               {"width", frame.view.width},
                               {"height", frame.view.height},
                               {"seconds", spent()}};
    return ok(shown + " gave a picture of " + std::to_string(frame.view.width) + "x" +
                  std::to_string(frame.view.height) + " after " + fixed(spent(), 1) + " seconds",
              facts);
  }
  const std::string why = source->message();
  return failed(shown + " gave no picture in " + fixed(kPatience, 0) + " seconds" +
                    (why.empty() ? "" : ": " + why),
                "is it connected, and does another program use it? 'jackdaw doctor' without "
                "--source lists the cameras",
                {{"source", shown}});
}

}  // namespace jackdaw::doctor
