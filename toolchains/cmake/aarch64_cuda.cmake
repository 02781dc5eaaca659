# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# CUDA in a cross build, for aarch64_common.cmake: the host's nvcc, the cross compiler behind it, and the headers and
# libraries of the sysroot. Sets JACKDAW_CUDA_TARGET_DIR, which FindCUDAToolkit.cmake beside it reads.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JACKDAW_CUDA)
set(JACKDAW_CUDA ON CACHE STRING "Build the CUDA backend: ON or OFF")
set(_cuda ${JACKDAW_SYSROOT}/usr/local/cuda)
set(JACKDAW_CUDA_TARGET_DIR ${_cuda}/targets/${JACKDAW_CUDA_TARGET})

if(NOT EXISTS ${JACKDAW_CUDA_TARGET_DIR}/include/cuda_runtime_api.h)
  file(GLOB _found RELATIVE ${_cuda}/targets ${_cuda}/targets/*)
  if(_found)
    message(FATAL_ERROR "The sysroot's CUDA (${_cuda}) is for ${_found}; ${JACKDAW_TOOLCHAIN} needs ${JACKDAW_CUDA_TARGET}. "
                        "JetPack 5 and 6 have aarch64-linux, JetPack 7 has sbsa-linux: take the toolchain file that "
                        "fits the sysroot, or another sysroot.")
  endif()
  message(FATAL_ERROR "The sysroot ${JACKDAW_SYSROOT} holds no CUDA (usr/local/cuda/targets/${JACKDAW_CUDA_TARGET}). Add it "
                      "(toolchains/sysroot make debian12-arm64 ${JACKDAW_SYSROOT} --cuda), copy a device's sysroot, or build "
                      "without CUDA (-DJACKDAW_CUDA=OFF).")
endif()
file(STRINGS ${JACKDAW_CUDA_TARGET_DIR}/include/cuda_runtime_api.h _line REGEX "#define +CUDART_VERSION +[0-9]+" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9]+$" _number "${_line}")
math(EXPR _major "${_number} / 1000")
math(EXPR _minor "${_number} % 1000 / 10")
set(JACKDAW_CUDA_VERSION ${_major}.${_minor})
if(NOT "${JACKDAW_CUDA_VERSION}." MATCHES "^${JACKDAW_CUDA_RELEASE}\\.")
  message(FATAL_ERROR "The sysroot's CUDA is ${JACKDAW_CUDA_VERSION}; ${JACKDAW_TOOLCHAIN} is for CUDA ${JACKDAW_CUDA_RELEASE}. "
                      "Take the toolchain file that fits the sysroot's JetPack.")
endif()

if(NOT CMAKE_CUDA_COMPILER)
  find_program(JACKDAW_NVCC nvcc HINTS /usr/local/cuda-${JACKDAW_CUDA_VERSION}/bin PATHS /usr/local/cuda/bin)
  if(NOT JACKDAW_NVCC)
    message(FATAL_ERROR "nvcc was not found. Install CUDA ${JACKDAW_CUDA_VERSION}'s on this machine, put it on the PATH or name "
                        "it with -DCMAKE_CUDA_COMPILER=..., or build without CUDA (-DJACKDAW_CUDA=OFF).")
  endif()
  set(CMAKE_CUDA_COMPILER ${JACKDAW_NVCC})
endif()
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE _text ERROR_QUIET)
if(NOT _text MATCHES "release ${_major}\\.${_minor},")
  string(REGEX MATCH "release [0-9.]+" _text "${_text}")
  message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} is ${_text}, and the sysroot's CUDA is ${JACKDAW_CUDA_VERSION}. Name an nvcc of "
                      "the same version with -DCMAKE_CUDA_COMPILER=...")
endif()

set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
# The sysroot's headers and libraries come before those that nvcc has for this machine.
set(CMAKE_CUDA_FLAGS_INIT "-Xcompiler=--sysroot=${JACKDAW_SYSROOT} -Xcompiler=${_map} -I${JACKDAW_CUDA_TARGET_DIR}/include")
# PyPI's runtime lacks the headers that are part of nvcc; they are the same for every machine.
if(NOT EXISTS ${JACKDAW_CUDA_TARGET_DIR}/include/fatbinary_section.h)
  get_filename_component(_nvcc ${CMAKE_CUDA_COMPILER} REALPATH)
  get_filename_component(_nvcc ${_nvcc}/../.. ABSOLUTE)
  file(GLOB _headers ${_nvcc}/targets/*/include/fatbinary_section.h ${_nvcc}/include/fatbinary_section.h)
  list(GET _headers 0 _headers)
  get_filename_component(_headers ${_headers} DIRECTORY)
  string(APPEND CMAKE_CUDA_FLAGS_INIT " -I${_headers}")
endif()
string(APPEND CMAKE_CUDA_FLAGS_INIT " -L${JACKDAW_CUDA_TARGET_DIR}/lib")
