/* SPDX-FileCopyrightText: The Jackdaw authors
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef JACKDAW_TRT_MODULE_H
#define JACKDAW_TRT_MODULE_H

/* What the program and the module jackdaw-trt.so say to each other. Plain C: the two may come from
 * different compilers, and the program must start where no TensorRT is installed.
 *
 *   const struct jackdaw_trt_functions* trt = jackdaw_trt_module();   found with dlsym
 *   if (trt->abi != JACKDAW_TRT_ABI) ...                              before anything else is read
 *   struct jackdaw_trt_message message;
 *   if (trt->device(&device, &message) != JACKDAW_TRT_OK) puts(message.text);
 *
 * Any change to this file that is not a comment is a new JACKDAW_TRT_ABI. The module writes no
 * files, and reads none but weights that a graph keeps outside. Every function that can fail
 * returns one of the codes below and, unless that is 0, leaves one sentence in the message. Strings
 * end with 0 and are UTF-8; what a pointer points to belongs to the caller and must live until the
 * call returns. */

#include <stddef.h>
#include <stdint.h>

#define JACKDAW_TRT_ABI 2u
#define JACKDAW_TRT_ENTRY "jackdaw_trt_module"

#ifdef __cplusplus
extern "C" {
#endif

enum jackdaw_trt_code {
  JACKDAW_TRT_OK = 0,
  JACKDAW_TRT_FAILED = 1,
  JACKDAW_TRT_NO_DRIVER = 2, /* no CUDA driver, or one older than the module needs */
  JACKDAW_TRT_NO_GPU = 3,
  JACKDAW_TRT_BAD_FRAME = 4,
  JACKDAW_TRT_CANCELLED = 5 /* the progress function said so */
};

enum jackdaw_trt_level { JACKDAW_TRT_INFO = 0, JACKDAW_TRT_WARNING = 1, JACKDAW_TRT_ERROR = 2 };

struct jackdaw_trt_message {
  char text[1024];
};

struct jackdaw_trt_device {
  char name[256];
  uint32_t sm_major, sm_minor;
  uint32_t multiprocessors;
  uint64_t memory_bytes;
};

/* What a graph takes and gives: float, batch x channels x height x width -> batch x output_size. */
struct jackdaw_trt_graph {
  const char* input_name;
  const char* output_name;
  uint32_t channels, height, width;
  uint32_t output_size;
};

struct jackdaw_trt_build {
  struct jackdaw_trt_graph graph;
  const void* onnx;
  size_t onnx_bytes;
  const char* onnx_path; /* for messages, and for files that the graph refers to */
  uint32_t half;         /* 1: the graph is of 16 bits; 0: of 32 */
  uint32_t batch_min, batch_opt, batch_max;
  uint64_t workspace_bytes;
  const void* timing_cache; /* of an earlier build, or null */
  size_t timing_cache_bytes;
  void* user; /* handed to the three functions */
  /* done: 0 to 1, never less than before; step: for people. 0: stop. From any thread. */
  int (*progress)(void* user, double done, const char* step);
  /* Once each, after success. A result of 0 fails the build. */
  int (*take_plan)(void* user, const void* plan, size_t bytes);
  int (*take_timing_cache)(void* user, const void* cache, size_t bytes);
};

struct jackdaw_trt_open {
  struct jackdaw_trt_graph graph;
  const void* plan; /* executable code: the caller has made sure that it can be trusted */
  size_t plan_bytes;
  uint32_t colour;        /* jackdaw::ColourOrder */
  const float* mean;      /* channels */
  const float* deviation; /* channels */
  uint64_t staging_bytes; /* of device memory, for frames that come from the host; 0: usual */
};

struct jackdaw_trt_frame { /* jackdaw::FrameView */
  uint32_t format, memory;
  uint32_t width, height;
  const void* data;
  size_t stride;
  const void* colour;
  size_t colour_stride;
};

/* An embedding that has not left the GPU; of the encoder, until its next call. */
struct jackdaw_trt_embedding {
  const float* data; /* device memory: output_size floats */
  void* ready;       /* a cudaEvent_t: the floats are there when it is done */
};

struct jackdaw_trt_times { /* seconds */
  double preprocess;       /* copies of the frames included */
  double encode;
};

struct jackdaw_trt_encoder; /* one thread at a time */

struct jackdaw_trt_functions {
  uint32_t abi; /* first, for ever */

  /* The version of the TensorRT that is loaded, such as "10.3.0"; static storage. */
  const char* (*tensorrt_version)(void);
  /* Where messages go from now on; a null function: nowhere. From any thread. */
  void (*set_log)(void (*log)(void* user, int level, const char* text), void* user);
  int (*device)(struct jackdaw_trt_device* out, struct jackdaw_trt_message* message);
  int (*build)(const struct jackdaw_trt_build* request, struct jackdaw_trt_message* message);

  int (*open)(const struct jackdaw_trt_open* request, struct jackdaw_trt_encoder** out,
              struct jackdaw_trt_message* message);
  /* Any number of frames; embeddings: output_size floats each. */
  int (*encode)(struct jackdaw_trt_encoder* encoder, const struct jackdaw_trt_frame* frames,
                size_t count, float* embeddings, struct jackdaw_trt_message* message);
  /* One frame. Returns before the GPU is done; the frame must stay until the embedding is ready. */
  int (*encode_on_device)(struct jackdaw_trt_encoder* encoder,
                          const struct jackdaw_trt_frame* frame,
                          struct jackdaw_trt_embedding* embedding,
                          struct jackdaw_trt_message* message);
  /* How long the last of these two calls took on the GPU. Waits until it is done. */
  int (*times)(struct jackdaw_trt_encoder* encoder, struct jackdaw_trt_times* out,
               struct jackdaw_trt_message* message);
  void (*close)(struct jackdaw_trt_encoder* encoder); /* null: nothing to do */
};

/* The one symbol that the module exports. Never null. */
typedef const struct jackdaw_trt_functions* (*jackdaw_trt_entry)(void);

#ifdef __cplusplus
}
#endif

#endif
