// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo_source.hpp"
#include "live/source/folder_source.hpp"
#include "live/source/process_source.hpp"
#include "live/source/source.hpp"
#include "live/source/source_uri.hpp"

namespace jackdaw::live {

std::unique_ptr<Source> open_source(const SourceOptions& options) {
  check_options(options);
  const SourceUri uri = parse_source_uri(options.uri);
  if (uri.kind == SourceKind::kDemo) return std::make_unique<DemoSource>(uri, options);
  if (uri.kind == SourceKind::kPictures) return std::make_unique<FolderSource>(uri, options);
  CaptureProgram program;
  program.path = options.program;
  return std::make_unique<ProcessSource>(uri, options, program);
}

}  // namespace jackdaw::live
