// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/build_main.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "files/whole_file.hpp"
#include "jackdaw/log.hpp"
#include "jackdaw/sha256.hpp"
#include "trt/engine_file.hpp"

namespace jackdaw::trt {
namespace {

struct Stopped : EncoderError {
  using EncoderError::EncoderError;
};

// One line, whatever the text holds; false when the parent is gone.
bool send(int pipe, const std::string& kind, std::string text) noexcept {
  try {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
    const std::string line = kind + " " + text + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t written = ::write(pipe, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  } catch (...) {  // no memory for the line
    return false;
  }
}

// When memory runs out, this process is the one to go, not the camera loop that started it.
void volunteer_for_the_oom_killer() noexcept {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  // Not being allowed to is no reason not to build.
  [[maybe_unused]] const ssize_t written = ::write(fd, "1000", 4);
  ::close(fd);
}

std::string read_graph(const EngineRequest& request) {
  std::string onnx = read_whole_file(request.onnx_path);
  Sha256 hash;
  hash.add(std::string_view(onnx));
  if (to_hex(hash.finish()) != request.onnx_sha256) {
    throw EncoderError(request.onnx_path +
                       ": is not the file that its manifest names, the SHA-256 differs; get the "
                       "encoder again");
  }
  return onnx;
}

// What the module's calls need while it builds.
struct Building {
  const EngineRequest& request;
  const EngineKey& key;
  const BuildReport& report;
  std::string path;
  std::exception_ptr trouble;  // of ours; it must not cross the module

  template <class Work>
  int guarded(Work work) noexcept {
    try {
      return work() ? 1 : 0;
    } catch (...) {
      trouble = std::current_exception();
      return 0;
    }
  }
};

int on_progress(void* user, double done, const char* step) {
  auto& building = *static_cast<Building*>(user);
  return building.guarded([&] { return !building.report || building.report(done, step); });
}

int on_plan(void* user, const void* plan, std::size_t bytes) {
  auto& building = *static_cast<Building*>(user);
  return building.guarded([&] {
    store_engine(building.path, to_text(building.key),
                 {static_cast<const std::byte*>(plan), bytes});
    return true;
  });
}

int on_timing_cache(void* user, const void* cache, std::size_t bytes) {
  auto& building = *static_cast<Building*>(user);
  try {
    store_engine(timing_cache_path(building.request, building.key), timing_cache_text(building.key),
                 {static_cast<const std::byte*>(cache), bytes});
    return 1;
  } catch (const std::exception& error) {
    log(LogLevel::kWarning, error.what());  // it only would have saved time
    return 0;
  }
}

std::vector<std::byte> stored_timings(const EngineRequest& request, const EngineKey& key) {
  try {
    return load_engine(timing_cache_path(request, key), timing_cache_text(key));
  } catch (const EngineFileError& error) {
    if (error.fault != EngineFault::kMissing) {
      log(LogLevel::kWarning,
          std::string("timings of earlier builds are not used: ") + error.what());
    }
    return {};
  }
}

int run(const std::vector<std::string>& arguments, int pipe) {
  EngineRequest request;
  try {
    request = from_arguments(arguments);
  } catch (const EncoderError& error) {
    send(pipe, "error", error.what());
    return 2;
  }
  try {
    const std::string path = build_and_store(request, [&](double done, const std::string& step) {
      char number[16];
      std::snprintf(number, sizeof number, "%.4f ", done);
      return send(pipe, "progress", number + step);
    });
    return send(pipe, "done", path) ? 0 : 1;
  } catch (const Stopped& error) {
    send(pipe, "error", error.what());
    return 3;
  } catch (const std::exception& error) {
    send(pipe, "error", error.what());
    return 1;
  }
}

}  // namespace

std::string build_and_store(const EngineRequest& request, const BuildReport& report) {
  const TrtModule module =
      request.module_path.empty() ? find_trt_module() : open_trt_module(request.module_path);
  const EngineKey key = make_key(request, module, module.device().id);
  const std::string onnx = read_graph(request);
  const std::vector<std::byte> timings = stored_timings(request, key);
  remove_leftovers(request.engine_folder);

  Building building{request, key, report, engine_path(request, key), nullptr};
  jackdaw_trt_build build{};
  build.graph = {request.input_name.c_str(),
                 request.output_name.c_str(),
                 request.channels,
                 request.height,
                 request.width,
                 request.output_size};
  build.onnx = onnx.data();
  build.onnx_bytes = onnx.size();
  build.onnx_path = request.onnx_path.c_str();
  build.half = request.precision == Precision::kHalf ? 1 : 0;
  build.batch_min = request.batch.min;
  build.batch_opt = request.batch.opt;
  build.batch_max = request.batch.max;
  build.workspace_bytes = request.workspace_bytes;
  build.timing_cache = timings.empty() ? nullptr : timings.data();
  build.timing_cache_bytes = timings.size();
  build.user = &building;
  build.progress = &on_progress;
  build.take_plan = &on_plan;
  build.take_timing_cache = &on_timing_cache;

  jackdaw_trt_message message{};
  const int code = module.functions().build(&build, &message);
  if (building.trouble) std::rethrow_exception(building.trouble);
  if (code == JACKDAW_TRT_CANCELLED) throw Stopped("the engine build was stopped");
  if (code != JACKDAW_TRT_OK) throw EncoderError("engine build: " + std::string(message.text));
  return building.path;
}

int build_engine_main(const std::vector<std::string>& arguments, int pipe) noexcept {
  std::signal(SIGPIPE,
              SIG_IGN);  // a parent that is gone shows as a failed write, which stops the build
  volunteer_for_the_oom_killer();
  try {
    set_log([pipe](LogLevel level, const char* text) {
      send(pipe, "log", std::to_string(static_cast<int>(level)) + " " + text);
    });
    return run(arguments, pipe);
  } catch (...) {
    send(pipe, "error", "there is not enough memory");
    return 1;
  }
}

}  // namespace jackdaw::trt
