// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/file_names.hpp"

namespace jackdaw::state {
namespace {

constexpr std::size_t kDigits = 16;

std::string digits(std::uint64_t generation) {
  std::string text(kDigits, '0');
  for (std::size_t i = kDigits; i-- > 0; generation >>= 4U) {
    text[i] = "0123456789abcdef"[generation & 0xFU];
  }
  return text;
}

}  // namespace

std::string journal_name(std::uint64_t generation) { return digits(generation) + ".journal"; }
std::string snapshot_name(std::uint64_t generation) { return digits(generation) + ".snapshot"; }
std::string partial_name(std::uint64_t generation) {
  return snapshot_name(generation) + ".partial";
}
std::string broken_name(const std::string& name) { return name + ".broken"; }

bool parse_name(const std::string& name, FileName& out) {
  if (name.size() <= kDigits) return false;
  std::uint64_t generation = 0;
  for (std::size_t i = 0; i < kDigits; ++i) {
    const char c = name[i];
    if (c >= '0' && c <= '9') {
      generation = generation << 4U | static_cast<std::uint64_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      generation = generation << 4U | static_cast<std::uint64_t>(c - 'a' + 10);
    } else {
      return false;
    }
  }
  if (generation == 0 || generation > kMostGeneration) return false;
  const std::string ending = name.substr(kDigits);
  if (ending == ".journal") {
    out = {FileKind::kJournal, generation};
  } else if (ending == ".snapshot") {
    out = {FileKind::kSnapshot, generation};
  } else if (ending == ".snapshot.partial") {
    out = {FileKind::kPartial, generation};
  } else if (ending == ".journal.broken" || ending == ".snapshot.broken") {
    out = {FileKind::kBroken, generation};
  } else {
    return false;
  }
  return true;
}

std::string join(const std::string& folder, const std::string& name) {
  return !folder.empty() && folder.back() == '/' ? folder + name : folder + "/" + name;
}

}  // namespace jackdaw::state
