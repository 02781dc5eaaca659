// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that the program shares with the process that captures: three slots for frames, and a
// mailbox that holds the number of one of them. The writer has a slot to write into, the reader one
// to read from, and the third lies in the mailbox; each side gives and takes by exchanging its slot
// for the mailbox's. So neither waits for the other, the newest frame is always the one in the
// mailbox, and a frame that is being read is not written to.
//
//   SharedFrames memory = SharedFrames::make();              // the reader's side
//   SharedFrames memory = SharedFrames::of_descriptor(4);    // the writer's
//
// The reader believes nothing that it finds there: numbers of slots, sizes and times are checked by
// who takes them. It maps the pixels for reading only, and the memory's size is sealed, so that the
// other side cannot cut it off below the reader.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "jackdaw/span.hpp"
#include "state/descriptor.hpp"

namespace jackdaw::live {

constexpr std::uint32_t kFrameSlots = 3;
constexpr std::size_t kMostFrameBytes = std::size_t{8192} * 4320 * 3;
constexpr std::uint32_t kFreshMark = 4;  // in the mailbox, beside a slot's number: not yet taken
constexpr std::uint32_t kReaderSlot = 0, kMailboxSlot = 1, kWriterSlot = 2;  // at the start

struct SlotNotes {
  std::uint32_t width = 0, height = 0;  // pixels
  std::uint64_t number = 0;             // from 1
  double captured_at = 0.0;             // seconds, steady clock
};

class SharedFrames {
 public:
  static SharedFrames make();                         // throws StateError
  static SharedFrames of_descriptor(int descriptor);  // likewise; takes it over
  SharedFrames(SharedFrames&& other) noexcept;
  SharedFrames& operator=(SharedFrames&&) = delete;
  ~SharedFrames();

  int descriptor() const noexcept { return file_.get(); }
  std::atomic<std::uint32_t>& mailbox() noexcept;
  SlotNotes& notes(std::uint32_t slot) noexcept;               // slot < kFrameSlots
  const std::byte* pixels(std::uint32_t slot) const noexcept;  // kMostFrameBytes
  std::byte* writable_pixels(std::uint32_t slot) noexcept;     // of_descriptor() only

 private:
  SharedFrames(state::Descriptor file, bool writer);
  state::Descriptor file_;
  std::byte* header_ = nullptr;  // one page
  std::byte* pixels_ = nullptr;
};

}  // namespace jackdaw::live
