// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that can be counted or measured, in the text format of Prometheus.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "device/sensors.hpp"
#include "live/control.hpp"

namespace jackdaw::live {

// Requests by the status they were answered with. From any thread.
class RequestCounts {
 public:
  void count(unsigned status);
  std::map<unsigned, std::uint64_t> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<unsigned, std::uint64_t> by_status_;
};

struct ServerNumbers {
  std::size_t connections = 0, event_streams = 0, picture_streams = 0;
  std::map<unsigned, std::uint64_t> requests;
};

std::string metrics_text(const State& state, const Moment& moment, const ServerNumbers& server,
                         const device::DeviceSensors& device);

}  // namespace jackdaw::live
