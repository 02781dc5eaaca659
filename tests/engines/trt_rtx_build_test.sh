#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds real engines on the CPU, with our builder and the libraries of TensorRT-RTX (PyPI:
# tensorrt-rtx-cu13-libs):
#
#   JACKDAW_TRT_RTX=LIBRARIES JACKDAW_TRT_HEADERS=FOLDER [JACKDAW_TRT_ONNX=ENCODERS] \
#     trt_rtx_build_test.sh ROOT COMPILER RUNTIME_ARCHIVE
#
# LIBRARIES holds libtensorrt_rtx.so.1 and libtensorrt_onnxparser_rtx.so.1, FOLDER/11.*/include the
# headers, ENCODERS the folders of encoders (default: Jackdaw's cache), or is one manifest.json. Each
# encoder is built from its float graph and from its half graph. Exit code 77: skipped.
set -euo pipefail
root=${1:?the root of the repository} compiler=${2:?the compiler} archive=${3:?libjackdaw-runtime.a}

skip() { echo "skipped: $1"; exit 77; }

libraries=${JACKDAW_TRT_RTX:-}
[[ -n $libraries ]] || skip "JACKDAW_TRT_RTX names no folder with the libraries of TensorRT-RTX"
for library in libtensorrt_rtx.so.1 libtensorrt_onnxparser_rtx.so.1; do
  [[ -f $libraries/$library ]] || skip "$libraries has no $library"
done
headers=
for folder in "${JACKDAW_TRT_HEADERS:-/nonexistent}"/11.*/include; do
  [[ -f $folder/NvOnnxParser.h ]] && headers=$folder
done
[[ -n $headers ]] || skip "JACKDAW_TRT_HEADERS has no 11.*/include; RTX 1.7 fits no other headers"
cuda=
for folder in ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include /usr/include /usr/local/include; do
  if [[ -f $folder/cuda_runtime_api.h ]]; then cuda=$folder; break; fi
done
[[ -n $cuda ]] || skip "cuda_runtime_api.h is not installed; CUDA_HOME may say where it is"

encoders=${JACKDAW_TRT_ONNX:-${JACKDAW_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/jackdaw}/encoders}
if [[ -f $encoders ]]; then manifests=("$encoders"); else manifests=("$encoders"/*/manifest.json); fi
[[ -f ${manifests[0]} ]] || skip "$encoders has no NAME/manifest.json; 'jackdaw engine get' makes one"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=("$root/engines/src/files/whole_file.cpp")
for source in engine_builder build_progress trt_log engine_file engine_key; do
  sources+=("$root/engines/src/trt/$source.cpp")
done
"$compiler" -std=c++17 -O1 -DJACKDAW_TRT_RTX -I "$root/engines/src" -I "$root/engines/include" \
  -I "$root/runtime/src" -I "$root/runtime/include" -isystem "$headers" -isystem "$cuda" \
  "$root/tests/engines/trt_rtx_build.cpp" "${sources[@]}" "$archive" \
  "$libraries/libtensorrt_rtx.so.1" "$libraries/libtensorrt_onnxparser_rtx.so.1" \
  -Wl,-rpath,"$libraries" -pthread -ldl -o "$work/trt_rtx_build"

# One line for each graph: what trt_rtx_build takes.
graphs() {
  python3 - "$1" <<'PYTHON'
import json, os, sys
path = sys.argv[1]
m = json.load(open(path))
graph, entry = m["graph"], m["input"]
if entry.get("layout", "float planes") != "float planes":
    print(f"left out: {m['name']} takes pixels as bytes and is not built for TensorRT", file=sys.stderr)
    sys.exit(0)
for kind, precision in (("file", "fp32"), ("half_file", "fp16")):
    if graph.get(kind):
        print(os.path.join(os.path.dirname(path), graph[kind]), graph["input"], graph["output"],
              entry["channels"], entry["height"], entry["width"], m["output"]["size"], precision,
              min(m["max_batch"], 8), sep="\t")
PYTHON
}
built=0
for manifest in "${manifests[@]}"; do
  while IFS=$'\t' read -r -a graph; do
    echo "== ${graph[0]}"
    "$work/trt_rtx_build" "${graph[@]}" "$work"
    built=$((built + 1))
  done < <(graphs "$manifest")
done
[[ $built -gt 0 ]] || { echo "no graph was built"; exit 1; }
echo "$built engines built, stored and read back"
