// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What device this is: the board's name, and which JetPack it runs.
//
//   const Identity identity = read_identity("/");
//   if (identity.l4t) show(identity.model, identity.jetpack(), identity.l4t->text());
//
// What is not there is left empty; nothing throws for it.

#include <optional>
#include <string>

namespace jackdaw::device {

// Jetson Linux, as in R36.4.3.
struct L4tVersion {
  int release = 0, revision = 0, patch = 0;

  std::string text() const;  // 36.4.3
};

struct Identity {
  std::string model;              // of the device tree; empty: no board, a PC
  std::optional<L4tVersion> l4t;  // /etc/nv_tegra_release, or the package nvidia-l4t-core
  std::string system;             // "Ubuntu 22.04.5 LTS"
  std::string kernel;             // "5.15.148-tegra"

  bool jetson() const { return l4t.has_value() || model.find("Jetson") != std::string::npos; }
  // "6.2"; only "6" where the release is one that this program does not know; empty: no JetPack.
  std::string jetpack() const;
};

// `root`: the folder in which proc/, etc/ and var/ are found.
Identity read_identity(const std::string& root);

}  // namespace jackdaw::device
