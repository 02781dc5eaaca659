// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// An engine file comes back as it was stored, or is refused in one sentence.

#include "trt/engine_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "state/posix_file_system.hpp"
#include "trt_files.hpp"

namespace jackdaw::trt::test {
namespace {

const std::string kKey = "kind: engine\nencoder: toy\ngpu: Orin\n";

std::string toy_plan(std::size_t bytes, unsigned seed = 1) {
  std::string plan(bytes, '\0');
  for (char& c : plan) c = static_cast<char>((seed = seed * 1664525U + 1013904223U) >> 24U);
  return plan;
}

// The fault of loading; kMissing's neighbour if there was none.
constexpr int kLoaded = -1;
int fault_of(const std::string& path, uid_t user = ::geteuid(), const std::string& key = kKey) {
  try {
    (void)load_engine(path, key, user);
    return kLoaded;
  } catch (const EngineFileError& error) {
    const std::string text = error.what();
    CHECK(text.find(path) != std::string::npos);  // which file
    CHECK(text.find('\n') == std::string::npos);  // one line
    return static_cast<int>(error.fault);
  }
}
constexpr int as_int(EngineFault fault) { return static_cast<int>(fault); }

// Fails the n-th call that can fail, like a disk that is full or broken.
class FailingFiles final : public state::FileSystem {
 public:
  explicit FailingFiles(int fail_at, int code) : fail_at_(fail_at), code_(code) {}
  int calls() const { return calls_; }

  state::IoError create(const std::string& path, std::unique_ptr<state::File>& out) override {
    if (fails()) return {code_};
    std::unique_ptr<state::File> real;
    if (const state::IoError error = files_.create(path, real)) return error;
    out = std::make_unique<FailingFile>(*this, std::move(real));
    return {};
  }
  state::IoError rename(const std::string& from, const std::string& to) override {
    return fails() ? state::IoError{code_} : files_.rename(from, to);
  }
  state::IoError make_folder(const std::string& folder) override {
    return fails() ? state::IoError{code_} : files_.make_folder(folder);
  }
  state::IoError sync_folder(const std::string& folder) override {
    return fails() ? state::IoError{code_} : files_.sync_folder(folder);
  }
  state::IoError remove(const std::string& path) override { return files_.remove(path); }
  state::IoError open(const std::string&, std::unique_ptr<state::File>&) override {
    return {ENOSYS};
  }
  state::IoError list(const std::string&, std::vector<std::string>&) override { return {ENOSYS}; }
  state::IoError lock_folder(const std::string&, std::unique_ptr<state::FolderLock>&) override {
    return {ENOSYS};
  }

 private:
  class FailingFile final : public state::File {
   public:
    FailingFile(FailingFiles& owner, std::unique_ptr<state::File> real)
        : owner_(owner), real_(std::move(real)) {}
    state::IoError write_at(std::uint64_t offset, Span<const std::byte> data) override {
      if (!owner_.fails()) return real_->write_at(offset, data);
      (void)real_->write_at(offset, data.first(data.size() / 2));  // a full disk takes a part
      return {owner_.code_};
    }
    state::IoError read_at(std::uint64_t, Span<std::byte>, std::size_t&) override {
      return {ENOSYS};
    }
    state::IoError sync() override {
      return owner_.fails() ? state::IoError{owner_.code_} : real_->sync();
    }
    state::IoError preallocate(std::uint64_t) override { return {ENOSYS}; }
    state::IoError truncate(std::uint64_t) override { return {ENOSYS}; }
    state::IoError size(std::uint64_t&) override { return {ENOSYS}; }

   private:
    FailingFiles& owner_;
    std::unique_ptr<state::File> real_;
  };
  bool fails() { return ++calls_ == fail_at_; }

  state::PosixFileSystem files_;
  int fail_at_, code_, calls_ = 0;
};

}  // namespace

TEST_CASE("engine file: comes back as it was stored, and only this user may touch it") {
  const TemporaryFolder folder;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{300'000}}) {
    const std::string path = folder / "engines" + "/toy.engine";
    const std::string plan = toy_plan(bytes);
    store_engine(path, kKey, bytes_of(plan));
    CHECK(text_of(load_engine(path, kKey)) == plan);
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);
  }
  CHECK(fault_of(folder / "none.engine") == as_int(EngineFault::kMissing));
}

