// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/mutant.hpp"

#include <cstring>
#include <utility>

namespace jackdaw::emulation {

bool mutants_watched = false;

namespace {

std::string active;
bool recording = false;
std::set<std::string> names;

}  // namespace

bool consult_mutant(const char* name) {
  if (recording) names.insert(name);
  return std::strcmp(active.c_str(), name) == 0;
}

ActiveMutant::ActiveMutant(std::string name) {
  active = std::move(name);
  mutants_watched = true;
}

ActiveMutant::~ActiveMutant() {
  active.clear();
  mutants_watched = false;
}

std::set<std::string> record_mutants(const std::function<void()>& work) {
  names.clear();
  mutants_watched = recording = true;
  work();
  mutants_watched = recording = false;
  return names;
}

}  // namespace jackdaw::emulation
