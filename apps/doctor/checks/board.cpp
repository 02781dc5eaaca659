// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which board and which JetPack.
#include <sys/utsname.h>

#include "device/identity.hpp"
#include "doctor/check.hpp"

namespace jackdaw::doctor {
namespace {

std::string architecture() {
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

std::string with_commas(std::initializer_list<std::string> parts) {
  std::string out;
  for (const std::string& part : parts) {
    if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
  }
  return out;
}

}  // namespace

Finding check_board(const DoctorOptions& options) {
  const device::Identity id = device::read_identity(options.root);
  const std::string jetpack = id.jetpack();
  const std::string l4t = id.l4t ? id.l4t->text() : "";
  const nlohmann::json facts{{"model", id.model},
                             {"jetson", id.jetson()},
                             {"jetpack", jetpack},
                             {"l4t", l4t},
                             {"system", id.system},
                             {"kernel", id.kernel},
                             {"architecture", architecture()}};
  const std::string rest =
      with_commas({id.system, id.kernel.empty() ? "" : "kernel " + id.kernel, architecture()});
  if (!id.jetson()) {
    return ok(with_commas({id.model.empty() ? "not a Jetson" : id.model, rest}), facts);
  }
  const std::string model = id.model.empty() ? "a Jetson" : id.model;
  if (!id.l4t) {
    return warning(with_commas({model, "no JetPack found", rest}),
                   "neither /etc/nv_tegra_release nor the package nvidia-l4t-core tells the "
                   "release; flash the board with JetPack 5.1 or later, or in a container ignore "
                   "this",
                   facts);
  }
  if (jetpack.rfind('4', 0) == 0) {
    return failed(
        with_commas({model, "JetPack 4 (L4T " + l4t + ")", rest}),
        "its TensorRT is too old for Jackdaw; JetPack 5.1 or later is needed, which Nano, "
        "TX1 and TX2 do not get",
        facts);
  }
  if (jetpack.find('.') == std::string::npos) {
    return warning(with_commas({model, "L4T " + l4t, rest}),
                   "this release of Jetson Linux is not one that Jackdaw " +
                       std::string(jetpack.empty() ? "knows" : "knows by name") +
                       "; if something below fails, say so in an issue",
                   facts);
  }
  return ok(with_commas({model, "JetPack " + jetpack + " (L4T " + l4t + ")", rest}), facts);
}

}  // namespace jackdaw::doctor
