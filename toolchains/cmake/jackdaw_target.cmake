# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
#
# jackdaw_target(NAME): what every target of ours is compiled with.
#
# -ffp-contract=off is part of the specification: a compiler that fuses a*b+c where the source does
# not say fma would give other bits on another machine, and a flipped bit can teach another row.
function(jackdaw_target name)
  target_compile_features(${name} PUBLIC cxx_std_17)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  set(cxx_flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -ffp-contract=off)
  if(JACKDAW_WERROR)
    list(APPEND cxx_flags -Werror)
  endif()
  target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${cxx_flags}>")
  if(JACKDAW_SANITIZE)
    target_compile_options(${name} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${JACKDAW_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
    target_link_options(${name} PRIVATE -fsanitize=${JACKDAW_SANITIZE})
  endif()
endfunction()

# jackdaw_cuda_target(NAME): what its .cu files are compiled with. No contraction, IEEE division and
# roots: the CPU is the specification, bit for bit.
function(jackdaw_cuda_target name)
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-prec-div=true;-prec-sqrt=true;-ftz=false;--expt-relaxed-constexpr;-Werror;all-warnings;-Xcompiler=-Wall,-Wextra,-ffp-contract=off>")
endfunction()
