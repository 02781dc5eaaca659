# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# JetPack 5: Xavier (sm_72) and Orin (sm_87), CUDA 11.4, Ubuntu 20.04's glibc 2.31.
#
#   cmake --preset jetson-jp5 -DJACKDAW_SYSROOT=DIR        # made by toolchains/sysroot; default: build/sysroot
set(JACKDAW_TOOLCHAIN jetson-jp5)
set(JACKDAW_CUDA_TARGET aarch64-linux)
set(JACKDAW_CUDA_RELEASE 11.4)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 72-real 87-real)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cmake/aarch64_common.cmake)
