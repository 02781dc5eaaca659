// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A jackdaw-trt.so without TensorRT, for trt_module_test.cpp. What goes wrong is chosen when it is
// compiled (FAKE_ABI, FAKE_NO_ENTRY, FAKE_NULL) or when it runs ($JACKDAW_FAKE_TRT).
//
// It builds the plan "plan of " + the ONNX file. Its embeddings hold the frame's first byte, plus
// the place in the embedding.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "trt/module.h"

struct jackdaw_trt_encoder {
  std::uint32_t output_size;
};

namespace {

void (*log_function)(void*, int, const char*) = nullptr;
void* log_user = nullptr;

bool told(const char* what) {
  const char* text = std::getenv("JACKDAW_FAKE_TRT");
  return text != nullptr && std::strcmp(text, what) == 0;
}

int refuse(int code, const char* text, jackdaw_trt_message* message) {
  std::snprintf(message->text, sizeof message->text, "%s", text);
  return code;
}

const char* version() { return "10.3.0"; }

void set_log(void (*log)(void*, int, const char*), void* user) {
  log_function = log;
  log_user = user;
}

int device(jackdaw_trt_device* out, jackdaw_trt_message* message) {
  if (told("no driver")) return refuse(JACKDAW_TRT_NO_DRIVER, "driver too old", message);
  if (told("no gpu")) return refuse(JACKDAW_TRT_NO_GPU, "none is there", message);
  if (told("gpu failed")) return refuse(JACKDAW_TRT_FAILED, "unspecified launch failure", message);
  std::snprintf(out->name, sizeof out->name, "Orin");
  out->sm_major = 8;
  out->sm_minor = 7;
  out->multiprocessors = 8;
  out->memory_bytes = std::uint64_t{8} << 30U;
  return JACKDAW_TRT_OK;
}

int build(const jackdaw_trt_build* request, jackdaw_trt_message* message) {
  if (request->progress(request->user, 0.25, "reading\nthe graph") == 0) {
    return refuse(JACKDAW_TRT_CANCELLED, "stopped", message);
  }
  if (told("killed")) std::raise(SIGKILL);
  if (told("crash")) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
    std::raise(SIGSEGV);
  }
  if (told("silent exit")) std::_Exit(7);
  if (told("refuse")) return refuse(JACKDAW_TRT_FAILED, "no such operator", message);
  while (told("slow")) {
    if (request->progress(request->user, 0.5, "for ever") == 0) {
      return refuse(JACKDAW_TRT_CANCELLED, "stopped", message);
    }
  }
  if (log_function != nullptr) log_function(log_user, JACKDAW_TRT_WARNING, "a tactic is slow");
  const std::string plan =
      "plan of " + std::string(static_cast<const char*>(request->onnx), request->onnx_bytes);
  if (request->take_plan(request->user, plan.data(), plan.size()) == 0) {
    return refuse(JACKDAW_TRT_FAILED, "the plan was not taken", message);
  }
  const std::string timings =
      std::string(static_cast<const char*>(request->timing_cache), request->timing_cache_bytes) +
      "t";
  request->take_timing_cache(request->user, timings.data(), timings.size());
  request->progress(request->user, 1.0, "done");
  return JACKDAW_TRT_OK;
}

int open(const jackdaw_trt_open* request, jackdaw_trt_encoder** out, jackdaw_trt_message* message) {
  *out = nullptr;
  const std::string plan(static_cast<const char*>(request->plan), request->plan_bytes);
  if (plan.rfind("plan of ", 0) != 0) return refuse(JACKDAW_TRT_FAILED, "not a plan", message);
  if (told("open failed")) return refuse(JACKDAW_TRT_FAILED, "out of device memory", message);
  *out = new jackdaw_trt_encoder{request->graph.output_size};
  return JACKDAW_TRT_OK;
}

int encode(jackdaw_trt_encoder* encoder, const jackdaw_trt_frame* frames, size_t count,
           float* embeddings, jackdaw_trt_message* message) {
  if (told("bad frame")) return refuse(JACKDAW_TRT_BAD_FRAME, "no picture", message);
  if (told("encode failed"))
    return refuse(JACKDAW_TRT_FAILED, "unspecified launch failure", message);
  for (size_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < encoder->output_size; ++j) {
      const auto first = static_cast<const unsigned char*>(frames[i].data)[0];
      *embeddings++ = static_cast<float>(first) + static_cast<float>(j);
    }
  }
  return JACKDAW_TRT_OK;
}

int encode_on_device(jackdaw_trt_encoder*, const jackdaw_trt_frame*, jackdaw_trt_embedding*,
                     jackdaw_trt_message* message) {
  return refuse(JACKDAW_TRT_FAILED, "this module has no GPU", message);
}

int times(jackdaw_trt_encoder*, jackdaw_trt_times* out, jackdaw_trt_message* message) {
  if (told("no times")) return refuse(JACKDAW_TRT_FAILED, "unspecified launch failure", message);
  *out = {0.25, 0.5};
  return JACKDAW_TRT_OK;
}

void close(jackdaw_trt_encoder* encoder) { delete encoder; }

#ifndef FAKE_ABI
#define FAKE_ABI JACKDAW_TRT_ABI
#endif

[[maybe_unused]] const jackdaw_trt_functions functions = {
    FAKE_ABI, version, set_log, device, build, open, encode, encode_on_device, times, close};

}  // namespace

#ifndef FAKE_NO_ENTRY
extern "C" const jackdaw_trt_functions* jackdaw_trt_module() {
#ifdef FAKE_NULL
  return nullptr;
#else
  return &functions;
#endif
}
#endif