TEST_CASE("engine file: torn at any place it is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(20'000)));
  const std::string whole = read_file(path);
  std::size_t tried = 0;
  const auto try_length = [&](std::size_t length) {
    write_file(path, whole.substr(0, length));
    CAPTURE(length);
    CHECK(fault_of(path) == as_int(EngineFault::kTorn));
    ++tried;
  };
  for (std::size_t length = 0; length < whole.size(); length += 97) try_length(length);
  for (std::size_t length = 0; length < 100; ++length) try_length(length);
  try_length(whole.size() - 1);
  CHECK(tried > 300);
  write_file(path, whole + "x");
  CHECK(fault_of(path) == as_int(EngineFault::kTorn));
  write_file(path, whole.substr(0, whole.size() - 4096) + std::string(4096, '\0'));  // never synced
  CHECK(fault_of(path) == as_int(EngineFault::kChanged));
  write_file(path, whole);
  CHECK(fault_of(path) == kLoaded);
}

TEST_CASE("engine file: every flipped bit is noticed") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(400)));
  const std::string whole = read_file(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ (1U << bit));
      write_file(path, changed);
      CAPTURE(i);
      const int fault = fault_of(path);
      if (i < 8) {
        CHECK(fault == as_int(EngineFault::kNotAnEngine));
      } else if (i < 12) {
        CHECK(fault == as_int(EngineFault::kOtherVersion));
      } else if (i < 24) {
        CHECK(fault == as_int(EngineFault::kTorn));
      } else {
        CHECK(fault == as_int(EngineFault::kChanged));
      }
    }
  }
}

TEST_CASE("engine file: the border between key and plan cannot be moved") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(100)));
  std::string whole = read_file(path);
  whole[12] = static_cast<char>(whole[12] + 1);  // one byte more for the key,
  whole[16] = static_cast<char>(whole[16] - 1);  // one less for the plan
  write_file(path, whole);
  CHECK(fault_of(path) == as_int(EngineFault::kChanged));
}

TEST_CASE("engine file: one of another version says both numbers") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(100)));
  std::string whole = read_file(path);
  whole[8] = 7;
  write_file(path, whole);
  try {
    (void)load_engine(path, kKey);
    FAIL("a file of format 7 was loaded");
  } catch (const EngineFileError& error) {
    CHECK(error.fault == EngineFault::kOtherVersion);
    CHECK(std::strstr(error.what(), "format 7") != nullptr);
    CHECK(std::strstr(error.what(), "format 1") != nullptr);
  }
}

TEST_CASE("engine file: a whole one with another key is not given out") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(100)));
  CHECK(fault_of(path, ::geteuid(), kKey + "x") == as_int(EngineFault::kOtherKey));
  CHECK(fault_of(path, ::geteuid(), "") == as_int(EngineFault::kOtherKey));
}

TEST_CASE("engine file: what others own or may write is not trusted") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(100)));
  CHECK(fault_of(path, ::geteuid() + 1) == as_int(EngineFault::kForeignOwner));
  if (::geteuid() == 0) {
    REQUIRE(::chown(path.c_str(), 12345, 0) == 0);
    CHECK(fault_of(path) == as_int(EngineFault::kForeignOwner));
    REQUIRE(::chown(path.c_str(), 0, 0) == 0);
  }
  for (const mode_t mode : {0620U, 0602U, 0666U, 0777U}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    CHECK(fault_of(path) == as_int(EngineFault::kWritableByOthers));
  }
  REQUIRE(::chmod(path.c_str(), 0644) == 0);  // to read it does no harm
  CHECK(fault_of(path) == kLoaded);
}

TEST_CASE("engine file: links, folders and pipes are refused, and none of them hangs") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(100)));
  REQUIRE(::symlink(path.c_str(), (folder / "link").c_str()) == 0);
  CHECK(fault_of(folder / "link") == as_int(EngineFault::kNotAFile));
  REQUIRE(::mkdir((folder / "folder").c_str(), 0700) == 0);
  CHECK(fault_of(folder / "folder") == as_int(EngineFault::kNotAFile));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(fault_of(folder / "pipe") == as_int(EngineFault::kNotAFile));

  // Storing over a link replaces the link; what it points to stays as it was.
  const std::string before = read_file(path);
  store_engine(folder / "link", kKey, bytes_of(toy_plan(50)));
  CHECK(read_file(path) == before);
  CHECK(load_engine(folder / "link", kKey).size() == 50);
}

