// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The library never prints. What it has to say outside an answer goes to one callback.
//
//   set_log([](LogLevel level, const char* text) { std::fprintf(stderr, "%s\n", text); });

#include <functional>
#include <string>

namespace jackdaw {

enum class LogLevel { kInfo, kWarning, kError };

using LogCallback = std::function<void(LogLevel, const char* text)>;

// Replaces the callback for the whole process; an empty one (the default) is silent.
// May be called at any time from any thread; the callback may be called from any thread.
void set_log(LogCallback callback);

void log(LogLevel level, const std::string& text) noexcept;

}  // namespace jackdaw
