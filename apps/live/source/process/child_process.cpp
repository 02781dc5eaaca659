// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

#include "jackdaw/error.hpp"

extern char** environ;  // NOLINT: POSIX gives it no header

namespace jackdaw::live {
namespace {

constexpr std::size_t kKeptWords = 4096;      // bytes of stderr
constexpr std::size_t kMostAtOnce = 1 << 18;  // bytes of stderr read in one go
constexpr std::size_t kLongestLine = 300;

std::mutex leftovers_guard;
std::vector<pid_t> leftovers;

struct SpawnActions {
  SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void give(int from, int as) {
    if (const int code = ::posix_spawn_file_actions_adddup2(&actions, from, as); code != 0) {
      throw StateError("the capture process cannot be started: " +
                       std::generic_category().message(code));
    }
  }
  posix_spawn_file_actions_t actions{};
};

[[noreturn]] void fail(const std::string& what, int code) {
  throw StateError("the capture process cannot be started: " + what + ": " +
                   std::generic_category().message(code));
}

// Above all that the process is given, so that no dup2 overwrites or meets itself.
state::Descriptor copied_high(int descriptor) {
  state::Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, kMemoryDescriptor + 1));
  if (!copy) fail("fcntl", errno);
  return copy;
}

std::vector<std::string> environment_with_mark() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  all.push_back(std::string(kCaptureMark) + "=1");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

bool reaped(pid_t id, int& status) {
  const pid_t got = ::waitpid(id, &status, WNOHANG);
  return got == id || (got < 0 && errno == ECHILD);
}

}  // namespace

ChildProcess::Ends ChildProcess::make_link() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair", errno);
  return {state::Descriptor(ends[0]), state::Descriptor(ends[1])};
}

// Only our end never blocks: a library that cannot write its complaints would go wrong.
ChildProcess::Ends ChildProcess::make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {state::Descriptor(ends[0]), state::Descriptor(ends[1])};
}

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
                           int memory)
    : ChildProcess(program, arguments, memory, make_link(), make_pipe()) {}

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
                           int memory, Ends link, Ends pipe)
    : link_(std::move(link.ours)), stderr_(std::move(pipe.ours)) {
  const state::Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing) fail("/dev/null", errno);

  const auto high_link = copied_high(link.theirs.get());
  const auto high_memory = copied_high(memory);
  const auto high_stderr = copied_high(pipe.theirs.get());
  const auto high_nothing = copied_high(nothing.get());
  SpawnActions spawn;
  spawn.give(high_nothing.get(), 0);
  spawn.give(high_nothing.get(), 1);
  spawn.give(high_stderr.get(), 2);
  spawn.give(high_link.get(), kLinkDescriptor);
  spawn.give(high_memory.get(), kMemoryDescriptor);

  std::vector<std::string> words = arguments, environment = environment_with_mark();
  words.insert(words.begin(), program);
  // Signals that the program blocks (for its own quiet end) must not stay blocked in the child.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int code = ::posix_spawn(&id_, program.c_str(), &spawn.actions, &attributes,
                                 pointers(words).data(), pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  if (code != 0) {
    id_ = -1;
    fail(program, code);
  }
}

ChildProcess::~ChildProcess() {
  if (id_ <= 0 || status_) return;
  ::kill(id_, SIGKILL);
  int status = 0;
  if (reaped(id_, status)) return;
  const std::lock_guard<std::mutex> lock(leftovers_guard);
  leftovers.push_back(id_);
}

std::size_t ChildProcess::reap_leftovers() {
  const std::lock_guard<std::mutex> lock(leftovers_guard);
  leftovers.erase(std::remove_if(leftovers.begin(), leftovers.end(),
                                 [](pid_t id) {
                                   int status = 0;
                                   return reaped(id, status);
                                 }),
                  leftovers.end());
  return leftovers.size();
}

bool ChildProcess::tell(const std::string& text) {
  return ::send(link_.get(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL) ==
         static_cast<ssize_t>(text.size());
}

void ChildProcess::wait(double seconds) {
  read_stderr();
  const auto milliseconds = static_cast<int>(std::ceil(std::clamp(seconds, 0.0, 3600.0) * 1000.0));
  pollfd waits[] = {{link_.get(), POLLIN, 0}, {stderr_.get(), POLLIN, 0}};
  ::poll(waits, stderr_ ? 2 : 1, milliseconds);
  read_stderr();
}

bool ChildProcess::next_note(Note& note) {
  std::array<char, 64> buffer;
  const ssize_t got = ::recv(link_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT | MSG_TRUNC);
  if (got <= 0) return false;
  note.mark = 0;
  if (got == static_cast<ssize_t>(sizeof note)) std::memcpy(&note, buffer.data(), sizeof note);
  return true;
}

std::optional<int> ChildProcess::ended() {
  int status = 0;
  if (!status_ && reaped(id_, status)) status_ = status;
  return status_;
}

void ChildProcess::read_stderr() {
  std::array<char, 4096> buffer;
  for (std::size_t all = 0; stderr_ && all < kMostAtOnce;) {
    const ssize_t got = ::read(stderr_.get(), buffer.data(), buffer.size());
    if (got == 0) static_cast<void>(stderr_.close());
    if (got <= 0) break;
    all += static_cast<std::size_t>(got);
    said_.append(buffer.data(), static_cast<std::size_t>(got));
    if (said_.size() > kKeptWords) said_.erase(0, said_.size() - kKeptWords);
  }
}

std::string ChildProcess::last_words() {
  read_stderr();
  const std::size_t end = said_.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t before = said_.find_last_of('\n', end);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  std::string line = said_.substr(start, std::min(end - start + 1, kLongestLine));
  line.erase(std::remove_if(line.begin(), line.end(),
                            [](unsigned char c) { return c < 0x20 || c == 0x7F; }),
             line.end());
  return line;
}

}  // namespace jackdaw::live
