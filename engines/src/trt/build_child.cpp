// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/build_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "jackdaw/log.hpp"
#include "state/descriptor.hpp"

extern char** environ;  // NOLINT: POSIX gives it no header

namespace jackdaw::trt {
namespace {

constexpr int kAskEvery = 200;  // ms: how soon a wish to stop is noticed
constexpr std::size_t kLongestLine = 64 * 1024;

// How often the kernel has killed for memory since it started; 0 where it does not say.
std::uint64_t oom_kills() {
  std::ifstream in("/proc/vmstat");
  std::string name;
  std::uint64_t value = 0;
  while (in >> name >> value) {
    if (name == "oom_kill") return value;
  }
  return 0;
}

struct SpawnActions {
  SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t actions{};
};

// A child that is always waited for: killed first if it still runs.
class Child {
 public:
  Child(const std::string& program, const EngineRequest& request, int pipe) {
    std::vector<std::string> words = to_arguments(request);
    words.insert(words.begin(), {program, kBuildCommand});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    SpawnActions spawn;
    // dup2 of a descriptor onto itself would leave it closed on exec, hence the copy far away.
    const state::Descriptor copy(::fcntl(pipe, F_DUPFD_CLOEXEC, kBuildPipe + 1));
    const int added =
        copy.get() < 0 ? errno
                       : ::posix_spawn_file_actions_adddup2(&spawn.actions, copy.get(), kBuildPipe);
    const int code = added != 0 ? added
                                : ::posix_spawn(&pid_, program.c_str(), &spawn.actions, nullptr,
                                                argv.data(), environ);
    if (code != 0) {
      throw EncoderError("the engine build cannot be started: " + program + ": " +
                         std::generic_category().message(code));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ <= 0) return;
    stop();
    try {
      wait();
    } catch (...) {  // there is nothing left to wait for
    }
  }

  void stop() const noexcept { ::kill(pid_, SIGKILL); }

  int wait() {
    int status = 0;
    pid_t got = 0;
    do {
      got = ::waitpid(pid_, &status, 0);
    } while (got < 0 && errno == EINTR);
    pid_ = -1;
    if (got < 0) {
      throw EncoderError("the engine build cannot be waited for: " +
                         std::generic_category().message(errno));
    }
    return status;
  }

 private:
  pid_t pid_ = -1;
};

struct Heard {
  std::string path, error;
  std::string step = "starting";
  double done = 0.0;
};

void hear(const std::string& line, Heard& heard) {
  const std::size_t space = line.find(' ');
  const std::string kind = line.substr(0, space);
  const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  const std::size_t second = rest.find(' ');
  const std::string tail = second == std::string::npos ? "" : rest.substr(second + 1);
  if (kind == "progress") {
    heard.done = std::strtod(rest.c_str(), nullptr);
    heard.step = tail;
  } else if (kind == "log") {
    log(rest[0] == '0'   ? LogLevel::kInfo
        : rest[0] == '1' ? LogLevel::kWarning
                         : LogLevel::kError,
        tail);
  } else if (kind == "done") {
    heard.path = rest;
  } else if (kind == "error") {
    heard.error = rest;
  }  // anything else is what some library printed
}

// Until the child closes its end. False: the caller wants it stopped.
bool listen(int pipe, const BuildReport& report, Heard& heard) {
  std::string pending;
  std::array<char, 4096> buffer;
  for (;;) {
    pollfd wait{pipe, POLLIN, 0};
    const int ready = ::poll(&wait, 1, kAskEvery);
    if (ready > 0) {
      const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
      if (got == 0) return true;
      if (got < 0 && errno != EINTR) return true;
      if (got > 0) pending.append(buffer.data(), static_cast<std::size_t>(got));
      for (std::size_t end = pending.find('\n'); end != std::string::npos;
           end = pending.find('\n')) {
        hear(pending.substr(0, end), heard);
        pending.erase(0, end + 1);
      }
      if (pending.size() > kLongestLine) pending.clear();
    }
    if (report && !report(heard.done, heard.step)) return false;
  }
}

[[noreturn]] void explain(int status, const Heard& heard, bool kernel_killed) {
  const std::string where = " while it was at: " + heard.step;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) {
      throw EncoderError(
          std::string("the engine build was killed") + where +
          (kernel_killed ? "; the kernel ran out of memory" : "; most likely memory ran out") +
          ": close other programs, add swap, or build with less workspace or a "
          "smaller batch");
    }
    throw EncoderError("the engine build crashed inside TensorRT (" +
                       std::string(::strsignal(signal)) + ")" + where +
                       "; try fp32, or another TensorRT");
  }
  if (!heard.error.empty()) throw EncoderError(heard.error);
  throw EncoderError("the engine build ended with code " + std::to_string(WEXITSTATUS(status)) +
                     " and without a word" + where);
}

}  // namespace

std::string run_build_child(const std::string& program, const EngineRequest& request,
                            const BuildReport& report) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw EncoderError("the engine build cannot be started: " +
                       std::generic_category().message(errno));
  }
  const state::Descriptor in(ends[0]);
  state::Descriptor out(ends[1]);
  const std::uint64_t kills_before = oom_kills();
  Child child(program.empty() ? "/proc/self/exe" : program, request, out.get());
  out.close();  // only the child's end is left: its end is the end of the file
  Heard heard;
  if (!listen(in.get(), report, heard)) {
    throw EngineBuildStopped("the engine build was stopped");  // ~Child ends it
  }
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !heard.path.empty()) return heard.path;
  explain(status, heard, oom_kills() > kills_before);
}

}  // namespace jackdaw::trt
