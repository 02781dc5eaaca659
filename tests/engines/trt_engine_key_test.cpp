// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Every field of the key changes the text and the file's name, and none can pass for another.

#include "trt/engine_key.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace jackdaw::trt::test {
namespace {

EngineKey toy_key() {
  EngineKey key;
  key.encoder = "resnet50-sscd";
  key.onnx_sha256 = std::string(64, 'a');
  key.input_name = "image";
  key.output_name = "embedding";
  key.channels = 3;
  key.height = key.width = 224;
  key.output_size = 2048;
  key.batch = {1, 4, 8};
  key.workspace_bytes = 1U << 30U;
  key.tensorrt = "10.3.0";
  key.gpu = {"Orin", 8, 7, 16};
  return key;
}

}  // namespace

TEST_CASE("engine key: the name says what people want to know") {
  const std::string name = file_name(toy_key());
  CHECK(name.rfind("resnet50-sscd.fp16.b1-4-8.trt10.3.0.Orin-sm87.", 0) == 0);
  CHECK(name.substr(name.size() - 7) == ".engine");
  CHECK(timing_cache_file_name(toy_key()).rfind("trt10.3.0.Orin-sm87.", 0) == 0);
}

TEST_CASE("engine key: every field counts") {
  const std::vector<std::function<void(EngineKey&)>> changes = {
      [](EngineKey& k) { k.encoder += "x"; },
      [](EngineKey& k) { k.onnx_sha256[63] = 'b'; },
      [](EngineKey& k) { k.input_name = "x"; },
      [](EngineKey& k) { k.output_name = "x"; },
      [](EngineKey& k) { k.channels = 1; },
      [](EngineKey& k) { k.height = 128; },
      [](EngineKey& k) { k.width = 128; },
      [](EngineKey& k) { k.output_size = 512; },
      [](EngineKey& k) { k.precision = Precision::kFloat; },
      [](EngineKey& k) { k.batch.min = 2; },
      [](EngineKey& k) { k.batch.opt = 2; },
      [](EngineKey& k) { k.batch.max = 16; },
      [](EngineKey& k) { k.workspace_bytes = 0; },
      [](EngineKey& k) { k.tensorrt = "10.3.1"; },
      [](EngineKey& k) { k.gpu.name = "Thor"; },
      [](EngineKey& k) { k.gpu.sm_major = 11; },
      [](EngineKey& k) { k.gpu.sm_minor = 0; },
      [](EngineKey& k) { k.gpu.multiprocessors = 8; },
      [](EngineKey& k) { k.flags = "tf32"; },
  };
  std::set<std::string> texts{to_text(toy_key())}, names{file_name(toy_key())};
  for (const auto& change : changes) {
    EngineKey key = toy_key();
    change(key);
    CHECK(texts.insert(to_text(key)).second);
    CHECK(names.insert(file_name(key)).second);
  }
  CHECK(timing_cache_text(toy_key()) != to_text(toy_key()));
}

TEST_CASE("engine key: a value cannot pretend to be another field or another folder") {
  EngineKey key = toy_key();
  key.gpu.name = "Orin\nsm_major: 9";
  CHECK(to_text(key).find("\nsm_major: 9") == std::string::npos);
  key = toy_key();
  key.encoder = "../../etc/passwd";
  CHECK(file_name(key).find('/') == std::string::npos);
  CHECK(file_name(key)[0] != '.');
  key.encoder = std::string(1000, 'x');
  CHECK(file_name(key).size() < 200);
  EngineKey a = toy_key(), b = toy_key();
  a.gpu.name = "a\n";
  b.gpu.name = "a%0a";
  CHECK(to_text(a) != to_text(b));
}

}  // namespace jackdaw::trt::test
