// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/encoder_cache.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/says.hpp"
#include "engines/tiny_encoder.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

// Sets the three variables, nullptr for none, and puts them back.
class Variables {
 public:
  Variables(const char* cache, const char* xdg, const char* home) {
    set("JACKDAW_CACHE", cache);
    set("XDG_CACHE_HOME", xdg);
    set("HOME", home);
  }
  ~Variables() {
    for (const auto& [name, value] : before_) put(name, value ? value->c_str() : nullptr);
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  static void put(const char* name, const char* value) {
    if (value == nullptr) {
      ::unsetenv(name);
    } else {
      ::setenv(name, value, 1);
    }
  }
  void set(const char* name, const char* value) {
    const char* old = std::getenv(name);
    before_.emplace_back(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
    put(name, value);
  }

  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

std::string refusal(const std::string& name) {
  try {
    (void)find_encoder(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string cache_folder_with(const char* cache, const char* xdg, const char* home) {
  const Variables variables(cache, xdg, home);
  return cache_folder();
}

TEST_CASE("the cache is where the first of three variables says") {
  CHECK(cache_folder_with("/c", "/x", "/h") == "/c");
  CHECK(cache_folder_with("relative", "/x", "/h") == "relative");
  CHECK(cache_folder_with(nullptr, "/x", "/h") == "/x/jackdaw");
  CHECK(cache_folder_with("", "/x", "/h") == "/x/jackdaw");
  CHECK(cache_folder_with(nullptr, "", "/h") == "/h/.cache/jackdaw");
  CHECK(cache_folder_with(nullptr, "not/absolute", "/h") == "/h/.cache/jackdaw");
  CHECK_THROWS_WITH_AS(cache_folder_with(nullptr, nullptr, nullptr),
                       doctest::Contains("set JACKDAW_CACHE"), EncoderError);
}

TEST_CASE("an encoder is found by name, by folder and by manifest") {
  const TemporaryFolder folder;
  const Variables variables(folder.path("cache").c_str(), nullptr, nullptr);
  TinyEncoder tiny;
  const std::string manifest = tiny.write(folder.path("cache/encoders/tiny"));
  CHECK(find_encoder("tiny").folder == folder.path("cache/encoders/tiny"));
  CHECK(find_encoder(folder.path("cache/encoders/tiny")).name == "tiny");
  CHECK(find_encoder(folder.path("cache/encoders/tiny/")).graph_path() ==
        folder.path("cache/encoders/tiny/tiny.onnx"));
  CHECK(find_encoder(manifest).name == "tiny");
}

TEST_CASE("a name that is not there comes with the command that gets it") {
  const TemporaryFolder folder;
  const Variables variables(folder.path("cache").c_str(), nullptr, nullptr);
  CHECK(says(refusal("tiny"), "get it with: jackdaw engine get tiny"));
  CHECK(says(refusal(""), "name is empty"));
  CHECK(says(refusal(folder.path("none/manifest.json")), "none/manifest.json"));
  TinyEncoder().write(folder.path("cache/encoders/tiny"));
  CHECK(says(refusal("teeny"), "there are: tiny"));
  CHECK(says(refusal(".."), "manifest.json"));
}

TEST_CASE("the list is in order of names and says what is wrong with each") {
  const TemporaryFolder folder;
  const Variables variables(folder.path("cache").c_str(), nullptr, nullptr);
  CHECK(list_encoders().empty());
  TinyEncoder tiny;
  for (const char* name : {"c", "a", "b", ".half-done"}) {
    tiny.write(folder.path("cache/encoders/" + std::string(name)));
  }
  write_whole_file(folder.path("cache/encoders/b/manifest.json"), "{}");
  write_whole_file(folder.path("cache/encoders/c/tiny.onnx"), "");
  std::filesystem::create_directory(folder.path("cache/encoders/empty"));
  write_whole_file(folder.path("cache/encoders/file"), "");
  const std::vector<ListedEncoder> list = list_encoders();
  REQUIRE(list.size() == 3);
  CHECK(list[0].name == "a");
  CHECK(list[0].folder == folder.path("cache/encoders/a"));
  CHECK(list[0].fault == "");
  CHECK(list[0].manifest.name == "tiny");
  CHECK(list[1].name == "b");
  CHECK(says(list[1].fault, "jackdaw_encoder is missing"));
  CHECK(list[2].name == "c");
  CHECK(says(list[2].fault, "SHA-256"));
}

}  // namespace
}  // namespace jackdaw::testing
