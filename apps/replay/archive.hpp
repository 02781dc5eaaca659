// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The containers that MNIST and CIFAR come in: gzip, and tar inside of it.

#include <map>
#include <string>

#include "replay/picture_set.hpp"

namespace jackdaw::replay {

// The whole content, unpacked; a file that is not packed is read as it is. Throws DataError, also
// for a file that ends too early or has more than 1 GiB in it.
std::string read_gzip(const std::string& path);

// The plain files in a tar archive: name -> content. Throws DataError naming `path`.
std::map<std::string, std::string> read_tar(const std::string& bytes, const std::string& path);

}  // namespace jackdaw::replay
