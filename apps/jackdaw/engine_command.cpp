// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw engine`: encoders and what becomes of them.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "jackdaw/commands.hpp"
#include "jackdaw/engine_commands.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/format.hpp"

namespace jackdaw::app {
namespace {

std::string input_of(const Manifest& m) {
  const char* colour = m.colour == ColourOrder::kGrey  ? "grey"
                       : m.colour == ColourOrder::kRgb ? "RGB"
                                                       : "BGR";
  return std::to_string(m.width) + "x" + std::to_string(m.height) + " " + colour;
}

nlohmann::json json_of(const Manifest& m) {
  nlohmann::json out{{"name", m.name},
                     {"description", m.description},
                     {"licence", m.licence},
                     {"folder", m.folder},
                     {"width", m.width},
                     {"height", m.height},
                     {"channels", m.channels},
                     {"output_size", m.output_size},
                     {"max_batch", m.max_batch},
                     {"graph_sha256", m.graph_sha256},
                     {"has_half", !m.half_file.empty()},
                     {"encoder_hash", encoder_hash(m)},
                     {"calibration", nullptr}};
  if (m.calibration) {
    out["calibration"] = {{"pictures", m.calibration->pictures},
                          {"count", m.calibration->count},
                          {"dimensions", m.calibration->dimensions},
                          {"shrinkage", m.calibration->shrinkage}};
  }
  return out;
}

void list(bool as_json) {
  const std::vector<ListedEncoder> all = list_encoders();
  if (as_json) {
    nlohmann::json out = nlohmann::json::array();
    for (const ListedEncoder& e : all) {
      out.push_back(e.fault.empty() ? json_of(e.manifest)
                                    : nlohmann::json{{"name", e.name}, {"fault", e.fault}});
    }
    std::printf("%s\n", out.dump(2).c_str());
    return;
  }
  if (all.empty()) {
    std::printf("no encoders in %s; get one: jackdaw engine get efficientnet-lite0\n",
                cache_folder().c_str());
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {"encoder", "input", "output", "calibrated on", "licence"}};
  for (const ListedEncoder& e : all) {
    if (!e.fault.empty()) continue;
    rows.push_back({e.name, input_of(e.manifest), std::to_string(e.manifest.output_size),
                    e.manifest.calibration ? e.manifest.calibration->pictures : "-",
                    e.manifest.licence});
  }
  print_table(rows);
  for (const ListedEncoder& e : all) {
    if (!e.fault.empty()) std::printf("%s cannot be used: %s\n", e.name.c_str(), e.fault.c_str());
  }
}

void info(const std::string& name, bool as_json) {
  const Manifest m = find_encoder(name);
  if (as_json) {
    std::printf("%s\n", json_of(m).dump(2).c_str());
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {"encoder", m.name},
      {"what", m.description},
      {"licence", m.licence},
      {"folder", m.folder},
      {"input", input_of(m)},
      {"output", std::to_string(m.output_size) + " numbers"},
      {"batch", "up to " + std::to_string(m.max_batch)},
      {"graph", m.graph_file + ", SHA-256 " + m.graph_sha256}};
  if (!m.half_file.empty()) rows.push_back({"half", m.half_file + ", SHA-256 " + m.half_sha256});
  if (m.calibration) {
    rows.push_back({"calibrated", "to " + std::to_string(m.calibration->dimensions) +
                                      " dimensions on " + std::to_string(m.calibration->count) +
                                      " pictures: " + m.calibration->pictures});
  }
  rows.push_back({"identity", encoder_hash(m) + " (learned state is bound to it)"});
  for (const auto& row : rows) std::printf("%-10s  %s\n", row[0].c_str(), row[1].c_str());
}

}  // namespace

void add_engine_command(CLI::App& program) {
  CLI::App* engine = program.add_subcommand("engine", "Get, list, calibrate and build encoders");
  engine->require_subcommand(1);
  engine->footer("Example: jackdaw engine get efficientnet-lite0");

  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* listing = engine->add_subcommand("list", "The encoders that are ready to use");
  listing->add_flag("--json", options->json, "Print JSON");
  listing->footer("Example: jackdaw engine list");
  listing->callback([options] { list(options->json); });
  CLI::App* details = engine->add_subcommand("info", "Everything about one encoder");
  details->add_option("encoder", options->name, "Its name, or the path of its manifest")
      ->required();
  details->add_flag("--json", options->json, "Print JSON");
  details->footer("Example: jackdaw engine info efficientnet-lite0");
  details->callback([options] { info(options->name, options->json); });
  add_engine_get_command(*engine);
  add_engine_build_command(*engine);
  add_engine_calibrate_command(*engine);
}

}  // namespace jackdaw::app
