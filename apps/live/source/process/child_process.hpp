// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The process that captures, as the program sees it: started, listened to, killed, never waited
// for.
//
//   ChildProcess child(program, arguments, memory.descriptor());
//   child.tell(to_text(request));
//   child.wait(0.1);                               // until it says something, or the time is over
//   while (child.next_note(note)) ...

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "live/source/process/capture_link.hpp"
#include "state/descriptor.hpp"

namespace jackdaw::live {

class ChildProcess {
 public:
  // Throws StateError if it cannot be started.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, int memory);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills it; one that the kernel holds on to is left to reap_leftovers()

  bool tell(const std::string& text);
  void wait(double seconds);
  // The next note, if there is one; a message that is none has Note::mark 0.
  bool next_note(Note& note);
  // How it ended, as of waitpid(); none while it runs.
  std::optional<int> ended();
  // The last line that it wrote to stderr, made printable.
  std::string last_words();
  pid_t id() const noexcept { return id_; }

  // Collects those that were killed, and says how many are still there: a driver that hangs keeps a
  // process from dying.
  static std::size_t reap_leftovers();

 private:
  struct Ends {
    state::Descriptor ours, theirs;
  };
  static Ends make_link();
  static Ends make_pipe();
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments, int memory,
               Ends link, Ends pipe);
  void read_stderr();

  pid_t id_ = -1;
  state::Descriptor link_, stderr_;
  std::string said_;  // the end of stderr
  std::optional<int> status_;
};

}  // namespace jackdaw::live
