// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/sha256.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "support/seed.hpp"

namespace jackdaw {
namespace {

std::string hash_of(const std::string& text) {
  Sha256 hash;
  hash.add(text);
  return to_hex(hash.finish());
}

TEST_CASE("the examples of FIPS 180-4 have the digests that the standard gives") {
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash_of(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("lengths round a block's end have the digests that sha256sum gives") {
  CHECK(hash_of(std::string(55, 'j')) ==
        "2bba1d56bcf9750b986e20d8c1b25eefd0cbe348d8521709e8115fe19b4e0c8c");
  CHECK(hash_of(std::string(56, 'j')) ==
        "cce51cb754aa1580cc0f0ff3d906a4944d6ea53fa9d8651b5d94ac8dd538f553");
  CHECK(hash_of(std::string(63, 'j')) ==
        "24317a204f6eb91b93197689f6f7704fa92a8f0662fd3093936ff613527ed154");
  CHECK(hash_of(std::string(64, 'j')) ==
        "cb4ae4c4800f8b1a013415e9bb5d4f7a2d8705cdc5a9d3c093f8fbd3569f5040");
  CHECK(hash_of(std::string(65, 'j')) ==
        "7d8531b950dcc0ef351c8e4d7e241e873a7e25daa29bfbc870846da7f7c50e11");
}

TEST_CASE("text given in pieces has the digest of the whole") {
  std::mt19937_64 random(testing::seed());
  for (int round = 0; round < 50; ++round) {
    std::string text(random() % 300, ' ');
    for (char& c : text) c = static_cast<char>(random());
    Sha256 hash;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t piece = std::min<std::size_t>(random() % 90, text.size() - at);
      hash.add(std::string_view(text).substr(at, piece));
      at += piece;
    }
    CHECK(to_hex(hash.finish()) == hash_of(text));
  }
}

}  // namespace
}  // namespace jackdaw
