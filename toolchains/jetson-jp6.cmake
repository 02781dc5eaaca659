# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# JetPack 6.1 and 6.2: Orin (sm_87), CUDA 12.6, Ubuntu 22.04's glibc 2.35.
#
#   cmake --preset jetson-jp6 -DJACKDAW_SYSROOT=DIR        # made by toolchains/sysroot; default: build/sysroot
set(JACKDAW_TOOLCHAIN jetson-jp6)
set(JACKDAW_CUDA_TARGET aarch64-linux)
set(JACKDAW_CUDA_RELEASE 12.6)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 87-real)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cmake/aarch64_common.cmake)
