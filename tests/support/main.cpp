// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The main function of every test program, and the services that belong to the process: the seed,
// the collected log and the note of skipped cases.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "jackdaw/log.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"
#include "support/skip.hpp"

namespace jackdaw::testing {
namespace {

constexpr std::uint64_t kDefaultSeed = 20240607;

std::mutex log_guard;
std::vector<LogEntry> log_entries;
std::atomic<int> skips{0};

std::uint64_t seed_from_environment() {
  const char* text = std::getenv("JACKDAW_TEST_SEED");
  if (text == nullptr || *text == '\0') return kDefaultSeed;
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text, &end, 10);
  if (*end != '\0' || *text == '-' || errno != 0) {
    std::fprintf(stderr, "JACKDAW_TEST_SEED=%s is not a whole number from 0 to 2^64-1\n", text);
    std::exit(2);
  }
  return value;
}

}  // namespace

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    const std::uint64_t chosen = seed_from_environment();
    std::printf("seed: %llu\n", static_cast<unsigned long long>(chosen));
    std::fflush(stdout);
    return chosen;
  }();
  return value;
}

std::vector<LogEntry> take_log() {
  const std::lock_guard<std::mutex> lock(log_guard);
  return std::exchange(log_entries, {});
}

void skip(const std::string& reason) {
  ++skips;
  std::printf("skipped: %s\n", reason.c_str());
  std::fflush(stdout);
}

}  // namespace jackdaw::testing

int main(int argc, char** argv) {
  using namespace jackdaw::testing;
  jackdaw::set_log([](jackdaw::LogLevel level, const char* text) {
    const std::lock_guard<std::mutex> lock(log_guard);
    log_entries.push_back({level, text});
  });

  doctest::Context context(argc, argv);
  const int result = context.run();
  jackdaw::set_log({});
  if (context.shouldExit() || result != 0) return result;
  return skips > 0 ? kSkipExitCode : 0;
}
