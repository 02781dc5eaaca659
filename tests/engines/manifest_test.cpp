// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/manifest.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engines/says.hpp"
#include "engines/tiny_encoder.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

using nlohmann::json;

const std::string kHash(64, 'a');

json example() {
  return json::parse(R"({
    "jackdaw_encoder": 1, "name": "mobile-1", "description": "…", "licence": "MIT",
    "source": {"package": "x", "deep": [1, {"y": null}]},
    "graph": {"file": "m.onnx", "sha256": "", "half_file": "m.fp16.onnx", "half_sha256": "",
              "input": "image", "output": "embedding"},
    "input": {"width": 128, "height": 96, "channels": 3, "colour": "rgb", "resize": "stretch",
              "mean": [0.485, 0.456, 0.406], "deviation": [0.229, 0.224, 0.225]},
    "output": {"size": 2048}, "max_batch": 48,
    "calibration": {"pictures": "cifar100/train", "count": 20000, "dimensions": 256,
                    "shrinkage": 0.3, "encoder_sha256": ""}})")
      .patch(json::array(
          {{{"op", "replace"}, {"path", "/graph/sha256"}, {"value", kHash}},
           {{"op", "replace"}, {"path", "/graph/half_sha256"}, {"value", kHash}},
           {{"op", "replace"}, {"path", "/calibration/encoder_sha256"}, {"value", kHash}}}));
}

Manifest parse(const json& all) { return parse_manifest(all.dump(), "a/manifest.json"); }

