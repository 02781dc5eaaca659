// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Jackdaw learns new object classes on the device, one at a time, without forgetting the old ones,
// in memory that is fixed when it starts.
//
//   #include <jackdaw/jackdaw.hpp>
//
//   jackdaw::LearnerSettings settings;
//   settings.ensemble.dimensions = 256;           // what your encoder gives
//   settings.ensemble.max_classes = 100;
//   settings.folder = "state";                    // learned things survive power loss
//   jackdaw::Learner learner(settings);           // may throw jackdaw::Error; the frame path does
//   not
//
//   if (learner.teach(embedding, "mug") != jackdaw::Status::kOk) { ... }
//
//   jackdaw::Answer answer = learner.make_answer();
//   if (learner.predict(embedding, answer) == jackdaw::Status::kOk && !answer.unknown) {
//     show(answer.best().label.text(), answer.best().confidence);
//   }

#include "jackdaw/device_embedding.hpp"
#include "jackdaw/ensemble.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/head.hpp"
#include "jackdaw/label.hpp"
#include "jackdaw/learner.hpp"
#include "jackdaw/log.hpp"
#include "jackdaw/memory_plan.hpp"
#include "jackdaw/settings.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"
