# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# JetPack 7: Orin (sm_87, from 7.2 on) and Thor (sm_110), CUDA 13, Ubuntu 24.04's glibc 2.39.
#
#   cmake --preset jetson-jp7 -DJACKDAW_SYSROOT=DIR        # made by toolchains/sysroot; default: build/sysroot
set(JACKDAW_TOOLCHAIN jetson-jp7)
set(JACKDAW_CUDA_TARGET sbsa-linux)
set(JACKDAW_CUDA_RELEASE 13)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 87-real 110-real)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cmake/aarch64_common.cmake)