std::string refusal_of(const std::string& text) {
  try {
    (void)parse_manifest(text, "a/manifest.json");
  } catch (const ManifestError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::string& path) {
  try {
    (void)read_manifest(path);
  } catch (const ManifestError& error) {
    return error.what();
  }
  return "";
}

// "/input/width" as errors call it: "input.width"
std::string field_name(std::string path) {
  path.erase(0, 1);
  for (char& c : path) c = c == '/' ? '.' : c;
  return path;
}

const std::vector<std::string> kFields{"/jackdaw_encoder",
                                       "/name",
                                       "/description",
                                       "/licence",
                                       "/source",
                                       "/graph",
                                       "/graph/file",
                                       "/graph/sha256",
                                       "/graph/half_file",
                                       "/graph/half_sha256",
                                       "/graph/input",
                                       "/graph/output",
                                       "/input",
                                       "/input/width",
                                       "/input/height",
                                       "/input/channels",
                                       "/input/colour",
                                       "/input/resize",
                                       "/input/mean",
                                       "/input/deviation",
                                       "/output",
                                       "/output/size",
                                       "/max_batch",
                                       "/calibration",
                                       "/calibration/count",
                                       "/calibration/pictures",
                                       "/calibration/dimensions",
                                       "/calibration/shrinkage",
                                       "/calibration/encoder_sha256"};

TEST_CASE("the example is read as it is written") {
  const Manifest m = parse(example());
  CHECK(m.name == "mobile-1");
  CHECK(m.description == "…");
  CHECK(m.licence == "MIT");
  CHECK(m.graph_file == "m.onnx");
  CHECK(m.graph_sha256 == kHash);
  CHECK(m.half_file == "m.fp16.onnx");
  CHECK(m.input_name == "image");
  CHECK(m.output_name == "embedding");
  CHECK(m.width == 128);
  CHECK(m.height == 96);
  CHECK(m.channels == 3);
  CHECK(m.colour == ColourOrder::kRgb);
  CHECK(m.mean == std::vector<float>{0.485F, 0.456F, 0.406F});
  CHECK(m.deviation == std::vector<float>{0.229F, 0.224F, 0.225F});
  CHECK(m.output_size == 2048);
  CHECK(m.max_batch == 48);
  REQUIRE(m.calibration);
  CHECK(m.calibration->pictures == "cifar100/train");
  CHECK(m.calibration->count == 20000);
  CHECK(m.calibration->dimensions == 256);
  CHECK(m.calibration->shrinkage == 0.3);
}

TEST_CASE("what may differ, may differ") {
  json all = example();
  all["calibration"] = nullptr;
  all["graph"]["half_file"] = all["graph"]["half_sha256"] = nullptr;
  all["graph"]["sha256"] = std::string(64, 'A');
  all["source"] = json::object();
  all["input"]["colour"] = "grey";
  all["input"]["channels"] = 1;
  all["input"]["mean"] = {0};
  all["input"]["deviation"] = {1};
  all["input"]["width"] = 1;
  all["input"]["height"] = 4096;
  all["output"]["size"] = 8192;
  all["max_batch"] = 1024;
  const Manifest m = parse(all);
  CHECK(!m.calibration);
  CHECK(m.half_file.empty());
  CHECK(m.graph_sha256 == kHash);
  CHECK(m.colour == ColourOrder::kGrey);
  all = example();
  all["input"]["colour"] = "bgr";
  CHECK(parse(all).colour == ColourOrder::kBgr);
}

TEST_CASE("an encoder that looks twice is another encoder") {
  json all = example();
  const Manifest once = parse(all);
  CHECK(once.views == 1);
  all["input"]["views"] = 2;
  const Manifest twice = parse(all);
  CHECK(twice.views == 2);
  CHECK(encoder_hash(twice) != encoder_hash(once));
  CHECK(parse_manifest(write_manifest(twice, "{}"), "written").views == 2);
  all["input"]["views"] = 3;
  CHECK(says(refusal_of(all.dump()), "input.views"));
}

TEST_CASE("a graph that takes bytes has no mean and deviation, and another hash") {
  json all = example();
  all["calibration"] = nullptr;
  Manifest floats = parse(all);
  all["input"]["layout"] = "float planes";
  CHECK(encoder_hash(parse(all)) == encoder_hash(floats));
  all["input"]["layout"] = "byte pixels";
  CHECK(says(refusal_of(all.dump()), "input.deviation"));
  all["input"].erase("mean");
  all["input"].erase("deviation");
  all["graph"]["changeable"] = false;
  const Manifest bytes = parse(all);
  CHECK(bytes.layout == InputLayout::kBytePixels);
  CHECK_FALSE(bytes.changeable);
  const Manifest again = parse_manifest(write_manifest(bytes, "{}"), "written");
  CHECK(again.layout == InputLayout::kBytePixels);
  CHECK_FALSE(again.changeable);
  CHECK(encoder_hash(again) == encoder_hash(bytes));
  floats.mean = bytes.mean;
  floats.deviation = bytes.deviation;
  CHECK(encoder_hash(floats) != encoder_hash(bytes));
  all["graph"]["changeable"] = 1;
  CHECK(says(refusal_of(all.dump()), "graph.changeable"));
  all["graph"].erase("changeable");
  all["input"]["layout"] = "something";
  CHECK(says(refusal_of(all.dump()), "input.layout"));
}

TEST_CASE("a field that is missing, or of a kind it is never of, is named") {
  for (const std::string& path : kFields) {
    CAPTURE(path);
    json all = example();
    const json::json_pointer at(path);
    all.at(at.parent_pointer()).erase(at.back());
    CHECK(says(refusal_of(all.dump()), "a/manifest.json: " + field_name(path) + " is missing"));
    for (const json& wrong : {json(true), json(-1), json("\x01"), json(json::array({"a"}))}) {
      const bool text_field = path == "/description" || path == "/licence" ||
                              path == "/graph/input" || path == "/graph/output" ||
                              path == "/calibration/pictures";
      if (wrong == "\x01" && text_field) continue;
      all = example();
      all[at] = wrong;
      CAPTURE(wrong.dump());
      CHECK(says(refusal_of(all.dump()), "a/manifest.json: " + field_name(path)));
    }
  }
}

TEST_CASE("a field that nobody knows is named, at every level") {
  for (const char* path :
       {"/widht", "/graph/widht", "/input/widht", "/output/widht", "/calibration/widht"}) {
    json all = example();
    all[json::json_pointer(path)] = 1;
    CHECK(says(refusal_of(all.dump()), field_name(path) + " is not a field"));
  }
}

TEST_CASE("a value out of its range is named with its value and the range") {
  struct Mutation {
    const char* path;
    json value;
    std::string text;
  };
  const std::string number = "it must be a whole number from 1 to ";
  const std::vector<Mutation> mutations{
      {"/jackdaw_encoder", 2, "jackdaw_encoder is 2"},
      {"/jackdaw_encoder", "1", "jackdaw_encoder is \"1\""},
      {"/input/width", "128", "input.width is \"128\"; " + number + "4096"},
      {"/input/width", 0, "input.width is 0; " + number + "4096"},
      {"/input/height", 4097, "input.height is 4097; " + number + "4096"},
      {"/input/height", 12.5, "input.height is 12.5; " + number + "4096"},
      {"/input/height", 1e300, "input.height is 1e+300"},
      {"/input/width", 4294967297, "input.width is 4294967297"},
      {"/input/channels", 1, "input.channels must be 3, because input.colour is \"rgb\""},
      {"/input/channels", 4, "input.channels is 4"},
      {"/input/colour", "grey", "input.channels must be 1"},
      {"/input/colour", "hsv", "it must be \"rgb\" or \"bgr\" or \"grey\""},
      {"/input/resize", "crop", "it must be \"stretch\""},
      {"/input/mean", {0.5}, "input.mean has 1 numbers; it must have one for each of the 3"},
      {"/input/mean", {0, 0, 0, 0}, "input.mean has 4 numbers"},
      {"/input/mean/1", "0.5", "input.mean[1] is \"0.5\""},
      {"/input/mean/1", 1e300, "input.mean[1] is 1e+300"},
      {"/input/mean/2", nullptr, "input.mean[2] is null"},
      {"/input/deviation/0", 0, "input.deviation[0] is 0"},
      {"/input/deviation/0", -0.5, "input.deviation[0] is -0.5"},
      {"/input/deviation/2", 1e-60, "input.deviation[2] is 1e-60"},
      {"/output/size", 0, "output.size is 0; " + number + "8192"},
      {"/output/size", 8193, "output.size is 8193; " + number + "8192"},
      {"/max_batch", 0, "max_batch is 0; " + number + "1024"},
      {"/max_batch", 1025, "max_batch is 1025; " + number + "1024"},
      {"/name", "", "name is \"\""},
      {"/name", "a/b", "name is \"a/b\""},
      {"/licence", "", "licence is \"\"; it must be text that is not empty"},
      {"/graph/file", "../m.onnx", "graph.file is \"../m.onnx\""},
      {"/graph/file", "/etc/passwd", "graph.file is \"/etc/passwd\""},
      {"/graph/file", "a\\b", "graph.file is"},
      {"/graph/file", "..", "graph.file is \"..\""},
      {"/graph/file", ".", "graph.file is \".\""},
      {"/graph/half_file", "x/y", "graph.half_file is \"x/y\""},
      {"/graph/half_file", nullptr, "graph.half_file is null, but the other"},
      {"/graph/half_sha256", nullptr, "graph.half_sha256 is null, but the other"},
      {"/graph/sha256", "abc", "it must be a SHA-256 of 64 hex digits"},
      {"/graph/sha256", std::string(63, 'a') + "g", "graph.sha256 is"},
      {"/graph/input", "", "graph.input is \"\""},
      {"/calibration/count", 0, "calibration.count is 0"},
      {"/calibration/shrinkage", 1.5,
       "calibration.shrinkage is 1.5; it must be a number from 0 to 1"},
      {"/calibration/dimensions", 9000, "calibration.dimensions is 9000"},
  };
  for (const Mutation& mutation : mutations) {
    json all = example();
    all[json::json_pointer(mutation.path)] = mutation.value;
    CAPTURE(mutation.path);
    CHECK(says(refusal_of(all.dump()), "a/manifest.json: "));
    CHECK(says(refusal_of(all.dump()), mutation.text));
  }
}

TEST_CASE("what is not JSON, or means two things, or is absurdly deep is refused") {
  CHECK(says(refusal_of(""), "a/manifest.json: it is not JSON"));
  CHECK(says(refusal_of("[]"), "a/manifest.json: it is a list; it must be an object"));
  CHECK(says(refusal_of("{\"name\": \"\xFF\"}"), "it is not JSON"));
  CHECK(says(refusal_of(R"({"name": "a", "name": "b"})"), "the field \"name\" is there twice"));
  CHECK(says(refusal_of(std::string(100000, '[')), "nested more than 64 deep"));
  CHECK(says(refusal_of("{\"source\": " + std::string(100000, '[')), "nested more than 64 deep"));
  const std::string text = example().dump();
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(refusal_of(text.substr(0, size)) != "");
  }
}

