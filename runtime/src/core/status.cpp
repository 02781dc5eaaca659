// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/status.hpp"

namespace jackdaw {

const char* describe(Status status) noexcept {
  switch (status) {
    case Status::kOk:
      return "done";
    case Status::kWrongSize:
      return "the input is not of the size that the settings give";
    case Status::kNotFinite:
      return "the embedding holds NaN or infinity; nothing was changed";
    case Status::kZeroEmbedding:
      return "the embedding is all zeros; nothing was changed";
    case Status::kNoSuchClass:
      return "there is no class of that name";
    case Status::kNoClassFree:
      return "every class slot is in use; forget a class or plan for more";
    case Status::kBadLabel:
      return "the label is empty, too long, not UTF-8 or already in use";
    case Status::kNoSimilarity:
      return "no key is similar to this embedding; use a smaller k";
    case Status::kNothingToUndo:
      return "there is no such example left in the undo ring";
    case Status::kCountersFull:
      return "the statistics cannot count another example; nothing was changed";
    case Status::kDeviceFailed:
      return "the GPU reported an error; continue on the CPU";
    case Status::kBadFrame:
      return "the frame has no pixels, or its sizes contradict each other";
    case Status::kEncoderFailed:
      return "the encoder reported an error; the log says which";
    case Status::kJournalBehind:
      return "the disk cannot keep up; nothing was taught, try again";
  }
  return "unknown status";
}

}  // namespace jackdaw
