// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/shared_frames.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

constexpr std::size_t kHeaderBytes = 65536;  // a page, also where pages are large
constexpr std::size_t kSlotBytes = (kMostFrameBytes + 65535) / 65536 * 65536;
constexpr std::size_t kPixelBytes = kFrameSlots * kSlotBytes;

struct Header {
  std::atomic<std::uint32_t> mailbox{kMailboxSlot};
  SlotNotes notes[kFrameSlots];
};
static_assert(sizeof(Header) <= 4096);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "it is shared with a process");

[[noreturn]] void fail(const char* what) {
  throw StateError(std::string("memory for frames cannot be ") + what + ": " +
                   std::generic_category().message(errno));
}

}  // namespace

SharedFrames::SharedFrames(state::Descriptor file, bool writer) : file_(std::move(file)) {
  void* header = ::mmap(nullptr, kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (header == MAP_FAILED) fail("mapped");
  header_ = static_cast<std::byte*>(header);
  const int access = writer ? PROT_READ | PROT_WRITE : PROT_READ;
  void* pixels = ::mmap(nullptr, kPixelBytes, access, MAP_SHARED | MAP_NORESERVE, file_.get(),
                        static_cast<off_t>(kHeaderBytes));
  if (pixels == MAP_FAILED) {
    ::munmap(header_, kHeaderBytes);
    fail("mapped");
  }
  pixels_ = static_cast<std::byte*>(pixels);
}

SharedFrames SharedFrames::make() {
  state::Descriptor file(::memfd_create("jackdaw-frames", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) fail("made");
  // Pages come to be when they are written to: a small camera takes little of it.
  if (::ftruncate(file.get(), static_cast<off_t>(kHeaderBytes + kPixelBytes)) != 0) fail("made");
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail("sealed");
  }
  SharedFrames memory(std::move(file), false);
  ::new (memory.header_) Header;
  return memory;
}

SharedFrames SharedFrames::of_descriptor(int descriptor) {
  state::Descriptor file(descriptor);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail("opened");
  if (status.st_size != static_cast<off_t>(kHeaderBytes + kPixelBytes)) {
    throw StateError("memory for frames has another size than expected");
  }
  return {std::move(file), true};
}

SharedFrames::SharedFrames(SharedFrames&& other) noexcept
    : file_(std::move(other.file_)),
      header_(std::exchange(other.header_, nullptr)),
      pixels_(std::exchange(other.pixels_, nullptr)) {}

SharedFrames::~SharedFrames() {
  if (header_ != nullptr) ::munmap(header_, kHeaderBytes);
  if (pixels_ != nullptr) ::munmap(pixels_, kPixelBytes);
}

std::atomic<std::uint32_t>& SharedFrames::mailbox() noexcept {
  return reinterpret_cast<Header*>(header_)->mailbox;
}

SlotNotes& SharedFrames::notes(std::uint32_t slot) noexcept {
  return reinterpret_cast<Header*>(header_)->notes[slot];
}

const std::byte* SharedFrames::pixels(std::uint32_t slot) const noexcept {
  return pixels_ + slot * kSlotBytes;
}

std::byte* SharedFrames::writable_pixels(std::uint32_t slot) noexcept {
  return pixels_ + slot * kSlotBytes;
}

}  // namespace jackdaw::live
