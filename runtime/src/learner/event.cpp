// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "learner/event.hpp"

#include <algorithm>
#include <string>

#include "jackdaw/error.hpp"
#include "state/bytes.hpp"

namespace jackdaw {
namespace {

bool has_example(EventKind kind) {
  return kind == EventKind::kTeach || kind == EventKind::kUnteach || kind == EventKind::kMove;
}

void write_label(state::ByteWriter& writer, const Label& label) {
  const std::string_view text = label.text();
  writer.u8(static_cast<std::uint8_t>(text.size()));
  writer.bytes({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

Label read_label(state::ByteReader& reader) {
  char text[UINT8_MAX];
  const std::size_t size = reader.u8();
  reader.bytes({reinterpret_cast<std::byte*>(text), size});
  return reader.ok() ? Label({text, size}) : Label();
}

}  // namespace

std::size_t most_event_bytes(std::size_t example_bytes, std::size_t sums_bytes) noexcept {
  return 16 + std::max({example_bytes, sums_bytes, Label::kMostBytes + 1});
}

std::size_t encode(const Event& event, Span<std::byte> out) noexcept {
  state::ByteWriter writer(out);
  writer.u32(event.slot);
  if (event.kind == EventKind::kUnteach || event.kind == EventKind::kMove) writer.u64(event.taught);
  if (event.kind == EventKind::kMove) writer.u32(event.target);
  if (event.kind == EventKind::kOpen) writer.u64(event.uid);
  if (event.kind == EventKind::kClose) writer.u32(static_cast<std::uint32_t>(event.count));
  if (event.kind == EventKind::kOpen || event.kind == EventKind::kRename) {
    write_label(writer, event.label);
  }
  if (has_example(event.kind)) writer.bytes(event.example);
  if (event.kind == EventKind::kClose) writer.bytes(event.sums);
  return writer.written();
}

Event decode(std::uint8_t kind, Span<const std::byte> payload, std::size_t example_bytes,
             std::size_t sums_bytes) {
  Event event;
  event.kind = static_cast<EventKind>(kind);
  state::ByteReader reader(payload);
  event.slot = reader.u32();
  std::size_t rest = 0;
  switch (event.kind) {
    case EventKind::kTeach:
      rest = example_bytes;
      break;
    case EventKind::kUnteach:
      event.taught = reader.u64();
      rest = example_bytes;
      break;
    case EventKind::kMove:
      event.taught = reader.u64();
      event.target = reader.u32();
      rest = example_bytes;
      break;
    case EventKind::kOpen:
      event.uid = reader.u64();
      event.label = read_label(reader);
      break;
    case EventKind::kClose:
      event.count = static_cast<std::int32_t>(reader.u32());
      rest = sums_bytes;
      break;
    case EventKind::kRename:
      event.label = read_label(reader);
      break;
    case EventKind::kTakenOver:
      break;
    default:
      throw StateError("the journal holds a record of kind " + std::to_string(kind) +
                       ", which this version does not know; use a newer one");
  }
  const bool named = event.kind == EventKind::kOpen || event.kind == EventKind::kRename;
  if (!reader.ok() || payload.size() - reader.position() != rest ||
      (named && event.label.empty()) || event.count < 0) {
    throw StateError("a journal record of kind " + std::to_string(kind) + " makes no sense");
  }
  (has_example(event.kind) ? event.example : event.sums) = payload.subspan(reader.position(), rest);
  return event;
}

}  // namespace jackdaw
