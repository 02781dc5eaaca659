// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A JSON object read field by field, where every fault names the file and the field.
//
//   const json all = parse_strictly(text, "a/manifest.json");
//   Fields input(all.at("input"), "a/manifest.json", "input");
//   m.width = input.whole("width", 1, 4096);
//   input.done();      // a field that nobody asked for is a fault, too

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace jackdaw {

// Throws ManifestError also for what JSON allows and nobody means: a field twice, or nesting so
// deep that whoever walks it runs out of stack.
nlohmann::json parse_strictly(const std::string& text, const std::string& origin);

class Fields {
 public:
  // `path` is how errors call the object; "" is the whole file.
  Fields(const nlohmann::json& object, std::string origin, std::string path);

  Fields object(const char* key);
  bool has(const char* key) const;
  bool is_null(const char* key);  // counts as asked for
  std::string text(const char* key);
  std::string file_name(const char* key);  // in the manifest's own folder
  std::string sha256(const char* key);     // in lower case
  std::string one_of(const char* key, const std::vector<std::string>& names);
  bool truth(const char* key);
  std::uint64_t whole(const char* key, std::uint64_t least, std::uint64_t most);
  double number(const char* key, double least, double most);
  std::vector<float> numbers(const char* key, std::size_t count, float least, float most);
  void done() const;

  [[noreturn]] void fail(const std::string& key, const std::string& what) const;

 private:
  const nlohmann::json& at(const char* key);
  [[noreturn]] void refuse(const char* key, const nlohmann::json& value,
                           const std::string& must) const;

  const nlohmann::json& object_;
  std::string origin_, path_;
  std::set<std::string> asked_;
};

}  // namespace jackdaw
