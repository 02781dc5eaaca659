// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <charconv>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/sha256.hpp"
#include "manifest/json_fields.hpp"

namespace jackdaw {
namespace {

using json = nlohmann::ordered_json;

const char* name_of(ColourOrder colour) {
  switch (colour) {
    case ColourOrder::kRgb:
      return "rgb";
    case ColourOrder::kBgr:
      return "bgr";
    case ColourOrder::kGrey:
      break;
  }
  return "grey";
}

// The double whose shortest text is the float's: 0.485 is written as 0.485.
double as_written(float value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  double number = 0.0;
  std::from_chars(text, end.ptr, number);
  return number;
}

json as_written(const std::vector<float>& values) {
  json list = json::array();
  for (const float value : values) list.push_back(as_written(value));
  return list;
}

json or_null(const std::string& text) { return text.empty() ? json() : json(text); }

std::string bits(const std::vector<float>& values) {
  std::string text;
  for (const float value : values) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    char hex[10];
    std::snprintf(hex, sizeof hex, " %08x", word);
    text += hex;
  }
  return text;
}

}  // namespace

std::string write_manifest(const Manifest& m, const std::string& source_json) {
  const std::string origin = "the manifest of " + m.name;
  (void)parse_strictly(source_json, origin + ", source");
  json calibration;
  if (m.calibration) {
    calibration = {{"pictures", m.calibration->pictures},
                   {"count", m.calibration->count},
                   {"dimensions", m.calibration->dimensions},
                   {"shrinkage", m.calibration->shrinkage},
                   {"encoder_sha256", m.calibration->encoder_sha256}};
  }
  json graph{{"file", m.graph_file},
             {"sha256", m.graph_sha256},
             {"half_file", or_null(m.half_file)},
             {"half_sha256", or_null(m.half_sha256)},
             {"input", m.input_name},
             {"output", m.output_name}};
  if (!m.changeable) graph["changeable"] = false;
  json input{{"width", m.width},
             {"height", m.height},
             {"channels", m.channels},
             {"colour", name_of(m.colour)},
             {"resize", "stretch"}};
  if (m.views != 1) input["views"] = m.views;
  if (m.layout == InputLayout::kBytePixels) {
    input["layout"] = "byte pixels";
  } else {
    input["mean"] = as_written(m.mean);
    input["deviation"] = as_written(m.deviation);
  }
  json all{{"jackdaw_encoder", 1},
           {"name", m.name},
           {"description", m.description},
           {"licence", m.licence},
           {"source", json::parse(source_json)},
           {"graph", graph},
           {"input", input},
           {"output", {{"size", m.output_size}}},
           {"max_batch", m.max_batch},
           {"calibration", calibration}};
  std::string text;
  try {
    text = all.dump(2) + "\n";
  } catch (const json::exception& error) {
    throw ManifestError(origin + " cannot be written: " + error.what());
  }
  (void)parse_manifest(text, origin);  // nothing is written that would not be read
  return text;
}

std::string encoder_hash(const Manifest& m) {
  // Not in it: names for people, the half-precision copy of the same graph, and how many pictures
  // go through at once. The text is part of the format of learned state: never change it.
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return sha256_hex("jackdaw encoder 1\ngraph " + m.graph_sha256 + "\nfrom " + m.input_name +
                    "\nto " + m.output_name + "\nsize " + number(m.width) + " " + number(m.height) +
                    " " + number(m.channels) + "\ncolour " + name_of(m.colour) +
                    "\nresize stretch\nmean" + bits(m.mean) + "\ndeviation" + bits(m.deviation) +
                    "\noutput " + number(m.output_size) +
                    (m.layout == InputLayout::kBytePixels ? "\nlayout byte pixels\n" : "\n") +
                    (m.views != 1 ? "views " + number(m.views) + "\n" : ""));
}

}  // namespace jackdaw
