#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the TensorRT module against the headers of every TensorRT that it is given:
#
#   JACKDAW_TRT_HEADERS=FOLDER trt_compile_check.sh ROOT COMPILER
#
# FOLDER holds one folder for each version, with include/NvInfer.h and include/NvOnnxParser.h. CUDA's
# own headers are taken from $CUDA_HOME, or from where CUDA installs itself. Exit code 77: skipped.
set -euo pipefail
root=${1:?the root of the repository} compiler=${2:-c++}

skip() { echo "skipped: $1"; exit 77; }

[[ -n ${JACKDAW_TRT_HEADERS:-} ]] || skip "JACKDAW_TRT_HEADERS names no folder with TensorRT's headers"
cuda=
for folder in ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include /usr/include /usr/local/include; do
  if [[ -f $folder/cuda_runtime_api.h ]]; then cuda=$folder; break; fi
done
[[ -n $cuda ]] || skip "cuda_runtime_api.h is not installed; CUDA_HOME may say where it is"

sources=(module.cpp engine_builder.cpp build_progress.cpp device_input.cpp host_input.cpp trt_encoder.cpp trt_log.cpp)
flags=(-std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror -DJACKDAW_HAS_CUDA=1
       -I "$root/engines/src" -I "$root/engines/include" -I "$root/runtime/src" -I "$root/runtime/include")
checked=0 failed=0
for headers in "$JACKDAW_TRT_HEADERS"/*/include; do
  [[ -f $headers/NvInfer.h && -f $headers/NvOnnxParser.h ]] || continue
  version=$(basename "$(dirname "$headers")")
  good=0
  for source in "${sources[@]}"; do
    # -Wdeprecated-declarations counts in system headers' users, that is, in our own code.
    if "$compiler" "${flags[@]}" -isystem "$headers" -isystem "$cuda" "$root/engines/src/trt/$source"; then
      good=$((good + 1))
    else
      echo "TensorRT $version: engines/src/trt/$source does not compile"
      failed=$((failed + 1))
    fi
  done
  echo "TensorRT $version: $good of ${#sources[@]} files compile"
  checked=$((checked + 1))
done
[[ $checked -gt 0 ]] || skip "$JACKDAW_TRT_HEADERS has no VERSION/include with NvInfer.h and NvOnnxParser.h"
[[ $failed -eq 0 ]] || { echo "$failed compilations failed"; exit 1; }
