// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Uses the installed engines as a stranger would: asks for an encoder that is not there, and reads a
// file that is no picture. Both are answered, not crashed upon.

#include <cstdio>

#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/engines/pipeline.hpp"

int main(int, char** arguments) {
  bool refused = false;
  try {
    (void)jackdaw::find_encoder("no-such-encoder");
  } catch (const jackdaw::EncoderError& error) {
    std::printf("encoder: %s\n", error.what());
    refused = true;
  }
  jackdaw::Picture picture;
  const std::string fault = jackdaw::read_picture(arguments[0], picture);
  std::printf("picture: %s\n", fault.c_str());
  return refused && !fault.empty() ? 0 : 1;
}