TEST_CASE("what is written is read back, number for number") {
  const Manifest m = parse(example());
  const std::string text = write_manifest(m, R"({"package": "x", "deep": [1, {"y": null}]})");
  CHECK(json::parse(text) == example());
  CHECK(says(text, "0.485,"));
  Manifest grey = m;
  grey.colour = ColourOrder::kGrey;
  grey.channels = 1;
  grey.mean = {0.1F};
  grey.deviation = {1.0F / 3.0F};
  grey.half_file = grey.half_sha256 = "";
  grey.calibration.reset();
  const Manifest again = parse_manifest(write_manifest(grey, "{}"), "again");
  CHECK(again.mean == grey.mean);
  CHECK(again.deviation == grey.deviation);
  CHECK(again.half_file.empty());
  CHECK(encoder_hash(again) == encoder_hash(grey));

  CHECK_THROWS_AS((void)write_manifest(m, "[]"), ManifestError);
  CHECK_THROWS_AS((void)write_manifest(m, "{"), ManifestError);
  Manifest bad = m;
  bad.mean = {0.0F};
  CHECK_THROWS_AS((void)write_manifest(bad, "{}"), ManifestError);
  bad = m;
  bad.description = "\xFF";
  CHECK_THROWS_AS((void)write_manifest(bad, "{}"), ManifestError);
}

