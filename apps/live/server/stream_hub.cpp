// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/stream_hub.hpp"

#include "live/steady_clock.hpp"

namespace jackdaw::live {

StreamHub::Member* StreamHub::join(Stream::Kind kind, MHD_Connection* connection,
                                   ConnectionTable::Entry* entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_ || members_.size() >= most_) return nullptr;
  Member& member = members_.emplace_back(kind, connection, entry);
  member.self = std::prev(members_.end());
  member.fed_at = steady_seconds();
  member.stream.offer(Stream::Slot::kHello,
                      kind == Stream::Kind::kEvents ? event_hello() : picture_hello());
  return &member;
}

ssize_t StreamHub::read(Member& member, char* buffer, std::size_t most) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return MHD_CONTENT_READER_END_OF_STREAM;
  const std::size_t count = member.stream.take(buffer, most);
  if (count == 0) {
    // Under our mutex: nobody can wake the connection before it sleeps.
    table_.busy(member.entry, ConnectionTable::kNever);
    member.asleep = true;
    ::MHD_suspend_connection(member.connection);
    return 0;
  }
  table_.busy(member.entry, steady_seconds() + progress_seconds_);
  return static_cast<ssize_t>(count);
}

void StreamHub::leave(Member& member) {
  const std::lock_guard<std::mutex> lock(mutex_);
  members_.erase(member.self);
}

StreamHub::Audience StreamHub::audience() const {
  Audience out;
  const double now = steady_seconds();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Member& member : members_) {
    if (member.stream.kind() == Stream::Kind::kEvents) {
      ++out.events;
      out.fresh_events = out.fresh_events || member.fresh;
    } else {
      ++out.pictures;
      out.fresh_pictures = out.fresh_pictures || member.fresh;
      out.hungry_pictures = out.hungry_pictures || hungry(member, now);
    }
  }
  return out;
}

Stream::Kind StreamHub::kind_of(Stream::Slot slot) {
  return slot == Stream::Slot::kPicture ? Stream::Kind::kPictures : Stream::Kind::kEvents;
}

bool StreamHub::hungry(const Member& member, double now) const {
  return now - member.fed_at >= heartbeat_seconds_;
}

void StreamHub::feed(Member& member, Stream::Slot slot, const Bytes& bytes) {
  member.stream.offer(slot, bytes);
  member.fed_at = steady_seconds();
  if (!member.asleep) return;
  member.asleep = false;
  table_.busy(member.entry, member.fed_at + progress_seconds_);
  ::MHD_resume_connection(member.connection);
}

void StreamHub::greet_events(const Bytes& state, const Bytes& moment) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return;
  for (Member& member : members_) {
    if (!member.fresh || member.stream.kind() != Stream::Kind::kEvents) continue;
    member.fresh = false;
    member.stream.offer(Stream::Slot::kMoment, moment);
    feed(member, Stream::Slot::kState, state);
  }
}

void StreamHub::greet_pictures(const Bytes& picture) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return;
  for (Member& member : members_) {
    if (!member.fresh || member.stream.kind() != Stream::Kind::kPictures) continue;
    member.fresh = false;
    feed(member, Stream::Slot::kPicture, picture);
  }
}

void StreamHub::publish(Stream::Slot slot, const Bytes& bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return;
  for (Member& member : members_) {
    if (member.stream.kind() == kind_of(slot) && !member.fresh) feed(member, slot, bytes);
  }
}

void StreamHub::send_heartbeats() {
  const double now = steady_seconds();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_) return;
  for (Member& member : members_) {
    const bool events = member.stream.kind() == Stream::Kind::kEvents;
    if (events && hungry(member, now)) feed(member, Stream::Slot::kHello, event_heartbeat());
  }
}

void StreamHub::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = true;
  for (Member& member : members_) {
    if (!member.asleep) continue;
    member.asleep = false;
    ::MHD_resume_connection(member.connection);
  }
}

}  // namespace jackdaw::live
