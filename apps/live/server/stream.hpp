// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One client that is sent events or moving pictures for as long as it stays. It holds what is being
// sent and at most the newest of each kind to come, however slowly it reads; what comes in between
// is never sent. Bytes are shared among all clients.
//
//   stream.offer(Stream::Slot::kMoment, event);         // replaces a moment that was not yet begun
//   const std::size_t count = stream.take(buffer, size);
//
// Guarded by the hub's mutex.

#include <array>
#include <cstddef>
#include <cstdint>

#include "live/control.hpp"

namespace jackdaw::live {

class Stream {
 public:
  enum class Kind : std::uint8_t { kEvents, kPictures };
  enum class Slot : std::uint8_t { kHello, kState, kMoment, kPicture };  // sent in this order

  explicit Stream(Kind kind) : kind_(kind) {}
  Kind kind() const { return kind_; }

  void offer(Slot slot, Bytes bytes);
  // Copies at most `most` bytes of what is next and says how many; 0: nothing is to be sent.
  std::size_t take(char* buffer, std::size_t most);
  bool empty() const;

 private:
  Kind kind_;
  Bytes sending_;
  std::size_t sent_ = 0;
  std::array<Bytes, 4> waiting_;
};

// Server-sent events: one event with its number, name and data in one line; a comment.
Bytes event_bytes(std::uint64_t number, const char* name, const std::string& data);
Bytes event_hello();
Bytes event_heartbeat();

// multipart/x-mixed-replace: the first boundary; then each picture with the boundary behind it, so
// that a browser knows at once that it is whole.
inline constexpr const char* kPictureStreamType =
    "multipart/x-mixed-replace; boundary=jackdaw-frame";
Bytes picture_hello();
Bytes picture_part(const std::string& jpeg);

}  // namespace jackdaw::live
