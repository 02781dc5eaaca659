// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What set-up throws: construction, files, devices. The message says what was wrong, with which
// value or file, and what to do next. Per-frame calls return a Status instead.

#include <stdexcept>
#include <string>

namespace jackdaw {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A setting is out of its range or contradicts another.
struct SettingsError : Error {
  using Error::Error;
};

// The memory that the settings ask for is over the budget, or cannot be expressed at all.
struct CapacityError : Error {
  using Error::Error;
};

// A file or folder of state cannot be read, written or trusted.
struct StateError : Error {
  using Error::Error;
};

// A CUDA call failed; the text holds CUDA's own name for it and where.
struct CudaError : Error {
  using Error::Error;
};

}  // namespace jackdaw
