// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "jackdaw/engines/picture.hpp"
#include "replay/archive.hpp"
#include "replay/convert.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

void write_gzip(const std::string& path, const std::string& content) {
  const gzFile file = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(file, content.data(), static_cast<unsigned>(content.size())) ==
          static_cast<int>(content.size()));
  gzclose(file);
}

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
  return out;
}

// Picture i has brightness i in all 4 pixels and label i % 10.
void write_mnist(const std::string& folder, const std::string& prefix, std::uint32_t count) {
  std::filesystem::create_directories(folder);
  std::string pictures = big_endian(0x803) + big_endian(count) + big_endian(2) + big_endian(2);
  std::string labels = big_endian(0x801) + big_endian(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    pictures += std::string(4, static_cast<char>(i));
    labels += static_cast<char>(i % 10);
  }
  write_gzip(folder + "/" + prefix + "-images-idx3-ubyte.gz", pictures);
  write_gzip(folder + "/" + prefix + "-labels-idx1-ubyte.gz", labels);
}

std::string tar_file(const std::string& name, const std::string& content) {
  std::string header(512, '\0');
  std::memcpy(header.data(), name.data(), name.size());
  std::snprintf(header.data() + 124, 12, "%011zo", content.size());
  header[156] = '0';
  std::string out = header + content;
  out.resize((out.size() + 511) / 512 * 512, '\0');
  return out;
}

std::string cifar_record(const std::string& label, int red, int green, int blue) {
  return label + std::string(1024, static_cast<char>(red)) +
         std::string(1024, static_cast<char>(green)) + std::string(1024, static_cast<char>(blue));
}

int byte_at(const std::string& path, std::size_t at) {
  Picture picture;
  REQUIRE(read_picture(path, picture) == "");
  return std::to_integer<int>(picture.pixels.at(at));
}

void refuses(const std::string& archive, const std::string& out, const std::string& word) {
  try {
    static_cast<void>(convert(archive, out, {}));
    FAIL("was accepted");
  } catch (const DataError& error) {
    CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK_FALSE(std::filesystem::exists(out + ".partial"));
}

TEST_CASE("MNIST's files become class folders, pixel for pixel") {
  testing::TemporaryFolder folder;
  write_mnist(folder.path("m"), "train", 30);
  write_mnist(folder.path("m"), "t10k", 20);
  const Converted done = convert(folder.path("m"), folder.path("out"), {});
  CHECK(done.kind == "MNIST");
  CHECK(done.train == 30);
  CHECK(done.test == 20);
  const PictureSet set = read_picture_set(folder.path("out"));
  CHECK(set.classes.size() == 10);
  CHECK(byte_at(folder.path("out/train/7/00002.png"), 0) == 27);
  (void)convert(folder.path("m"), folder.path("with_slash/"), {});
  CHECK(byte_at(folder.path("with_slash/train/7/00002.png"), 0) == 27);
}

TEST_CASE("CIFAR's archives become class folders, colours in order") {
  testing::TemporaryFolder folder;
  std::string ten = tar_file("cifar-10-batches-bin/batches.meta.txt", "airplane\ncar\n\n");
  for (int part = 1; part <= 5; ++part) {
    ten += tar_file("cifar-10-batches-bin/data_batch_" + std::to_string(part) + ".bin",
                    cifar_record(std::string(1, static_cast<char>(part % 2)), part, 2 * part, 200));
  }
  ten += tar_file("cifar-10-batches-bin/test_batch.bin",
                  cifar_record(std::string(1, '\0'), 1, 2, 3) + cifar_record("\x01", 4, 5, 6));
  write_gzip(folder.path("10.tar.gz"), ten + std::string(1024, '\0'));
  CHECK(convert(folder.path("10.tar.gz"), folder.path("ten"), {}).kind == "CIFAR-10");
  CHECK(read_picture_set(folder.path("ten")).train.paths.size() == 5);
  const std::string second = folder.path("ten/train/car/00001.png");  // part 3
  CHECK(byte_at(second, 0) == 200);                                   // blue
  CHECK(byte_at(second, 1) == 6);
  CHECK(byte_at(second, 2) == 3);

  const std::string hundred =
      tar_file("cifar-100-binary/fine_label_names.txt", "apple\nbee\n") +
      tar_file("cifar-100-binary/coarse_label_names.txt", "fruit\n") +
      tar_file("cifar-100-binary/train.bin", cifar_record(std::string("\0\1", 2), 9, 9, 9) +
                                                 cifar_record(std::string("\0\0", 2), 8, 8, 8)) +
      tar_file("cifar-100-binary/test.bin", cifar_record(std::string("\0\1", 2), 7, 7, 7));
  write_gzip(folder.path("100.tar.gz"), hundred);
  const Converted done = convert(folder.path("100.tar.gz"), folder.path("hundred"), {});
  CHECK(done.kind == "CIFAR-100");
  CHECK(byte_at(folder.path("hundred/train/bee/00000.png"), 0) == 9);
}

TEST_CASE("archives that are damaged or something else leave nothing behind") {
  testing::TemporaryFolder folder;
  const std::string out = folder.path("out");
  refuses(folder.path("none.tar.gz"), out, "none.tar.gz");
  std::filesystem::create_directories(folder.path("empty"));
  refuses(folder.path("empty"), out, "train-images");
  write_gzip(folder.path("text.gz"), "just a text, and a long one: " + std::string(600, 'x'));
  refuses(folder.path("text.gz"), out, "tar");
  write_gzip(folder.path("other.tar.gz"), tar_file("readme.txt", "hello"));
  refuses(folder.path("other.tar.gz"), out, "batches.meta.txt");
  write_mnist(folder.path("m"), "train", 300);
  write_mnist(folder.path("m"), "t10k", 20);
  const std::string labels = folder.path("m/t10k-labels-idx1-ubyte.gz");
  write_gzip(labels, big_endian(0x801) + big_endian(19) + std::string(19, '\0'));
  refuses(folder.path("m"), out, "t10k-labels");
  const std::string pictures = folder.path("m/train-images-idx3-ubyte.gz");
  std::filesystem::resize_file(pictures, std::filesystem::file_size(pictures) / 2);
  refuses(folder.path("m"), out, "fetch it again");
}

TEST_CASE("a folder that is there already is left alone") {
  testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("out"));
  CHECK_THROWS_AS(convert(folder.path("x"), folder.path("out"), {}), DataError);
}

}  // namespace
}  // namespace jackdaw::replay
