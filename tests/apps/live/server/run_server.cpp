// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The server over a session that learns nothing, for the scripts beside this file:
//
//   run_server [name=value ...]      prints "url URL" and "port N", ends with its standard input
//
// On its standard input it understands: pause, go, status lost MESSAGE, status running, count
// (prints how many pictures were made), stop.

#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "apps/live/server/fake_control.hpp"
#include "live/server/server.hpp"

namespace {

using jackdaw::live::ServerOptions;
using jackdaw::live::SourceStatus;

std::size_t picture_bytes = 40000;

void set(ServerOptions& options, const std::string& name, const std::string& value) {
  auto& limits = options.limits;
  const auto whole = [&](std::size_t& at) { at = std::stoul(value); };
  const auto real = [&](double& at) { at = std::stod(value); };
  const std::map<std::string, std::function<void()>> known = {
      {"address", [&] { options.address = value; }},
      {"port", [&] { options.port = std::stoi(value); }},
      {"token", [&] { options.token = value; }},
      {"page", [&] { options.page_folder = value; }},
      {"allow_host", [&] { options.allow_hosts.push_back(value); }},
      {"device_root", [&] { options.device_root = value; }},
      {"picture", [&] { whole(picture_bytes); }},
      {"connections", [&] { whole(limits.connections); }},
      {"loopback", [&] { whole(limits.connections_from_loopback); }},
      {"streams", [&] { whole(limits.streams); }},
      {"state_bytes", [&] { whole(limits.state_bytes); }},
      {"queued", [&] { whole(limits.queued_tasks); }},
      {"rate", [&] { real(limits.requests_per_second); }},
      {"burst", [&] { real(limits.request_burst); }},
      {"factor", [&] { real(limits.loopback_factor); }},
      {"request_seconds", [&] { real(limits.request_seconds); }},
      {"progress_seconds", [&] { real(limits.progress_seconds); }},
      {"heartbeat_seconds", [&] { real(limits.heartbeat_seconds); }},
      {"stale_seconds", [&] { real(limits.stale_seconds); }},
  };
  known.at(name)();
}

}  // namespace

int main(int argc, char** argv) try {
  ServerOptions options;
  options.port = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t equals = text.find('=');
    set(options, text.substr(0, equals), text.substr(equals + 1));
  }
  jackdaw::live::testing::FakeControl control(picture_bytes);
  const jackdaw::live::Server server(options, control);
  std::cout << "url " << server.url() << "\nport " << server.port() << std::endl;
  for (std::string line; std::getline(std::cin, line) && line != "stop";) {
    std::istringstream words(line);
    std::string first, status, message;
    words >> first >> status;
    std::getline(words >> std::ws, message);
    if (first == "pause" || first == "go") control.pause(first == "pause");
    if (first == "status") {
      control.set_status(status == "lost" ? SourceStatus::kLost : SourceStatus::kRunning, message);
    }
    if (first == "count") std::cout << "pictures " << control.pictures_made() << std::endl;
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
