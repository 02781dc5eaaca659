// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The real file system, and a real kill -9.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "state/posix_file_system.hpp"
#include "support/temporary_folder.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("state: the real file system does what it says") {
  const testing::TemporaryFolder folder;
  PosixFileSystem files;
  const std::string path = folder.path() + "/file";
  std::unique_ptr<File> file;
  REQUIRE_FALSE(files.create(path, file));
  CHECK(mode_of(path) == 0600);
  CHECK(files.create(path, file).code == EEXIST);
  const std::vector<std::byte> data(1000, std::byte{7});
  REQUIRE_FALSE(file->write_at(3000, data));
  REQUIRE_FALSE(file->sync());
  std::uint64_t size = 0;
  REQUIRE_FALSE(file->size(size));
  CHECK(size == 4000);
  const IoError preallocated = file->preallocate(10000);
  CHECK((preallocated.code == 0 || preallocated.code == EOPNOTSUPP));
  REQUIRE_FALSE(file->truncate(3500));
  std::vector<std::byte> back(1000);
  std::size_t got = 0;
  REQUIRE_FALSE(file->read_at(2999, back, got));
  CHECK(got == 501);
  CHECK(back[0] == std::byte{0});
  CHECK(back[500] == std::byte{7});
  CHECK(file->write_at(~std::uint64_t{0}, data).code == EFBIG);
  CHECK(file->read_at(~std::uint64_t{0}, back, got).code == EFBIG);

  const std::string link = folder.path() + "/link";
  REQUIRE(::symlink(path.c_str(), link.c_str()) == 0);
  CHECK(files.open(link, file).code == ELOOP);
  CHECK(files.create(link, file).code == EEXIST);
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(files.open(pipe, file).code == ENOTSUP);
  CHECK(files.open(folder.path(), file).code == EISDIR);
  CHECK(files.open(folder.path() + "/none", file).code == ENOENT);
  CHECK(IoError{ENOENT}.text() == "No such file or directory");

  REQUIRE_FALSE(files.rename(path, folder.path() + "/other"));
  REQUIRE_FALSE(files.remove(folder.path() + "/other"));
  CHECK(files.remove(folder.path() + "/other").code == ENOENT);
  REQUIRE_FALSE(files.make_folder(folder.path() + "/sub"));
  REQUIRE_FALSE(files.make_folder(folder.path() + "/sub"));
  CHECK(mode_of(folder.path() + "/sub") == 0700);
  CHECK(files.make_folder(pipe).code == ENOTDIR);
  CHECK(files.make_folder(folder.path() + "/no/sub").code == ENOENT);
  REQUIRE_FALSE(files.sync_folder(folder.path()));
  std::vector<std::string> names;
  REQUIRE_FALSE(files.list(folder.path(), names));
  CHECK(names.size() == 3);

  std::unique_ptr<FolderLock> lock;
  std::unique_ptr<FolderLock> second;
  REQUIRE_FALSE(files.lock_folder(folder.path(), lock));
  CHECK(files.lock_folder(folder.path(), second).code == EWOULDBLOCK);
  lock.reset();
  CHECK_FALSE(files.lock_folder(folder.path(), second));
}

TEST_CASE("state: a write that the kernel cuts short is continued, then its error is told") {
  const testing::TemporaryFolder folder;
  PosixFileSystem files;
  std::unique_ptr<File> file;
  REQUIRE_FALSE(files.create(folder.path() + "/file", file));
  rlimit old{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const rlimit small{5000, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const IoError error = file->write_at(0, std::vector<std::byte>(9000));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(error.code == EFBIG);
  std::uint64_t size = 0;
  REQUIRE_FALSE(file->size(size));
  CHECK(size == 5000);  // the first call wrote a part, the second met the limit
}

// Runs only in the process that the next test starts.
TEST_CASE("state: child of the kill test" * doctest::skip()) {
  const char* folder = std::getenv("JACKDAW_KILL_FOLDER");
  const char* out = std::getenv("JACKDAW_KILL_PIPE");
  if (folder == nullptr || out == nullptr) return;
  const int fd = std::atoi(out);
  PosixFileSystem files;
  Toy toy;
  StateOptions options = quick_options();
  options.snapshot_after_bytes = 4000;
  StateFolder state(files, folder, toy, options);
  toy.attach(&state);
  std::uint64_t told = 0;
  for (;;) {
    static_cast<void>(toy.teach());
    const std::uint64_t now = state.acknowledged();
    if (now == told) continue;
    told = now;
    if (::write(fd, &now, sizeof now) != sizeof now) return;
  }
}

TEST_CASE("state: kill -9 at any moment loses nothing acknowledged") {
  const std::uint64_t seed = 77;
  MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  const testing::TemporaryFolder folder;
  const std::string state_folder = folder.path() + "/state";
  std::uint64_t acknowledged = 0;
  Toy expected;
  std::uint64_t counted = 0;
  constexpr int kRounds = 25;
  for (int round = 0; round < kRounds; ++round) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ::setenv("JACKDAW_KILL_FOLDER", state_folder.c_str(), 1);
    ::setenv("JACKDAW_KILL_PIPE", std::to_string(ends[1]).c_str(), 1);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(ends[0]);
      ::execl("/proc/self/exe", "state_test", "--no-skip",
              "--test-case=state: child of the kill test", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    // The first word shows that it lives; then it gets a random while.
    std::uint64_t word = 0;
    bool alive = ::read(ends[0], &word, sizeof word) == sizeof word;
    REQUIRE(alive);
    acknowledged = std::max(acknowledged, word);
    std::thread killer([&, pause = random() % 30000] {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      ::kill(child, SIGKILL);
    });
    while (::read(ends[0], &word, sizeof word) == sizeof word)
      acknowledged = std::max(acknowledged, word);
    killer.join();
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));

    PosixFileSystem files;
    Toy toy;
    const RecoveryReport report = StateFolder::read(files, state_folder, toy);
    REQUIRE_FALSE(report.damaged);
    REQUIRE(report.last_sequence >= acknowledged);
    for (; counted < report.last_sequence; ++counted) {
      std::array<std::byte, 400> payload{};
      const std::size_t bytes = Toy::payload_of(counted + 1, payload);
      expected.replay(counted + 1, Toy::kind_of(counted + 1),
                      Span<const std::byte>(payload).first(bytes));
    }
    REQUIRE(counted == report.last_sequence);
    REQUIRE(toy == expected);
  }
  MESSAGE(kRounds << " kills, " << acknowledged << " records acknowledged");
}

TEST_CASE("state: a state folder on the real file system") {
  const testing::TemporaryFolder folder;
  PosixFileSystem files;
  const std::string path = folder.path() + "/state";
  Toy toy;
  {
    StateFolder state(files, path, toy, quick_options());
    Toy other;
    CHECK_THROWS_AS(StateFolder(files, path, other, quick_options()), StateError);
    toy.attach(&state);
    for (int i = 0; i < 30; ++i) {
      while (toy.teach() != Status::kOk) std::this_thread::yield();
    }
    CHECK(state.snapshot(kLong));
  }
  Toy again;
  CHECK(StateFolder::read(files, path, again).last_sequence == 30);
  CHECK(again == toy);
  Toy never;
  CHECK_THROWS_AS(StateFolder(files, folder.path() + "/no/such/place", never), StateError);
  CHECK_THROWS_AS(StateFolder::read(files, folder.path() + "/none", never), StateError);
}

}  // namespace jackdaw::state::test