TEST_CASE("the hash of an encoder holds what decides the meaning of an embedding, and only that") {
  const TemporaryFolder folder;
  TinyEncoder tiny;
  const std::string hash = encoder_hash(read_manifest(tiny.write(folder.path("a"))));
  CHECK(hash.size() == 64);
  CHECK(encoder_hash(read_manifest(tiny.write(folder.path("b")))) == hash);
  Manifest same = tiny.manifest;
  same.name = same.description = same.licence = "other";
  same.max_batch = 1;
  same.half_file = "h.onnx";
  CHECK(encoder_hash(same) == hash);
  const auto differs = [&](auto&& change) {
    Manifest m = tiny.manifest;
    change(m);
    CHECK(encoder_hash(m) != hash);
  };
  differs([](Manifest& m) { m.graph_sha256 = kHash; });
  differs([](Manifest& m) { m.mean[1] += 1e-7F; });
  differs([](Manifest& m) { m.deviation[0] = 0.25F; });
  differs([](Manifest& m) { m.colour = ColourOrder::kBgr; });
  differs([](Manifest& m) { std::swap(m.width, m.height); });
  differs([](Manifest& m) { m.output_name = "other"; });
  // State on disk is bound to it: this is how it was in the first release.
  Manifest fixed = parse(example());
  CHECK(encoder_hash(fixed) == "ff2b88bf09fc5c3218cf1a878ab3ff6f349a912a9ba67671f4bc166a3ec620f3");
}

TEST_CASE("the files that it names must be there and be the right ones") {
  const TemporaryFolder folder;
  TinyEncoder tiny;
  const std::string path = tiny.write(folder.path("a"));
  const Manifest m = read_manifest(path);
  CHECK(m.folder == folder.path("a"));
  CHECK(m.graph_path() == folder.path("a/tiny.onnx"));

  write_whole_file(m.graph_path(), "something else");
  CHECK(says(refusal(path), "tiny.onnx: its SHA-256 is "));
  CHECK(says(refusal(path), m.graph_sha256));
  std::filesystem::remove(m.graph_path());
  CHECK(says(refusal(path), "graph.file names " + m.graph_path() + ", which is not there"));
  std::filesystem::create_directory(m.graph_path());
  CHECK(says(refusal(path), "which is not there"));

  tiny.manifest.half_file = "tiny.fp16.onnx";
  tiny.manifest.half_sha256 = sha256_hex("half");
  const std::string other = tiny.write(folder.path("b"));
  CHECK(says(refusal(other), "graph.half_file names"));
  write_whole_file(folder.path("b/tiny.fp16.onnx"), "half");
  CHECK(read_manifest(other).half_path() == folder.path("b/tiny.fp16.onnx"));
  write_whole_file(folder.path("b/tiny.fp16.onnx"), "halF");
  CHECK(says(refusal(other), "tiny.fp16.onnx: its SHA-256 is"));

  CHECK(says(refusal(folder.path("none.json")), "none.json"));
  CHECK(says(refusal(folder.path("a")), "is not a file"));
  write_whole_file(folder.path("long.json"), std::string(2000000, ' '));
  CHECK(says(refusal(folder.path("long.json")), "1048576"));
}

}  // namespace
}  // namespace jackdaw::testing
