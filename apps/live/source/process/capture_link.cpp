// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/capture_link.hpp"

#include <cstdlib>
#include <limits>
#include <map>
#include <sstream>

#include "jackdaw/error.hpp"

namespace jackdaw::live {

// One "name value" a line; parse_source_uri() lets no line end into an address.
std::string to_text(const CaptureRequest& request) {
  std::ostringstream out;
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "kind " << static_cast<int>(request.uri.kind) << "\nlocation " << request.uri.location
      << "\nshown " << request.uri.shown << "\nwidth " << request.options.width << "\nheight "
      << request.options.height << "\nrate " << request.options.rate << "\nflip "
      << request.options.flip << "\nloop " << request.options.loop << "\n";
  for (const auto& [name, value] : request.uri.choices)
    out << "choice:" << name << " " << value << "\n";
  return out.str();
}

CaptureRequest request_from(const std::string& text) {
  std::map<std::string, std::string> fields;
  CaptureRequest request;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) throw SettingsError("a capture request that cannot be read");
    const std::string name = line.substr(0, space), value = line.substr(space + 1);
    if (name.compare(0, 7, "choice:") == 0) {
      request.uri.choices[name.substr(7)] = value;
    } else {
      fields[name] = value;
    }
  }
  request.uri.kind = static_cast<SourceKind>(std::atoi(fields["kind"].c_str()));
  request.uri.location = fields["location"];
  request.uri.shown = fields["shown"];
  request.options.width =
      static_cast<std::uint32_t>(std::strtoul(fields["width"].c_str(), nullptr, 10));
  request.options.height =
      static_cast<std::uint32_t>(std::strtoul(fields["height"].c_str(), nullptr, 10));
  request.options.rate = std::strtod(fields["rate"].c_str(), nullptr);
  request.options.flip = fields["flip"];
  request.options.loop = std::atoi(fields["loop"].c_str());
  check_options(request.options);
  return request;
}

}  // namespace jackdaw::live
