#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the kernels for sm_72 and sm_87 with clang-19 and CUDA 12.6's headers and ptxas from PyPI, because an nvcc that
# knows sm_72 is not to be had there:
#
#   clang_device_code.sh SOURCE WORK       # WORK keeps what was downloaded
#
# Exit 0: they compile, 1: not, 77: no clang-19 or no network.
set -euo pipefail
source=$1 work=$2 cuda=$2/cuda-12.6

command -v clang++-19 >/dev/null || { echo "skipped: clang-19 is not installed (Debian 12: apt-get install clang-19)"; exit 77; }
if [[ ! -x $cuda/bin/ptxas ]]; then
  rm -rf "$work"
  mkdir -p "$work/wheels" "$work/part/lib64"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work/wheels" \
    nvidia-cuda-runtime-cu12==12.6.77 nvidia-cuda-nvcc-cu12==12.6.85 nvidia-curand-cu12==10.3.7.77 ||
    { echo "skipped: pip could not download CUDA 12.6"; exit 77; }
  for wheel in "$work"/wheels/*.whl; do python3 -m zipfile --extract "$wheel" "$work/tree"; done
  for part in cuda_runtime cuda_nvcc curand; do cp -r "$work/tree/nvidia/$part/." "$work/part"; done
  : >"$work/part/include/curand_mtgp32_kernel.h"  # clang includes it; the wheel lacks it, and no kernel uses it
  chmod +x "$work"/part/bin/*
  mv "$work/part" "$cuda"
fi
for unit in runtime/src/cuda/sequences.cu engines/src/preprocess/enqueue_preprocess.cu; do
  for architecture in 72 87; do
    clang++-19 -x cuda --cuda-path="$cuda" --cuda-gpu-arch=sm_$architecture --cuda-device-only -std=c++17 -O3 -Wno-unknown-cuda-version \
      -ffp-contract=off -I"$source/runtime/include" -I"$source/runtime/src" -I"$source/engines/include" \
      -I"$source/engines/src" -c "$source/$unit" -o "$work/unit.cubin"
    echo "sm_$architecture: $unit, $(stat -c %s "$work/unit.cubin") bytes"
  done
done
