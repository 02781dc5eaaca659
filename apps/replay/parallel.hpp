// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Independent jobs over some threads. Which thread does which job changes nothing.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace jackdaw::replay {

// Calls job(0) .. job(jobs - 1), each once; a job may look at `stop`, which is true once another
// has thrown. The first exception is thrown again when all threads have ended. after_each: may be
// empty.
void in_parallel(std::size_t jobs, std::uint32_t threads,
                 const std::function<void(std::size_t job, const std::atomic<bool>& stop)>& job,
                 const std::function<void()>& after_each);

}  // namespace jackdaw::replay
