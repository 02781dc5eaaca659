// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/head.hpp"

#include "heads/make_heads.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr HeadKind kKinds[] = {HeadKind::kNearestMean, HeadKind::kSlda, HeadKind::kKnn,
                               HeadKind::kVanilla, HeadKind::kTanh};

}  // namespace

const char* name_of(HeadKind kind) noexcept {
  switch (kind) {
    case HeadKind::kNearestMean:
      return "ncm";
    case HeadKind::kSlda:
      return "slda";
    case HeadKind::kKnn:
      return "knn";
    case HeadKind::kVanilla:
      return "vanilla";
    case HeadKind::kTanh:
      return "tanh";
  }
  return "?";
}

HeadKind head_kind(const std::string& name) {
  std::string known;
  for (const HeadKind kind : kKinds) {
    if (name == name_of(kind)) return kind;
    known += (known.empty() ? "" : ", ") + std::string(name_of(kind));
  }
  throw SettingsError("there is no head \"" + name + "\" to compare with; there are " + known);
}

std::unique_ptr<Head> make_head(HeadKind kind, const HeadSettings& settings) {
  switch (kind) {
    case HeadKind::kNearestMean:
      return make_nearest_mean_head(settings);
    case HeadKind::kSlda:
      return make_slda_head(settings);
    case HeadKind::kKnn:
      return make_knn_head(settings);
    case HeadKind::kVanilla:
      return make_vanilla_head(settings);
    case HeadKind::kTanh:
      return make_tanh_head(settings);
  }
  throw SettingsError("unknown kind of head");
}

}  // namespace jackdaw
