// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every open connection, and until when it may stay as it is. A head that does not end, a body that
// stops coming and a reply that nobody reads are ended by their deadline, however many bytes
// trickle; a newcomer at the limit takes the place of whoever has waited longest without a whole
// request.
//
//   if (!table.admit(who)) close(fd);
//   ConnectionTable::Entry* entry = table.opened(fd, who);
//   table.waiting(entry);                     // for a request
//   table.busy(entry, now + 30.0);            // it is there; what follows must be over by then
//   table.sweep();                            // now and then, from any thread
//   table.closed(entry);                      // before the descriptor is closed

#include <cstddef>
#include <limits>
#include <list>
#include <mutex>
#include <string>

#include "live/server/address.hpp"

namespace jackdaw::live {

class ConnectionTable {
 public:
  struct Limits {
    std::size_t all = 64, of_one = 16, of_loopback = 48;
    double request_seconds = 10.0;
  };
  struct Entry {
    int fd = -1;
    ClientAddress who;
    double since = 0.0;     // waits for a request since then
    double deadline = 0.0;  // steady seconds
    bool waiting = true;
    bool cut = false;  // shut down by us; will be closed soon
    std::list<Entry>::iterator self;
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit ConnectionTable(const Limits& limits) : limits_(limits) {}

  bool admit(const ClientAddress& who);
  Entry* opened(int fd, const ClientAddress& who);
  void closed(Entry* entry);

  void waiting(Entry* entry);
  void busy(Entry* entry, double deadline);

  void sweep();
  std::size_t size() const;

 private:
  void cut(Entry& entry);
  bool make_room(const ClientAddress* who, std::size_t most);

  Limits limits_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // in the order they came
};

}  // namespace jackdaw::live
