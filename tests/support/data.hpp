// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Image folders for tests that need real data. JACKDAW_DATA names a folder that holds, for a data
// set called mnist, either mnist/train/CLASS/* or an archive of that, mnist.tar.xz or mnist.tar.
//
//   const auto mnist = jackdaw::testing::data_folder("mnist");
//   if (!mnist) return;                                  // skipped, and said so
//   for (const auto& entry : std::filesystem::directory_iterator(*mnist / "train")) ...

#include <filesystem>
#include <optional>
#include <string>

namespace jackdaw::testing {

// The folder of one data set, or nothing after a skip() that says how to get it. An archive is
// unpacked once, with tar, into JACKDAW_DATA_CACHE (default: data/ in the build folder); processes
// that want the same set wait for each other. Throws std::runtime_error if unpacking fails.
std::optional<std::filesystem::path> data_folder(const std::string& name);

}  // namespace jackdaw::testing
