// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One built engine in one file. An engine is executable code, so a file is only given out if this
// user wrote it, nobody else could, and not a bit of it has changed since.
//
//   store_engine(path, key_text, plan);                          // throws EngineFileError
//   std::vector<std::byte> plan = load_engine(path, key_text);   // the same
//
// Layout, integers little-endian: magic (8 bytes), format version (u32), bytes of the key (u32),
// bytes of the plan (u64), SHA-256 over those 24 bytes, the key and the plan (32 bytes), the key
// (text), the plan. Timing caches are kept in the same way, under a key of their own.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/span.hpp"
#include "state/file_system.hpp"

namespace jackdaw::trt {

enum class EngineFault : std::uint8_t {
  kMissing,           // there is none; build it
  kNotAFile,          // a symbolic link, a folder, a device
  kForeignOwner,      // another user's
  kWritableByOthers,  // the group or everybody may write it
  kNotAnEngine,       // something else altogether
  kOtherVersion,      // of another version of the format
  kTorn,              // shorter or longer than it says
  kChanged,           // the checksum does not hold
  kOtherKey,          // whole, but built from or for something else
  kCannotRead,
  kCannotWrite,
};

// One sentence: the file, what is wrong with it, what to do.
struct EngineFileError : EncoderError {
  EngineFileError(EngineFault which, const std::string& text) : EncoderError(text), fault(which) {}
  EngineFault fault;
};

constexpr std::uint32_t kEngineFileVersion = 1;

// Readable and writable by this user only, and there in whole or not at all, whatever happens
// meanwhile; of several that are written at once, one wins. Makes the last folder of the path.
void store_engine(const std::string& path, const std::string& key, Span<const std::byte> plan);
void store_engine(const std::string& path, const std::string& key, Span<const std::byte> plan,
                  state::FileSystem& files);

// The very bytes that were checked: the file is read once. `user`: who must own it.
std::vector<std::byte> load_engine(const std::string& path, const std::string& key);
std::vector<std::byte> load_engine(const std::string& path, const std::string& key, uid_t user);

// Removes what writers that were killed left in the folder more than a day ago; says how many.
std::size_t remove_leftovers(const std::string& folder) noexcept;

}  // namespace jackdaw::trt
