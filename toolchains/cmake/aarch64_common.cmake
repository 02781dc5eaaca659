# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# What the toolchain files for 64-bit Arm share. They set, before they include it,
#
#   JACKDAW_TOOLCHAIN         their own name, for messages
#   JACKDAW_CUDA_TARGET       CUDA's name for the target: aarch64-linux (JetPack 5, 6) or sbsa-linux (JetPack 7); none: no CUDA
#   JACKDAW_CUDA_RELEASE      its version, such as 12.6 or 13
#   CMAKE_CUDA_ARCHITECTURES  the GPUs
#
# and who configures gives JACKDAW_SYSROOT (a cache or environment variable; default: build/sysroot of this source
# tree), a folder that toolchains/sysroot makes. Nothing of the build host gets into what is built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JACKDAW_SYSROOT)

# --- the sysroot -----------------------------------------------------------------------------------
get_filename_component(_source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
if(NOT JACKDAW_SYSROOT)
  if(NOT "$ENV{JACKDAW_SYSROOT}" STREQUAL "")
    set(JACKDAW_SYSROOT $ENV{JACKDAW_SYSROOT})
  else()
    set(JACKDAW_SYSROOT ${_source}/build/sysroot)
  endif()
endif()
get_filename_component(JACKDAW_SYSROOT ${JACKDAW_SYSROOT} ABSOLUTE BASE_DIR ${_source})
set(JACKDAW_SYSROOT ${JACKDAW_SYSROOT} CACHE PATH "Headers and libraries of the target, made by toolchains/sysroot" FORCE)
if(NOT IS_DIRECTORY ${JACKDAW_SYSROOT})
  message(FATAL_ERROR "There is no sysroot at ${JACKDAW_SYSROOT}. Make one (toolchains/sysroot make debian12-arm64 "
                      "${JACKDAW_SYSROOT} --cuda, or toolchains/sysroot from-device user@host ${JACKDAW_SYSROOT}), or "
                      "say where it is with -DJACKDAW_SYSROOT=DIR.")
endif()
set(_libraries ${JACKDAW_SYSROOT}/usr/lib/aarch64-linux-gnu)
if(NOT EXISTS ${JACKDAW_SYSROOT}/lib/aarch64-linux-gnu/libc.so.6)
  file(GLOB _found RELATIVE ${JACKDAW_SYSROOT}/lib ${JACKDAW_SYSROOT}/lib/*-linux-gnu*)
  if(_found)
    set(_found ", but libraries for ${_found}")
  endif()
  message(FATAL_ERROR "The sysroot ${JACKDAW_SYSROOT} holds no aarch64 C library (lib/aarch64-linux-gnu/libc.so.6)"
                      "${_found}. ${JACKDAW_TOOLCHAIN} needs a sysroot of a 64-bit Arm machine: see toolchains/sysroot --help.")
endif()

set(CMAKE_SYSROOT ${JACKDAW_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${JACKDAW_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${JACKDAW_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${_libraries}/pkgconfig:${JACKDAW_SYSROOT}/usr/share/pkgconfig)

# --- compiler and linker ---------------------------------------------------------------------------
if(NOT CMAKE_CXX_COMPILER)
  find_program(JACKDAW_CROSS_COMPILER aarch64-linux-gnu-g++)
  if(NOT JACKDAW_CROSS_COMPILER)
    message(FATAL_ERROR "aarch64-linux-gnu-g++ was not found. Install it (Debian, Ubuntu: apt-get install "
                        "g++-aarch64-linux-gnu), or name another one with -DCMAKE_CXX_COMPILER=...")
  endif()
  set(CMAKE_CXX_COMPILER ${JACKDAW_CROSS_COMPILER})
endif()

# Libraries that libraries need are looked for here, when linking. Those of the Tegra driver are not in every sysroot.
set(_link -Wl,--allow-shlib-undefined)
foreach(_folder "" /blas /lapack /tegra /nvidia)
  if(IS_DIRECTORY ${_libraries}${_folder})
    string(APPEND _link " -Wl,-rpath-link,${_libraries}${_folder}")
  endif()
endforeach()
foreach(_kind EXE SHARED MODULE)
  set(CMAKE_${_kind}_LINKER_FLAGS_INIT "${_link}")
endforeach()
# Messages name source files, not the folder they lay in on the build host.
set(_map -ffile-prefix-map=${_source}/=)
set(CMAKE_CXX_FLAGS_INIT ${_map})
# No RUNPATH: the target's loader knows where the target's libraries are.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

# --- CUDA ------------------------------------------------------------------------------------------
if(NOT JACKDAW_CUDA_TARGET OR "${JACKDAW_CUDA}" STREQUAL "OFF")
  set(JACKDAW_CUDA OFF CACHE STRING "No CUDA with ${JACKDAW_TOOLCHAIN}")
else()
  include(${CMAKE_CURRENT_LIST_DIR}/aarch64_cuda.cmake)
endif()

# --- running what was built ------------------------------------------------------------------------
find_program(JACKDAW_QEMU NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(JACKDAW_QEMU)
if(JACKDAW_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${JACKDAW_QEMU} -L ${JACKDAW_SYSROOT})
endif()
