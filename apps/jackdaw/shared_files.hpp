// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that come with the program: $JACKDAW_SHARE, or share/jackdaw next to the folder that the
// program is in (that is where both an installation and the build tree have them).

#include <string>

namespace jackdaw::app {

// The whole path; throws EncoderError if it is not there.
std::string shared_file(const std::string& name);
// Empty if it is not there.
std::string find_shared_file(const std::string& name);

}  // namespace jackdaw::app
