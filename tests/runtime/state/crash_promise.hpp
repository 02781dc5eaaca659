// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What must hold after a power loss, checked on three disks that it could have left behind: nothing
// of what was not synced, all of it, and a mixture.
//
//   crash.stop_after(calls);
//   images += check_promise(crash, calls, expected);

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "crash_simulator.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {

// How many disks were looked at.
inline std::uint64_t check_promise(const CrashSimulator& crash, std::size_t calls,
                                   const Expected& expected) {
  std::uint64_t images = 0;
  for (const std::uint64_t set : {std::uint64_t{0}, ~std::uint64_t{0}, mix(calls)}) {
    SimulatedDisk image(crash.image([&](std::size_t i) { return (set >> (i % 64U) & 1U) != 0; }));
    Toy toy;
    CAPTURE(calls);
    const RecoveryReport report = StateFolder::read(image, "state", toy);
    REQUIRE_FALSE(report.damaged);
    REQUIRE(report.last_sequence >= crash.acknowledged());
    REQUIRE(toy == expected.after(report.last_sequence));
    ++images;
  }
  return images;
}

}  // namespace jackdaw::state::test
