# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# NVIDIA's aarch64 libraries from PyPI into a sysroot, for toolchains/sysroot, which sources it.
#
#   add_cuda build/sysroot 13.0
#   add_tensorrt_lean build/sysroot
#
# Wheels are pinned by version and hash, are only unpacked, and land where a JetPack has the same files.

cuda_wheels=(
  "nvidia-cuda-runtime==13.0.96 --hash=sha256:ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55"
  "nvidia-cuda-crt==13.0.88 --hash=sha256:ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003")
lean_wheels=(
  "tensorrt-lean-cu13-libs==10.16.1.11 --hash=sha256:3ec6897031f4ccee7b848a50293459cf4d3b81bba8aa2bdca4aa7c1392660a4c")

# get_wheels FOLDER REQUIREMENT...: downloads and unpacks into FOLDER/tree.
get_wheels() {
  local folder=$1 python=python3 wheel
  shift
  rm -rf "$folder"
  mkdir -p "$folder/tree"
  need python3 python3
  if ! python3 -m pip --version >/dev/null 2>&1; then
    python3 -m venv "$folder/venv" >/dev/null 2>&1 || fail "python3 has neither pip nor venv; install python3-venv"
    python=$folder/venv/bin/python
  fi
  printf '%s\n' "$@" >"$folder/requirements.txt"
  "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 --platform manylinux_2_35_aarch64 \
    --dest "$folder" --requirement "$folder/requirements.txt" >"$folder/log" 2>&1 || {
    grep -i error "$folder/log" | tail -n 1 >&2 || tail -n 1 "$folder/log" >&2
    rm -rf "$folder"
    fail "pip could not download ${1%% *}; check the network and pip's settings, then call this again"
  }
  for wheel in "$folder"/*.whl; do
    python3 -m zipfile --extract "$wheel" "$folder/tree" || fail "$wheel cannot be unpacked; is there room left?"
  done
}

# list_wheels DIR REQUIREMENT...: in sysroot.txt, at once or not at all.
list_wheels() {
  local dir=$1
  shift
  { cat "$dir/sysroot.txt"; printf 'wheel %s\n' "${@%% *}"; } >"$dir/sysroot.txt.part"
  mv "$dir/sysroot.txt.part" "$dir/sysroot.txt"
}

# has_wheels DIR REQUIREMENT...
has_wheels() {
  local dir=$1 wheel
  shift
  for wheel in "$@"; do grep -qx "wheel ${wheel%% *}" "$dir/sysroot.txt" || return 1; done
}

# add_cuda DIR VERSION: as targets/sbsa-linux, which is where CUDA 13 is on a JetPack 7.
add_cuda() {
  local dir=$1 version=$2 work=$1/.wheels.part tree target
  if has_wheels "$dir" "${cuda_wheels[@]}"; then note "$dir has CUDA $version already"; return; fi
  note "CUDA $version for aarch64: downloading from PyPI"
  get_wheels "$work" "${cuda_wheels[@]}"
  tree=$work/tree/nvidia/cu13
  target=$work/cuda/targets/sbsa-linux
  mkdir -p "$target"
  mv "$tree/include" "$tree/lib" "$target"
  ln -s libcudart.so.13 "$target/lib/libcudart.so"
  ln -s targets/sbsa-linux/include "$work/cuda/include"
  ln -s targets/sbsa-linux/lib "$work/cuda/lib64"
  mkdir -p "$dir/usr/local"
  rm -rf "$dir/usr/local/cuda-$version"
  mv -T "$work/cuda" "$dir/usr/local/cuda-$version"
  ln -sfn "cuda-$version" "$dir/usr/local/cuda"
  list_wheels "$dir" "${cuda_wheels[@]}"
  rm -rf "$work"
}

# add_tensorrt_lean DIR
add_tensorrt_lean() {
  local dir=$1 work=$1/.wheels.part libraries=$1/usr/lib/aarch64-linux-gnu
  if has_wheels "$dir" "${lean_wheels[@]}"; then note "$dir has TensorRT's lean runtime already"; return; fi
  note "TensorRT's lean runtime for aarch64: downloading from PyPI"
  get_wheels "$work" "${lean_wheels[@]}"
  mv -f "$work"/tree/tensorrt_lean_libs/lib*.so.* "$libraries"
  list_wheels "$dir" "${lean_wheels[@]}"
  rm -rf "$work"
}
