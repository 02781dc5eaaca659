// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw doctor: what this device is, and whether Jackdaw works on it.
#include "doctor/doctor.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>

#include "jackdaw/commands.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/state_argument.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::app {
namespace {

struct Options {
  doctor::DoctorOptions doctor;
  bool json = false;
};

// Some checks take seconds; where nobody watches nothing is printed.
void show_progress(const doctor::Check& check, std::size_t done, std::size_t total) {
  if (::isatty(STDERR_FILENO) != 1) return;
  std::fprintf(stderr, "\r\033[K%zu of %zu: %s, %s ...", done + 1, total, check.group, check.title);
  std::fflush(stderr);
}

void run(Options o) {
  if (!o.doctor.source.empty()) {
    static_cast<void>(live::parse_source_uri(o.doctor.source));  // called wrongly, if it is none
  }
  if (o.doctor.state_folder.empty()) o.doctor.state_folder = default_state_folder();
  o.doctor.learner_folder = learner_folder(o.doctor.state_folder);
  const doctor::Report report = doctor::examine(
      o.doctor, doctor::all_checks(), doctor::Redaction::of_this_machine(), show_progress);
  if (::isatty(STDERR_FILENO) == 1) std::fprintf(stderr, "\r\033[K");
  const std::string text = o.json ? doctor::report_json(report) : doctor::report_text(report);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  const std::size_t failed = report.count(doctor::Outcome::kFailed);
  if (failed > 0) {
    throw Error("doctor: " + std::to_string(failed) +
                (failed == 1 ? " check failed" : " checks failed") + "; the report says which");
  }
}

}  // namespace

void add_doctor_command(CLI::App& program) {
  auto o = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "doctor", "Tell what this device is and whether Jackdaw works on it; fit for an issue");
  command->add_flag("--json", o->json, "Print JSON");
  command->add_flag("--quick", o->doctor.quick, "Leave out what takes longer than a second");
  command->add_option("--source", o->doctor.source,
                      "Take a picture from it, too; as of 'jackdaw camera'");
  command->add_option("--state", o->doctor.state_folder,
                      "Where what is learned is kept; not given: ~/.local/state/jackdaw/camera");
  o->doctor.encoder = kDefaultEncoder;
  command->add_option("--encoder", o->doctor.encoder, "Its name or manifest")
      ->capture_default_str();
  command->footer("Example: jackdaw doctor --source csi://0 --state /var/lib/jackdaw > report.txt");
  command->callback([o] { run(*o); });
}

}  // namespace jackdaw::app
