# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds TensorRT's headers and libraries: in TensorRT_ROOT (a CMake variable or an environment
# variable: an unpacked archive, or a sysroot's /usr), then where Debian packages and JetPack put them.
#
#   TensorRT_FOUND, TensorRT_VERSION       as its header says, such as 10.3.0
#   TensorRT::nvinfer, TensorRT::nvonnxparser
#
# Older than 8.5 (JetPack 4) is not found: it has none of the calls that we use.
include(FindPackageHandleStandardArgs)

set(_tensorrt_suffixes include)
set(_tensorrt_library_suffixes lib lib64)
foreach(triple ${CMAKE_LIBRARY_ARCHITECTURE} ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
  list(APPEND _tensorrt_suffixes include/${triple} targets/${triple}/include)
  list(APPEND _tensorrt_library_suffixes lib/${triple} targets/${triple}/lib)
endforeach()

find_path(TensorRT_INCLUDE_DIR NvInfer.h PATH_SUFFIXES ${_tensorrt_suffixes} HINTS /usr /usr/local/tensorrt)
find_path(TensorRT_PARSER_INCLUDE_DIR NvOnnxParser.h HINTS ${TensorRT_INCLUDE_DIR} /usr /usr/local/tensorrt
          PATH_SUFFIXES ${_tensorrt_suffixes})
foreach(library nvinfer nvonnxparser)
  find_library(TensorRT_${library}_LIBRARY ${library} PATH_SUFFIXES ${_tensorrt_library_suffixes}
               HINTS /usr /usr/local/tensorrt)
endforeach()
mark_as_advanced(TensorRT_INCLUDE_DIR TensorRT_PARSER_INCLUDE_DIR TensorRT_nvinfer_LIBRARY
                 TensorRT_nvonnxparser_LIBRARY)

# From 10.8 on NV_TENSORRT_MAJOR is defined as TRT_MAJOR_ENTERPRISE, which holds the number.
unset(TensorRT_VERSION)
if(TensorRT_INCLUDE_DIR AND EXISTS ${TensorRT_INCLUDE_DIR}/NvInferVersion.h)
  file(STRINGS ${TensorRT_INCLUDE_DIR}/NvInferVersion.h _tensorrt_lines REGEX "^#define (NV_TENSORRT|TRT)_(MAJOR|MINOR|PATCH)")
  set(_tensorrt_numbers)
  foreach(part MAJOR MINOR PATCH)
    foreach(name NV_TENSORRT_${part} TRT_${part}_ENTERPRISE)
      foreach(line IN LISTS _tensorrt_lines)
        if(line MATCHES "^#define ${name} +([0-9]+)")
          list(APPEND _tensorrt_numbers ${CMAKE_MATCH_1})
        endif()
      endforeach()
    endforeach()
  endforeach()
  list(LENGTH _tensorrt_numbers _tensorrt_count)
  if(_tensorrt_count EQUAL 3)
    list(JOIN _tensorrt_numbers "." TensorRT_VERSION)
  endif()
endif()

if(TensorRT_VERSION AND TensorRT_VERSION VERSION_LESS 8.5)
  set(TensorRT_REASON "TensorRT ${TensorRT_VERSION} in ${TensorRT_INCLUDE_DIR} is older than 8.5")
elseif(NOT TensorRT_INCLUDE_DIR)
  set(TensorRT_REASON "no NvInfer.h, set TensorRT_ROOT to where TensorRT is")
endif()
set(TensorRT_USABLE_VERSION "${TensorRT_VERSION}")
if(TensorRT_REASON)
  set(TensorRT_USABLE_VERSION "")
endif()
find_package_handle_standard_args(TensorRT
  REQUIRED_VARS TensorRT_nvinfer_LIBRARY TensorRT_nvonnxparser_LIBRARY TensorRT_INCLUDE_DIR
                TensorRT_PARSER_INCLUDE_DIR TensorRT_USABLE_VERSION
  VERSION_VAR TensorRT_VERSION REASON_FAILURE_MESSAGE "${TensorRT_REASON}")

if(TensorRT_FOUND)
  foreach(library nvinfer nvonnxparser)
    if(NOT TARGET TensorRT::${library})
      add_library(TensorRT::${library} UNKNOWN IMPORTED)
      set_target_properties(TensorRT::${library} PROPERTIES
        IMPORTED_LOCATION ${TensorRT_${library}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES "${TensorRT_INCLUDE_DIR};${TensorRT_PARSER_INCLUDE_DIR}")
    endif()
  endforeach()
endif()
