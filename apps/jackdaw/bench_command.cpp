// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw bench: speed, always as a ratio to something measured in the same run.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/bench.hpp"
#include "jackdaw/commands.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/version.hpp"

namespace jackdaw::app {
namespace {

struct BenchCommandOptions {
  bench::BenchOptions bench;
  std::string only = "all";
  bool json = false;
};

nlohmann::json to_json(const std::vector<bench::Result>& results, const EnsembleSettings& sizes) {
  nlohmann::json out{{"version", kVersion},
                     {"measured", nlohmann::json::array()},
                     {"computed", nlohmann::json::array()}};
  for (const bench::Result& r : results) {
    out["measured"].push_back({{"name", r.name},
                               {"ours_us", r.ours_us},
                               {"peer", r.peer},
                               {"peer_us", r.peer_us},
                               {"ratio", r.ratio},
                               {"required", r.required},
                               {"note", r.note}});
  }
  for (const bench::Floor& f : bench::floors(sizes, sizes.max_classes)) {
    out["computed"].push_back({{"device", f.device},
                               {"bytes_per_second", f.bandwidth},
                               {"predict_us", f.predict_us},
                               {"teach_us", f.teach_us}});
  }
  return out;
}

void print_text(const std::vector<bench::Result>& results, const EnsembleSettings& sizes) {
  std::vector<std::vector<std::string>> rows{
      {"measured here", "us", "peer us", "ratio", "required", "compared with"}};
  for (const bench::Result& r : results) {
    const bool peer = r.peer_us > 0.0;
    rows.push_back({r.name, fixed(r.ours_us, 1), peer ? fixed(r.peer_us, 1) : "",
                    peer ? fixed(r.ratio, 2) : "", r.required > 0.0 ? fixed(r.required, 2) : "",
                    r.peer});
  }
  print_table(rows);
  std::printf("\n");
  for (const bench::Result& r : results) {
    if (!r.note.empty()) std::printf("%s: %s\n", r.name.c_str(), r.note.c_str());
  }
  const bench::StepBytes bytes = bench::step_bytes(sizes, sizes.max_classes);
  std::printf(
      "\nComputed, not measured: %u dimensions, %u classes: an answer moves %s, a lesson %s.\n",
      sizes.dimensions, sizes.max_classes, human_bytes(bytes.predict).c_str(),
      human_bytes(bytes.teach).c_str());
  rows = {{"device", "GB/s", "answer, us at least", "lesson, us at least"}};
  for (const bench::Floor& f : bench::floors(sizes, sizes.max_classes)) {
    rows.push_back(
        {f.device, fixed(f.bandwidth / 1e9, 1), fixed(f.predict_us, 1), fixed(f.teach_us, 1)});
  }
  print_table(rows);
}

}  // namespace

void add_bench_command(CLI::App& program) {
  auto options = std::make_shared<BenchCommandOptions>();
  CLI::App* command = program.add_subcommand(
      "bench", "Measure the learner's speed against this machine's limits, and compute a Jetson's");
  command->add_option("what", options->only, "memory, batch, profiles, encoders, floors or all")
      ->check(CLI::IsMember({"memory", "batch", "profiles", "encoders", "floors", "all"}))
      ->capture_default_str();
  command
      ->add_option("--repetitions", options->bench.repetitions,
                   "Interleaved repetitions; medians are shown")
      ->check(CLI::Range(3, 100000))
      ->capture_default_str();
  command->add_option("--threads", options->bench.threads, "Threads for batches; 0: one a core")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON");
  command->footer("Example: jackdaw bench profiles --json");
  command->callback([options] {
    std::vector<bench::Result> results;
    const auto wanted = [&](const char* name) {
      return options->only == "all" || options->only == name;
    };
    const auto run = [&](const char* name, auto* function) {
      if (!wanted(name)) return;
      const auto more = function(options->bench);
      results.insert(results.end(), more.begin(), more.end());
    };
    run("memory", bench::memory_bench);
    run("batch", bench::batch_bench);
    run("profiles", bench::profile_bench);
    run("encoders", bench::encoder_bench);
    const EnsembleSettings sizes;  // what the floors are computed for
    if (options->json) {
      std::printf("%s\n", to_json(results, sizes).dump(2).c_str());
    } else {
      print_text(results, sizes);
    }
  });
}

}  // namespace jackdaw::app
