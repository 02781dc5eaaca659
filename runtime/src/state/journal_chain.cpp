// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/journal_chain.hpp"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include "jackdaw/error.hpp"
#include "state/file_names.hpp"

namespace jackdaw::state {

JournalChain::JournalChain(FileSystem& files, std::string folder, const Hash256& identity)
    : files_(files), folder_(std::move(folder)), identity_(identity) {}

void JournalChain::refuse(const std::string& name, const std::string& what,
                          const std::string& next) const {
  throw StateError("the state file " + join(folder_, name) + " cannot be used: " + what + "; " +
                   next);
}

void JournalChain::refuse_identity(const std::string& name) const {
  refuse(name, "it belongs to another encoder or other settings",
         "start with those it was made with, or choose another folder");
}

void JournalChain::unreadable(std::uint64_t generation, IoError error) const {
  refuse(journal_name(generation), error.text(), "check the disk; nothing was changed");
}

std::unique_ptr<File> JournalChain::open(std::uint64_t generation) const {
  std::unique_ptr<File> file;
  const IoError error = files_.open(join(folder_, journal_name(generation)), file);
  if (error.code == ENOENT) throw Vanished{};
  if (error) unreadable(generation, error);
  return file;
}

void JournalChain::prove(const JournalReader& reader) noexcept {
  proven_ = std::max(proven_, reader.proven_durable());
  highest_ = std::max({highest_, reader.highest_seen(), reader.proven_durable()});
}

void JournalChain::read_headers(const std::vector<std::uint64_t>& generations) {
  for (const std::uint64_t generation : generations) {
    const std::string name = journal_name(generation);
    const std::unique_ptr<File> file = open(generation);
    const JournalReader reader(*file, generation);
    if (reader.error()) unreadable(generation, reader.error());
    if (reader.header_state() == HeaderState::kNewer) {
      refuse(name, "a newer version of this program wrote it",
             "update this program; nothing was changed");
    }
    prove(reader);
    if (reader.header_state() == HeaderState::kBroken) {
      headless_.push_back({name, reader.highest_seen()});
      continue;
    }
    if (reader.header().identity != identity_) refuse_identity(name);
    const SegmentRef ref{generation, reader.header().first_sequence};
    if (!segments_.empty() && ref.first_sequence < segments_.back().first_sequence) {
      refuse(name, "it begins before the segment that it follows",
             "restore the folder from a copy; nothing was changed");
    }
    segments_.push_back(ref);
  }
}

// Visits the records of a segment in (after, limit]; the number of the last one it could reach.
std::uint64_t JournalChain::walk(const Stretch& stretch, std::uint64_t after, const Visit& visit) {
  const std::uint64_t generation = segments_[stretch.segment].generation;
  const std::string name = journal_name(generation);
  const std::unique_ptr<File> file = open(generation);
  JournalReader reader(*file, generation);
  reader.start_at(after + 1);
  std::uint64_t last = after;
  for (JournalRecord record; reader.next(record);) {
    if (record.sequence <= after || record.sequence > stretch.limit) continue;
    last = record.sequence;
    visit(name, record);
  }
  if (reader.error()) unreadable(generation, reader.error());
  prove(reader);
  walked_durable_ = reader.known_durable();
  end_ = reader.end();
  return last;
}

std::uint64_t JournalChain::follow(std::uint64_t mark) {
  stretches_.clear();
  durable_ = mark;
  std::uint64_t reach = mark;
  bool whole = true;
  std::size_t begin = 0;
  while (begin + 1 < segments_.size() && segments_[begin + 1].first_sequence <= mark + 1) ++begin;
  for (std::size_t i = begin; i < segments_.size(); ++i) {
    const std::uint64_t limit = i + 1 == segments_.size()
                                    ? std::numeric_limits<std::uint64_t>::max()
                                    : segments_[i + 1].first_sequence - 1;
    whole = whole && segments_[i].first_sequence <= reach + 1;
    const std::uint64_t last =
        walk({i, limit}, reach, [](const std::string&, const JournalRecord&) {});
    if (!whole) continue;  // behind a gap; read all the same, for what it proves
    stretches_.push_back({i, limit});
    reach = last;
    durable_ = std::max(mark, walked_durable_);
  }
  return reach;
}

std::uint64_t JournalChain::replay(std::uint64_t mark, const Visit& visit) {
  for (const Stretch& stretch : stretches_) mark = walk(stretch, mark, visit);
  return mark;
}

}  // namespace jackdaw::state
