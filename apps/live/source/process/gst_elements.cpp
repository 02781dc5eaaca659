// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process/gst_elements.hpp"

#include <dlfcn.h>

namespace jackdaw::live {

std::string missing_element(std::initializer_list<const char*> names) {
  // Never closed: GStreamer does not stand being unloaded.
  void* const library = ::dlopen("libgstreamer-1.0.so.0", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) return "GStreamer is not installed (libgstreamer-1.0.so.0)";
  using Initialise = int (*)(int*, char***, void**);
  using Find = void* (*)(const char*);
  const auto initialise = reinterpret_cast<Initialise>(::dlsym(library, "gst_init_check"));
  const auto find = reinterpret_cast<Find>(::dlsym(library, "gst_element_factory_find"));
  if (initialise == nullptr || find == nullptr || initialise(nullptr, nullptr, nullptr) == 0) {
    return "GStreamer cannot be started";
  }
  for (const char* name : names) {
    if (find(name) == nullptr) return std::string("GStreamer has no element '") + name + "'";
  }
  return {};
}

}  // namespace jackdaw::live
