// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The picture files below a folder, in the order of their names: the same on every machine.

#include <string>
#include <vector>

namespace jackdaw {

// By their names' endings (.png, .jpg, .webp, …), at any depth; hidden files and folders are left
// out, and so are files with other endings and links to folders, which are added to left_out. Throws
// EncoderError if the folder cannot be read or holds none.
std::vector<std::string> list_pictures(const std::string& folder,
                                       std::vector<std::string>* left_out = nullptr);

}  // namespace jackdaw
