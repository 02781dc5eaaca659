// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include "apps/replay/pictures.hpp"
#include "replay/picture_set.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

void refuses(const std::string& path, const std::string& word) {
  try {
    static_cast<void>(read_picture_set(path));
    FAIL("was accepted");
  } catch (const Error& error) {
    CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
}

TEST_CASE("folders: classes by name, pictures by name") {
  testing::TemporaryFolder folder;
  testing::write_picture_folders(folder.path("animals"), 3, 4);
  const PictureSet set = read_picture_set(folder.path("animals"));
  CHECK(set.name == "animals");
  CHECK(set.classes == std::vector<std::string>{"class0", "class1", "class2"});
  CHECK(set.train.paths.size() == 12);
  CHECK(set.test.labels == std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
  CHECK(set.train.paths[5] == folder.path("animals") + "/train/class1/1.pgm");
  const PictureSet few = read_picture_set(folder.path("animals") + "/", 2);
  CHECK(few.name == "animals");
  CHECK(few.train.paths.size() == 6);
  CHECK(few.train.paths[3] == folder.path("animals") + "/train/class1/2.pgm");
}

TEST_CASE("a link to folders has its own name, not that of what it leads to") {
  const testing::TemporaryFolder folder;
  testing::write_picture_folders(folder.path("MNIST-png"), 2, 2);
  std::filesystem::create_directory_symlink(folder.path("MNIST-png"), folder.path("mnist"));
  CHECK(read_picture_set(folder.path("mnist")).name == "mnist");
  CHECK(read_picture_set(folder.path("mnist") + "/").name == "mnist");
  CHECK(read_picture_set(folder.path("mnist") + "/../MNIST-png").name == "MNIST-png");
}

TEST_CASE("a picture that is a link to nothing or to itself is a picture that cannot be read") {
  const testing::TemporaryFolder folder;
  testing::write_picture_folders(folder.path("animals"), 2, 2);
  const std::string train = folder.path("animals") + "/train/";
  std::filesystem::create_symlink("nowhere", train + "class0/8.pgm");
  std::filesystem::create_symlink("9.pgm", train + "class0/9.pgm");
  const PictureSet set = read_picture_set(folder.path("animals"));
  CHECK(set.train.paths.size() == 6);
  CHECK(set.left_out.empty());
}

TEST_CASE("what is passed over in a class's folder is told") {
  const testing::TemporaryFolder folder;
  testing::write_picture_folders(folder.path("animals"), 2, 2);
  CHECK(read_picture_set(folder.path("animals")).left_out.empty());
  const std::string train = folder.path("animals") + "/train/";
  std::ofstream(train + "class0/a.heic") << "x";
  std::ofstream(train + "class0/.hidden") << "x";
  std::filesystem::create_directory_symlink(train + "class0", train + "class1/link");
  const PictureSet set = read_picture_set(folder.path("animals"));
  CHECK(set.train.paths.size() == 4);
  CHECK(set.left_out == std::vector<std::string>{train + "class0/a.heic", train + "class1/link"});
}

TEST_CASE("folders that cannot be used are refused with what is wrong") {
  testing::TemporaryFolder folder;
  const std::string root = folder.path("d");
  refuses(root, "train");
  std::filesystem::create_directories(root + "/train");
  std::filesystem::create_directories(root + "/test");
  refuses(root, "no class");
  testing::write_picture(root + "/train/a/0.pgm", 1);
  refuses(root, "\"a\" is in only one");
  testing::write_picture(root + "/test/a/0.pgm", 1);
  refuses(root, "one class");
  std::filesystem::create_directories(root + "/train/b");
  testing::write_picture(root + "/test/b/0.pgm", 1);
  refuses(root, "\"b\" is empty");
  testing::write_picture(root + "/train/b/0.pgm", 1);
  CHECK(read_picture_set(root).train.paths.size() == 2);  // one picture a class is enough
}

TEST_CASE("a list: paths relative to it, quotes, order kept") {
  testing::TemporaryFolder folder;
  const std::string csv = folder.path("list.csv");
  std::ofstream(csv) << "split,class,path\r\ntrain,\"b, \"\"big\"\"\",z.png\n\ntrain,a,sub/y.png\n"
                        "train,a,/x.png\ntest,a,1.png\ntest,\"b, \"\"big\"\"\",2.png\n";
  const PictureSet set = read_picture_set(csv);
  CHECK(set.name == "list");
  CHECK(set.classes == std::vector<std::string>{"a", "b, \"big\""});
  CHECK(set.train.paths ==
        std::vector<std::string>{folder.path("z.png"), folder.path("sub/y.png"), "/x.png"});
  CHECK(set.train.labels == std::vector<std::uint32_t>{1, 0, 0});
}

TEST_CASE("a list as spreadsheets write it: byte order mark, empty lines, capital ending") {
  const testing::TemporaryFolder folder;
  const std::string csv = folder.path("LIST.CSV");
  std::ofstream(csv) << "\xEF\xBB\xBF\r\nsplit,class,path\r\ntrain,a,1.png\r\ntest,a,2.png\r\n"
                        "train,b,3.png\r\ntest,b,4.png\r\n";
  CHECK(read_picture_set(csv).train.paths.size() == 2);
}

TEST_CASE("lists that cannot be used are refused with the line") {
  testing::TemporaryFolder folder;
  const auto list = [&](const std::string& text) {
    std::ofstream(folder.path("l.csv")) << text;
    return folder.path("l.csv");
  };
  refuses(folder.path("none.csv"), "none.csv");
  refuses(list(""), "no pictures");
  refuses(list("path,label\n"), ":1:");
  refuses(list("split,class,path\ntrain,a\n"), ":2:");
  refuses(list("split,class,path\ntrain,a,b.png\nvalid,a,c.png\n"), ":3:");
  refuses(list("split,class,path\ntrain,\"a,b.png\n"), "quote");
  refuses(list("split,class,path\ntrain,a,b.png\ntest,a,c.png\ntrain,b,d.png\n"), "\"b\" is empty");
}

}  // namespace
}  // namespace jackdaw::replay
