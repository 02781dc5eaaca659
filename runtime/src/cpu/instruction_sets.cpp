// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which table this machine gets: the one place that asks what the CPU can do.
#include <string_view>

#include "cpu/instruction_sets.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {

std::vector<const Primitives*> runnable_primitives() {
  std::vector<const Primitives*> tables{&kPlainPrimitives};
#if defined(__x86_64__)
  // clang 14 cannot be asked for "f16c" itself; the conversions have found out already.
  const bool halves = std::string_view(half_conversion()) == "f16c";
  const bool fused = halves && __builtin_cpu_supports("fma") != 0;
  if (fused && __builtin_cpu_supports("avx2") != 0) tables.push_back(&kAvx2Primitives);
  if (fused && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512vnni") != 0) {
    tables.push_back(&kAvx512Primitives);
  }
#elif defined(__aarch64__)
  tables.push_back(&kNeonPrimitives);
#endif
  return tables;
}

const Primitives& best_primitives() noexcept {
  static const Primitives& best = *runnable_primitives().back();
  return best;
}

}  // namespace jackdaw
