// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "device/identity.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "device/system_files.hpp"

namespace jackdaw::device {
namespace {

namespace fs = std::filesystem;

// "# R36 (release), REVISION: 4.3, GCID: ..."
std::optional<L4tVersion> from_release_file(const fs::path& root) {
  const auto line = first_line(root / "etc/nv_tegra_release");
  L4tVersion version;
  if (!line || std::sscanf(line->c_str(), "# R%d (%*[^)]), REVISION: %d.%d", &version.release,
                           &version.revision, &version.patch) < 2) {
    return std::nullopt;
  }
  return version;
}

// "Version: 36.4.3-20250107174145" in the paragraph of nvidia-l4t-core, if it is installed.
std::optional<L4tVersion> from_packages(const fs::path& root) {
  std::ifstream in(root / "var/lib/dpkg/status");
  bool here = false, installed = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) here = installed = false;
    if (line == "Package: nvidia-l4t-core") here = true;
    if (line == "Status: install ok installed" || line == "Status: hold ok installed") {
      installed = true;
    }
    L4tVersion version;
    if (here && installed &&
        std::sscanf(line.c_str(), "Version: %d.%d.%d", &version.release, &version.revision,
                    &version.patch) >= 2) {
      return version;
    }
  }
  return std::nullopt;
}

// "PRETTY_NAME="Ubuntu 22.04.5 LTS"
std::string system_name(const fs::path& root) {
  std::ifstream in(root / "etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::string name = line.substr(key.size(), kLongestLine);
    while (!name.empty() && name.front() == '"') name.erase(0, 1);
    while (!name.empty() && name.back() == '"') name.pop_back();
    return name;
  }
  return {};
}

struct KnownRelease {
  L4tVersion l4t;
  const char* jetpack;
};

constexpr KnownRelease kReleases[] = {
    {{35, 2, 1}, "5.1"},   {{35, 3, 1}, "5.1.1"}, {{35, 4, 1}, "5.1.2"}, {{35, 5, 0}, "5.1.3"},
    {{35, 6, 0}, "5.1.4"}, {{35, 6, 1}, "5.1.5"}, {{35, 6, 4}, "5.1.6"}, {{36, 3, 0}, "6.0"},
    {{36, 4, 0}, "6.1"},   {{36, 4, 3}, "6.2"},   {{36, 4, 4}, "6.2.1"}, {{36, 4, 7}, "6.2.1"},
    {{36, 5, 0}, "6.2.2"}, {{38, 2, 0}, "7.0"},   {{38, 2, 1}, "7.0"},   {{38, 4, 0}, "7.1"},
    {{39, 2, 0}, "7.2"}};

const char* jetpack_major(int release) {
  switch (release) {
    case 32:
      return "4";
    case 34:
    case 35:
      return "5";
    case 36:
      return "6";
    case 38:
    case 39:
      return "7";
    default:
      return "";
  }
}

}  // namespace

std::string L4tVersion::text() const {
  return std::to_string(release) + "." + std::to_string(revision) + "." + std::to_string(patch);
}

std::string Identity::jetpack() const {
  if (!l4t) return {};
  for (const KnownRelease& known : kReleases) {
    if (known.l4t.text() == l4t->text()) return known.jetpack;
  }
  return jetpack_major(l4t->release);
}

Identity read_identity(const std::string& root_text) {
  const fs::path root(root_text);
  Identity out;
  std::ifstream model(root / "proc/device-tree/model");
  std::getline(model, out.model, '\0');
  while (!out.model.empty() && out.model.back() == '\n') out.model.pop_back();
  out.model = out.model.substr(0, kLongestLine);
  out.l4t = from_release_file(root);
  if (!out.l4t) out.l4t = from_packages(root);
  out.system = system_name(root);
  out.kernel = first_line(root / "proc/sys/kernel/osrelease").value_or("");
  return out;
}

}  // namespace jackdaw::device
