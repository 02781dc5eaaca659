# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds GNU libmicrohttpd 0.9.75 or later (Debian and Ubuntu: libmicrohttpd-dev).
#
#   Microhttpd_FOUND, Microhttpd_VERSION
#   Microhttpd::microhttpd
include(FindPackageHandleStandardArgs)

find_path(Microhttpd_INCLUDE_DIR microhttpd.h)
find_library(Microhttpd_LIBRARY microhttpd)
mark_as_advanced(Microhttpd_INCLUDE_DIR Microhttpd_LIBRARY)

# 0x00097500 is 0.9.75, 0x01000100 is 1.0.1: two decimal digits in each byte.
unset(Microhttpd_VERSION)
if(Microhttpd_INCLUDE_DIR)
  file(STRINGS ${Microhttpd_INCLUDE_DIR}/microhttpd.h _microhttpd_line REGEX "^#define MHD_VERSION 0x[0-9a-fA-F]+")
  if(_microhttpd_line MATCHES "0x([0-9]?[0-9])([0-9][0-9])([0-9][0-9])([0-9][0-9])$")
    math(EXPR _microhttpd_major "${CMAKE_MATCH_1}")
    math(EXPR _microhttpd_minor "${CMAKE_MATCH_2}")
    set(Microhttpd_VERSION ${_microhttpd_major}.${_microhttpd_minor}.${CMAKE_MATCH_3})
  endif()
endif()

find_package_handle_standard_args(Microhttpd REQUIRED_VARS Microhttpd_LIBRARY Microhttpd_INCLUDE_DIR
  VERSION_VAR Microhttpd_VERSION REASON_FAILURE_MESSAGE "install libmicrohttpd-dev")

if(Microhttpd_FOUND AND NOT TARGET Microhttpd::microhttpd)
  add_library(Microhttpd::microhttpd UNKNOWN IMPORTED)
  set_target_properties(Microhttpd::microhttpd PROPERTIES
    IMPORTED_LOCATION ${Microhttpd_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Microhttpd_INCLUDE_DIR})
endif()
