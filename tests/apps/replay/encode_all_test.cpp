// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "apps/replay/pictures.hpp"
#include "replay/encode_all.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

struct Rig {
  testing::TemporaryFolder folder;
  testing::CountingEncoder encoder;
  EncodeOptions options;

  Rig() {
    testing::write_picture_folders(folder.path("data"), 3, 5);
    options.cache_folder = folder.path("cache");
  }
  Encoded encode() { return encode_all(read_picture_set(folder.path("data")), encoder, options); }
  std::string picture(const char* name) { return folder.path("data") + "/" + name; }
};

TEST_CASE("each picture is encoded once, and every embedding lies where its picture does") {
  Rig rig;
  const Encoded first = rig.encode();
  CHECK(rig.encoder.encoded == 30);
  CHECK(first.encoder.encoded == 30);
  CHECK(first.set.train.labels.size() == 15);
  CHECK(first.set.test.labels.size() == 15);
  for (std::size_t i = 0; i < 15; ++i) {
    CHECK(first.set.train.embeddings[2 * i] == static_cast<float>(i + 1));
    CHECK(first.set.test.embeddings[2 * i] == static_cast<float>(i + 16));
    CHECK(first.set.test.labels[i] == i / 5);
  }
  const Encoded again = rig.encode();
  CHECK(rig.encoder.encoded == 30);
  CHECK(again.encoder.encoded == 0);
  CHECK(again.set.train.embeddings == first.set.train.embeddings);
}

TEST_CASE("a changed picture is encoded again, a moved one is not, a copy not twice") {
  Rig rig;
  rig.encode();
  testing::write_picture(rig.picture("train/class1/2.pgm"), 200);
  std::filesystem::rename(rig.picture("train/class0/0.pgm"), rig.picture("train/class0/a.pgm"));
  std::filesystem::copy_file(rig.picture("test/class0/0.pgm"), rig.picture("test/class0/9.pgm"));
  const Encoded encoded = rig.encode();
  CHECK(rig.encoder.encoded == 31);
  CHECK(encoded.set.train.embeddings[2 * 7] == 200.0F);
  CHECK(encoded.set.test.labels.size() == 16);
}

TEST_CASE("interrupted, it goes on where it stopped") {
  Rig rig;
  rig.encoder.fail_after = 12;
  CHECK_THROWS_AS(rig.encode(), EncoderError);
  CHECK(rig.encoder.encoded == 12);
  rig.encoder.fail_after = 1000000;
  rig.encode();
  CHECK(rig.encoder.encoded == 30);
}

TEST_CASE("a broken picture in the middle is counted and named; the others are kept") {
  Rig rig;
  std::ofstream(rig.picture("train/class1/2.pgm")) << "P5 4 4 255\nshort";
  std::ofstream(rig.picture("train/class2/0.pgm"), std::ios::trunc) << "";
  try {
    rig.encode();
    FAIL("was accepted");
  } catch (const DataError& error) {
    const std::string text = error.what();
    for (const char* word : {"2 of 30", "class1/2.pgm", "class2/0.pgm", "--skip-bad"}) {
      CHECK_MESSAGE(text.find(word) != std::string::npos, text);
    }
  }
  CHECK(rig.encoder.encoded == 28);
  rig.options.skip_bad = true;
  const Encoded encoded = rig.encode();
  CHECK(rig.encoder.encoded == 28);
  CHECK(encoded.faults.size() == 2);
  CHECK(encoded.set.train.labels.size() == 13);
  CHECK(encoded.set.train.embeddings[2 * 7] == 9.0F);  // the one after the broken one
}

TEST_CASE("pictures that the encoder fails on, or gives zeros for, are named like broken ones") {
  Rig rig;
  rig.encoder.fails_on = 7;
  rig.encoder.zero_on = 20;
  try {
    rig.encode();
    FAIL("was accepted");
  } catch (const DataError& error) {
    const std::string text = error.what();
    for (const char* word : {"2 of 30", "train/class1/1.pgm", "test/class0/4.pgm"}) {
      CHECK_MESSAGE(text.find(word) != std::string::npos, text);
    }
  }
  rig.options.skip_bad = true;
  const Encoded encoded = rig.encode();
  CHECK(encoded.faults.size() == 2);
  CHECK(rig.encoder.encoded == 29);  // its neighbours in the batch were not lost
  CHECK(encoded.set.train.labels.size() == 14);
  CHECK(encoded.set.test.labels.size() == 14);
}

TEST_CASE("a picture that changes while others are read is kept under what it is then") {
  Rig rig;
  const std::string path = rig.picture("train/class0/0.pgm");
  rig.options.progress = [&](const char* what, std::size_t done, std::size_t total) {
    if (std::string(what) == "reading" && done == total) testing::write_picture(path, 99);
  };
  CHECK(rig.encode().set.train.embeddings[0] == 99.0F);
  rig.options.progress = nullptr;
  testing::write_picture(path, 1);  // as it was when it was first hashed
  CHECK(rig.encode().set.train.embeddings[0] == 1.0F);
}

TEST_CASE("the pictures' hash is the same for the same pictures and labels only") {
  Rig rig;
  const std::string before = rig.encode().pictures_sha256;
  CHECK(before.size() == 64);
  CHECK(rig.encode().pictures_sha256 == before);
  std::filesystem::rename(rig.picture("train/class0/4.pgm"), rig.picture("train/class1/00.pgm"));
  CHECK(rig.encode().pictures_sha256 != before);
  std::filesystem::rename(rig.picture("train/class1/00.pgm"), rig.picture("train/class0/4.pgm"));
  testing::write_picture(rig.picture("test/class2/4.pgm"), 77);
  CHECK(rig.encode().pictures_sha256 != before);
}

TEST_CASE("test pictures that are also taught are counted") {
  Rig rig;
  CHECK(rig.encode().in_both == 0);
  std::filesystem::copy_file(rig.picture("train/class0/0.pgm"), rig.picture("test/class2/8.pgm"));
  std::filesystem::copy_file(rig.picture("train/class0/0.pgm"), rig.picture("test/class2/9.pgm"));
  CHECK(rig.encode().in_both == 2);
}

TEST_CASE("a class without a picture left is an error even when broken ones are skipped") {
  Rig rig;
  rig.options.skip_bad = true;
  for (int i = 0; i < 5; ++i) {
    std::ofstream(rig.picture(("test/class1/" + std::to_string(i) + ".pgm").c_str())) << "no";
  }
  CHECK_THROWS_WITH_AS(rig.encode(), doctest::Contains("class1"), DataError);
}

TEST_CASE("progress ends at the total") {
  Rig rig;
  std::size_t read = 0, encoded = 0;
  rig.options.progress = [&](const char* what, std::size_t done, std::size_t total) {
    CHECK(total == 30);
    (std::string(what) == "reading" ? read : encoded) = done;
  };
  rig.encode();
  CHECK(read == 30);
  CHECK(encoded == 30);
}

}  // namespace
}  // namespace jackdaw::replay
