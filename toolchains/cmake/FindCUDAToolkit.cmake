# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# In a cross build (JACKDAW_CUDA_TARGET_DIR, set by the toolchain file): the CUDA of the sysroot, which CMake's own
# module does not look for. Otherwise CMake's own module.
if(NOT JACKDAW_CUDA_TARGET_DIR)
  include(${CMAKE_ROOT}/Modules/FindCUDAToolkit.cmake)
  return()
endif()

include(FindPackageHandleStandardArgs)
find_package(Threads REQUIRED)
set(CUDAToolkit_TARGET_DIR ${JACKDAW_CUDA_TARGET_DIR})
set(CUDAToolkit_INCLUDE_DIRS ${JACKDAW_CUDA_TARGET_DIR}/include)
set(CUDAToolkit_LIBRARY_DIR ${JACKDAW_CUDA_TARGET_DIR}/lib)
set(CUDAToolkit_VERSION ${JACKDAW_CUDA_VERSION})
find_library(JACKDAW_CUDART_STATIC cudart_static PATHS ${CUDAToolkit_LIBRARY_DIR} NO_DEFAULT_PATH
             NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(JACKDAW_CUDART_STATIC)
find_package_handle_standard_args(CUDAToolkit REQUIRED_VARS JACKDAW_CUDART_STATIC CUDAToolkit_INCLUDE_DIRS
                                  VERSION_VAR CUDAToolkit_VERSION)

if(CUDAToolkit_FOUND AND NOT TARGET CUDA::cudart_static)
  add_library(CUDA::cudart_static STATIC IMPORTED)
  set_target_properties(CUDA::cudart_static PROPERTIES IMPORTED_LOCATION ${JACKDAW_CUDART_STATIC})
  target_include_directories(CUDA::cudart_static SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(CUDA::cudart_static INTERFACE Threads::Threads ${CMAKE_DL_LIBS} rt)
endif()
