// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/stream.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace jackdaw::live {
namespace {

constexpr int kRetryMilliseconds = 2000;

Bytes shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

}  // namespace

void Stream::offer(Slot slot, Bytes bytes) {
  waiting_[static_cast<std::size_t>(slot)] = std::move(bytes);
}

std::size_t Stream::take(char* buffer, std::size_t most) {
  std::size_t count = 0;
  while (count < most) {
    if (!sending_) {
      const auto next = std::find_if(waiting_.begin(), waiting_.end(),
                                     [](const Bytes& bytes) { return bytes != nullptr; });
      if (next == waiting_.end()) break;
      sending_ = std::exchange(*next, nullptr);
      sent_ = 0;
    }
    const std::size_t part = std::min(most - count, sending_->size() - sent_);
    std::memcpy(buffer + count, sending_->data() + sent_, part);
    count += part;
    sent_ += part;
    if (sent_ == sending_->size()) sending_ = nullptr;
  }
  return count;
}

bool Stream::empty() const {
  return !sending_ && std::none_of(waiting_.begin(), waiting_.end(),
                                   [](const Bytes& bytes) { return bytes != nullptr; });
}

Bytes event_bytes(std::uint64_t number, const char* name, const std::string& data) {
  return shared("id: " + std::to_string(number) + "\nevent: " + name + "\ndata: " + data + "\n\n");
}

Bytes event_hello() { return shared("retry: " + std::to_string(kRetryMilliseconds) + "\n\n"); }

Bytes event_heartbeat() { return shared(": still here\n\n"); }

Bytes picture_hello() { return shared("--jackdaw-frame\r\n"); }

Bytes picture_part(const std::string& jpeg) {
  std::string part =
      "Content-Type: image/jpeg\r\nContent-Length: " + std::to_string(jpeg.size()) + "\r\n\r\n";
  part.reserve(part.size() + jpeg.size() + 32);
  part += jpeg;
  part += "\r\n--jackdaw-frame\r\n";
  return shared(std::move(part));
}

}  // namespace jackdaw::live
