// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes out of a text what does not belong into an issue: home folders become ~, the names of host
// and user, network addresses and what a URI carries become a word in brackets.
//
//   const Redaction redaction = Redaction::of_this_machine();
//   redaction.clean("cannot read /home/ada/x of 192.168.1.7")  ->  "cannot read ~/x of (address)"

#include <nlohmann/json.hpp>
#include <string>

namespace jackdaw::doctor {

class Redaction {
 public:
  // Any may be empty. user is taken out where it is a part of a path or of an address, because it
  // may be an ordinary word; host wherever it is a word.
  Redaction(std::string home, std::string user, std::string host);
  static Redaction of_this_machine();

  std::string clean(std::string text) const;
  void clean(nlohmann::json& data) const;  // every text in it, however deep

 private:
  std::string home_, user_, host_;
};

}  // namespace jackdaw::doctor
