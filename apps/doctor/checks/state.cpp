// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Whether what was learned is whole. Class names are the user's own and are not reported.
#include <algorithm>
#include <filesystem>

#include "doctor/check.hpp"
#include "doctor/words.hpp"
#include "jackdaw/learner.hpp"
#include "state/inspect.hpp"
#include "state/posix_file_system.hpp"

namespace jackdaw::doctor {

Finding check_state(const DoctorOptions& options) {
  const std::string& folder = options.learner_folder;
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return not_run("nothing has been learned yet: there is no " + folder);
  }
  state::PosixFileSystem files;
  const auto found = state::inspect_folder(files, folder);
  if (found.empty()) return not_run("nothing has been learned yet in " + folder);
  nlohmann::json facts{{"files", nlohmann::json::array()}};
  std::string damage;
  for (const state::InspectedFile& file : found) {
    facts["files"].push_back(
        {{"name", file.name}, {"good", file.good}, {"bytes", file.bytes}, {"text", file.text}});
    const bool unfinished = file.kind == state::FileKind::kPartial;
    if (!file.good && !unfinished) damage += "; " + file.name + ": " + file.text;
  }
  const Learner learner = load_copy(folder);  // throws where it cannot be recovered
  const std::vector<ClassInfo> classes = learner.classes();
  const std::uint64_t examples = learner.statistics().examples;
  const auto clipped = std::count_if(classes.begin(), classes.end(),
                                     [](const ClassInfo& c) { return c.clipped > 0; });
  facts["classes"] = classes.size();
  facts["examples"] = examples;
  facts["clipped_classes"] = clipped;
  const std::string text = std::to_string(classes.size()) + " classes, " +
                           std::to_string(examples) + " examples in " + folder;
  if (!damage.empty()) {
    return warning(text + damage,
                   "what could be recovered is used; keep a copy of the folder, and attach this "
                   "report to an issue",
                   facts);
  }
  Finding out = ok(text, facts);
  if (clipped > 0) {
    out.advice = std::to_string(clipped) +
                 " classes met the store's limit: undo and merge are no longer exact for them";
  }
  return out;
}

}  // namespace jackdaw::doctor
