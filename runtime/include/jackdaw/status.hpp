// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a call on the frame path answers. Nothing on that path throws or allocates.
//
//   if (Status s = learner.teach(embedding, "mug"); s != Status::kOk) log(describe(s));

#include <cstdint>

namespace jackdaw {

enum class [[nodiscard]] Status : std::uint8_t{
    kOk = 0,
    kWrongSize,      // a span is not of the size that the settings give
    kNotFinite,      // the embedding holds NaN or infinity; nothing was changed
    kZeroEmbedding,  // the embedding has no direction; nothing was changed
    kNoSuchClass,    // the label or slot is not in use
    kNoClassFree,    // every slot is in use; forget a class or start with more
    kBadLabel,       // empty, too long, not UTF-8, or already in use
    kNoSimilarity,   // profile seed: the chosen similarities do not sum to more than 0
    kNothingToUndo,  // the undo ring holds no such example
    kCountersFull,   // the statistics cannot count another example; nothing was changed
    kDeviceFailed,   // the GPU reported an error; the caller should fall back to the CPU
    kBadFrame,       // a frame has no pixels, or its sizes contradict each other
    kEncoderFailed,  // the encoder reported an error; the log says which
    kJournalBehind,  // the disk cannot keep up; the example was not taught, try again
};

// One sentence in plain words; static storage.
const char* describe(Status status) noexcept;

}  // namespace jackdaw
