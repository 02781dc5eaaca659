// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/connection_table.hpp"

#include <sys/socket.h>

#include "live/steady_clock.hpp"

namespace jackdaw::live {

// The event thread sees the end of the connection and closes it; until then the descriptor is ours,
// because closed() comes before close().
void ConnectionTable::cut(Entry& entry) {
  ::shutdown(entry.fd, SHUT_RDWR);
  entry.cut = true;
}

// Of one address, or of all. Whoever is cut no longer counts.
bool ConnectionTable::make_room(const ClientAddress* who, std::size_t most) {
  std::size_t count = 0;
  Entry* oldest = nullptr;
  for (Entry& entry : entries_) {
    if (entry.cut || (who != nullptr && entry.who.key != who->key)) continue;
    ++count;
    if (entry.waiting && (oldest == nullptr || entry.since < oldest->since)) oldest = &entry;
  }
  if (count < most) return true;
  if (oldest == nullptr) return false;
  cut(*oldest);
  return true;
}

bool ConnectionTable::admit(const ClientAddress& who) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return make_room(&who, who.loopback ? limits_.of_loopback : limits_.of_one) &&
         make_room(nullptr, limits_.all);
}

ConnectionTable::Entry* ConnectionTable::opened(int fd, const ClientAddress& who) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = entries_.emplace_back();
  entry.self = std::prev(entries_.end());
  entry.fd = fd;
  entry.who = who;
  entry.since = steady_seconds();
  entry.deadline = entry.since + limits_.request_seconds;
  return &entry;
}

void ConnectionTable::closed(Entry* entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entries_.erase(entry->self);
}

void ConnectionTable::waiting(Entry* entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entry->waiting = true;
  entry->since = steady_seconds();
  entry->deadline = entry->since + limits_.request_seconds;
}

void ConnectionTable::busy(Entry* entry, double deadline) {
  const std::lock_guard<std::mutex> lock(mutex_);
  entry->waiting = false;
  entry->deadline = deadline;
}

void ConnectionTable::sweep() {
  const double now = steady_seconds();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Entry& entry : entries_) {
    if (!entry.cut && now > entry.deadline) cut(entry);
  }
}

std::size_t ConnectionTable::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}

}  // namespace jackdaw::live
