# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Any 64-bit Arm board, CPU only.
#
#   cmake --preset aarch64 -DJACKDAW_SYSROOT=DIR        # made by toolchains/sysroot; default: build/sysroot
set(JACKDAW_TOOLCHAIN aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/cmake/aarch64_common.cmake)
