// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The cameras of this machine, best first: those on USB that can capture, then a CSI camera where
// the parts of the system that read one are there.
//
//   const auto cameras = list_cameras();
//   options.uri = cameras.empty() ? "demo://" : cameras.front().uri;

#include <string>
#include <vector>

namespace jackdaw::live {

struct FoundCamera {
  std::string uri;   // for open_source()
  std::string name;  // for people
};

std::vector<FoundCamera> list_cameras();

// The same, with the system's folders below another root; for tests.
std::vector<FoundCamera> list_cameras(const std::string& root);

}  // namespace jackdaw::live
