// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A JSON object that came with a request, read field by field. Whatever is wrong is thrown as one
// sentence that names the field.
//
//   BodyFields body(text);                         // an object, no field twice, at most 4 levels
//   deep const auto id = body.whole("class", 1, 4294967295); const double seconds =
//   body.number("seconds", 0.0, 60.0); body.done();                                   // a field
//   that nobody asked for is wrong, too

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jackdaw::live {

struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BodyFields {
 public:
  static constexpr int kDeepest = 4;

  explicit BodyFields(std::string_view text);
  ~BodyFields();
  BodyFields(const BodyFields&) = delete;
  BodyFields& operator=(const BodyFields&) = delete;

  bool has(const char* key);
  std::string name(const char* key);  // of a class: what Label takes
  std::uint64_t whole(const char* key, std::uint64_t least, std::uint64_t most);
  double number(const char* key, double least, double most);
  void done() const;

 private:
  const nlohmann::json& at(const char* key);

  std::unique_ptr<const nlohmann::json> object_;
  std::set<std::string> asked_;
};

}  // namespace jackdaw::live
