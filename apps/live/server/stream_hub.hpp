// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All streams: who is there, what each is to be sent, and which connections sleep until there is
// something. The event thread reads, the pump publishes; neither waits for a client.
//
//   auto* member = hub.join(Stream::Kind::kEvents, connection, entry);   // nullptr: no more are
//   taken hub.read(*member, buffer, size);      // from the content reader; may put the connection
//   to sleep hub.publish(Stream::Slot::kMoment, bytes);                           // wakes who
//   waits for it hub.leave(*member); hub.stop();                           // wakes all for good;
//   before the daemon is stopped

#include <microhttpd.h>

#include <cstddef>
#include <list>
#include <mutex>

#include "live/server/connection_table.hpp"
#include "live/server/stream.hpp"

namespace jackdaw::live {

class StreamHub {
 public:
  struct Member {
    Member(Stream::Kind kind, MHD_Connection* c, ConnectionTable::Entry* e)
        : stream(kind), connection(c), entry(e) {}
    Stream stream;
    MHD_Connection* connection;
    ConnectionTable::Entry* entry;
    bool fresh = true;    // was not sent a first state or picture yet
    bool asleep = false;  // suspended
    double fed_at = 0.0;
    std::list<Member>::iterator self;
  };
  struct Audience {
    std::size_t events = 0, pictures = 0;
    bool fresh_events = false, fresh_pictures = false;  // somebody has just come
    bool hungry_pictures = false;                       // somebody was sent none for a heartbeat
  };

  StreamHub(ConnectionTable& table, std::size_t most, double progress_seconds,
            double heartbeat_seconds)
      : table_(table),
        most_(most),
        progress_seconds_(progress_seconds),
        heartbeat_seconds_(heartbeat_seconds) {}

  Member* join(Stream::Kind kind, MHD_Connection* connection, ConnectionTable::Entry* entry);
  ssize_t read(Member& member, char* buffer, std::size_t most);
  void leave(Member& member);

  Audience audience() const;
  // To those who have just come, once.
  void greet_events(const Bytes& state, const Bytes& moment);
  void greet_pictures(const Bytes& picture);
  // To every client of the slot's kind.
  void publish(Stream::Slot slot, const Bytes& bytes);
  // To who heard nothing for long: a sign of life, by which the dead are found.
  void send_heartbeats();
  void stop();

 private:
  static Stream::Kind kind_of(Stream::Slot slot);
  bool hungry(const Member& member, double now) const;
  void feed(Member& member, Stream::Slot slot, const Bytes& bytes);

  ConnectionTable& table_;
  const std::size_t most_;
  const double progress_seconds_, heartbeat_seconds_;
  mutable std::mutex mutex_;
  std::list<Member> members_;
  bool stopping_ = false;
};

}  // namespace jackdaw::live
