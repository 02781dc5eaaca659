// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Named faults in the kernels, off unless a test switches one on.
//
//   const ActiveMutant broken("top_k.barrier");   // until the end of the scope
//   ... run the checks: they must fail ...

#include <functional>
#include <set>
#include <string>

namespace jackdaw::emulation {

bool consult_mutant(const char* name);
extern bool mutants_watched;  // false: nothing is switched on, and asking costs one load

class ActiveMutant {
 public:
  explicit ActiveMutant(std::string name);
  ~ActiveMutant();
  ActiveMutant(const ActiveMutant&) = delete;
  ActiveMutant& operator=(const ActiveMutant&) = delete;
};

// Every name that a kernel asks for while the work runs; none is switched on.
std::set<std::string> record_mutants(const std::function<void()>& work);

}  // namespace jackdaw::emulation
