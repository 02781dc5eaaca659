// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The checks, one file each in checks/. A check looks, changes nothing that stays, and may throw:
// then it has failed with that message.
//
//   for (const Check& check : all_checks()) show(check.title, check.run(options));

#include <string>
#include <vector>

#include "doctor/finding.hpp"

namespace jackdaw::doctor {

struct DoctorOptions {
  std::string root = "/";      // in which proc/, sys/, etc/, var/ and dev/ are found
  std::string encoder;         // by its name
  std::string state_folder;    // the program's
  std::string learner_folder;  // the learner's: the same, or in it
  std::string source;          // a camera to take a picture from; empty: they are only listed
  bool quick = false;          // leave out what takes longer than a second
};

struct Check {
  const char* name;   // in JSON: "ensemble_speed"
  const char* group;  // "device", "GPU", "learner", "encoder", "camera", "disk"
  const char* title;  // for people: "speed"
  bool slow;          // takes longer than a second
  Finding (*run)(const DoctorOptions& options);
};

// In the order in which they are run and shown.
const std::vector<Check>& all_checks();

Finding check_board(const DoctorOptions& options);
Finding check_processor(const DoctorOptions& options);
Finding check_memory(const DoctorOptions& options);
Finding check_power(const DoctorOptions& options);
Finding check_cuda(const DoctorOptions& options);
Finding check_tensorrt(const DoctorOptions& options);
Finding check_parity(const DoctorOptions& options);
Finding check_graph(const DoctorOptions& options);
Finding check_allocations(const DoctorOptions& options);
Finding check_ensemble_speed(const DoctorOptions& options);
Finding check_libraries(const DoctorOptions& options);
Finding check_encoder(const DoctorOptions& options);
Finding check_encoder_speed(const DoctorOptions& options);
Finding check_cameras(const DoctorOptions& options);
Finding check_source(const DoctorOptions& options);
Finding check_disk(const DoctorOptions& options);
Finding check_state(const DoctorOptions& options);

}  // namespace jackdaw::doctor
