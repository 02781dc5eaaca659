# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs a build of Jackdaw into a prefix of its own, then configures, builds and runs the project
# in this folder against it. Called by ctest:
#
#   cmake -D BUILD=<build folder> -D WORK=<scratch folder> -D GENERATOR=... -D CXX=...
#         [-D CONFIG=Release] [-D CXX_FLAGS=-fsanitize=address] [-D CUDA_ROOT=...] -P run.cmake
#
# nlohmann_json is hidden from the consumer: the library uses it inside only, so a machine that has
# nothing but the installed files must do.
cmake_minimum_required(VERSION 3.22)
foreach(name BUILD WORK GENERATOR CXX)
  if(NOT ${name})
    message(FATAL_ERROR "tests/install/run.cmake: -D ${name}=... is missing")
  endif()
endforeach()

function(run what)
  message(STATUS "${what}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}): ${ARGN}")
  endif()
endfunction()

set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

run("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Nothing installed may point back into the source or build folder.
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
file(GLOB_RECURSE cmake_files ${prefix}/*.cmake)
if(NOT cmake_files)
  message(FATAL_ERROR "no CMake package was installed into ${prefix}")
endif()
foreach(file IN LISTS cmake_files)
  file(READ ${file} text)
  foreach(folder ${source}/runtime ${source}/engines ${BUILD}/runtime)
    string(FIND "${text}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}: the installed package would not work elsewhere")
    endif()
  endforeach()
endforeach()

set(options)
if(CUDA_ROOT)
  list(APPEND options -D CUDAToolkit_ROOT=${CUDA_ROOT})
endif()
run("configure the consumer"
    ${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build
    --no-warn-unused-cli
    -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${CXX}
    -D "CMAKE_CXX_FLAGS=${CXX_FLAGS}"
    -D "CMAKE_BUILD_TYPE=${CONFIG}"
    -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
    ${options})
run("build the consumer" ${CMAKE_COMMAND} --build ${WORK}/build)
run("run the consumer" ${WORK}/build/consumer)
run("run the consumer of pictures" ${WORK}/build/pictures)