TEST_CASE("engine file: an error at any step leaves the old engine and no rubbish") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  const std::string old_plan = toy_plan(1000, 1), new_plan = toy_plan(1000, 2);
  int steps = 0;
  {
    FailingFiles files(0, 0);
    store_engine(path, kKey, bytes_of(old_plan), files);
    steps = files.calls();
  }
  CHECK(steps == 8);  // folder, create, three writes, sync, rename, sync of the folder
  for (int step = 1; step <= steps; ++step) {
    for (const int code : {ENOSPC, EIO, EROFS}) {
      CAPTURE(step);
      FailingFiles files(step, code);
      try {
        store_engine(path, kKey, bytes_of(new_plan), files);
        FAIL("a failed step was not reported");
      } catch (const EngineFileError& error) {
        CHECK(error.fault == EngineFault::kCannotWrite);
        const std::string text = error.what();
        CHECK(text.find(path) != std::string::npos);
        CHECK(text.find(std::strerror(code)) != std::string::npos);
      }
      CHECK(count_files(folder) == 1);
      // Only after the rename is the new one there, and then in whole.
      CHECK(text_of(load_engine(path, kKey)) == (step == steps ? new_plan : old_plan));
      store_engine(path, kKey, bytes_of(old_plan));
    }
  }
}

TEST_CASE("engine file: a real limit on a file's size is an error, not a torn engine") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  const pid_t child = ::fork();  // the limit cannot be raised again, so not in this process
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(10);
    try {
      store_engine(path, kKey, bytes_of(toy_plan(100'000)));
      ::_exit(11);
    } catch (const EngineFileError& error) {
      ::_exit(error.fault == EngineFault::kCannotWrite ? 0 : 12);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(count_files(folder) == 0);
}

TEST_CASE("engine file: many writers and readers at once see whole engines only") {
  const TemporaryFolder folder;
  const std::string path = folder / "toy.engine";
  store_engine(path, kKey, bytes_of(toy_plan(5000, 100)));
  std::atomic<int> bad{0}, writing{4};
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < 4; ++w) {
    threads.emplace_back([&, w] {
      try {
        for (int i = 0; i < 20; ++i)
          store_engine(path, kKey, bytes_of(toy_plan(5000 + w, 100 + w)));
      } catch (...) {
        ++bad;
      }
      --writing;
    });
  }
  for (int r = 0; r < 2; ++r) {
    threads.emplace_back([&] {
      while (writing > 0) {
        try {
          const std::string plan = text_of(load_engine(path, kKey));
          const auto w = static_cast<unsigned>(plan.size() - 5000);
          if (plan.size() > 5003 || plan != toy_plan(5000 + w, 100 + w)) ++bad;
        } catch (...) {
          ++bad;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(bad == 0);
  CHECK(count_files(folder) == 1);
}

TEST_CASE("engine file: what a killed writer left is removed after a day, and nothing else") {
  const TemporaryFolder folder;
  store_engine(folder / "toy.engine", kKey, bytes_of(toy_plan(10)));
  write_file(folder / "toy.engine.1-0.writing", "half");
  write_file(folder / "toy.engine.2-0.writing", "half");
  const utimbuf two_days_ago{::time(nullptr) - 200'000, ::time(nullptr) - 200'000};
  REQUIRE(::utime((folder / "toy.engine").c_str(), &two_days_ago) == 0);
  REQUIRE(::utime((folder / "toy.engine.1-0.writing").c_str(), &two_days_ago) == 0);
  CHECK(remove_leftovers(root_of(folder)) == 1);
  CHECK(count_files(folder) == 2);
  CHECK(fault_of(folder / "toy.engine") == kLoaded);
  CHECK(remove_leftovers(folder / "nowhere") == 0);
}

}  // namespace jackdaw::trt::test
