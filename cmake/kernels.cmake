# The generated tables, and one object library per instruction set.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(bf_generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${bf_generated})
set(bf_scripts ${CMAKE_CURRENT_SOURCE_DIR}/src/tables)

add_custom_command(
  OUTPUT ${bf_generated}/bf_tables.h
  COMMAND ${Python_EXECUTABLE} -E ${bf_scripts}/tables.py ${bf_generated}/bf_tables.h
  DEPENDS ${bf_scripts}/tables.py ${bf_scripts}/program.py ${bf_scripts}/polyominoes.py
  COMMENT "Deriving pieces and orientations")
add_custom_command(
  OUTPUT ${bf_generated}/bf_program.h
  COMMAND ${Python_EXECUTABLE} -E ${bf_scripts}/program.py ${bf_generated}/bf_program.h
  DEPENDS ${bf_scripts}/program.py ${bf_scripts}/polyominoes.py
  COMMENT "Writing the straight-line kernel code")
add_custom_command(
  OUTPUT ${bf_generated}/bf_patterns.h
  COMMAND ${Python_EXECUTABLE} -E ${bf_scripts}/patterns.py ${bf_generated}/bf_patterns.h
  DEPENDS ${bf_scripts}/patterns.py ${bf_scripts}/tables.py ${bf_scripts}/program.py
          ${bf_scripts}/polyominoes.py
  COMMENT "Writing the code of the move prior")
add_custom_target(bf_generated_headers
  DEPENDS ${bf_generated}/bf_tables.h ${bf_generated}/bf_program.h ${bf_generated}/bf_patterns.h)

add_library(bf_tables INTERFACE)
target_include_directories(bf_tables INTERFACE
  ${bf_generated} ${CMAKE_CURRENT_SOURCE_DIR}/blokus_fast/include
  ${CMAKE_CURRENT_SOURCE_DIR}/src/kernels ${CMAKE_CURRENT_SOURCE_DIR}/src/engine
  ${CMAKE_CURRENT_SOURCE_DIR}/src/search)
add_dependencies(bf_tables bf_generated_headers)

# bf_own_code(<target>): the warnings that C of our own passes, as errors where that is asked for.
function(bf_own_code target)
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
    if(BLOKUS_FAST_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  endif()
endfunction()

# bf_plain_copies(<target>): copy a state by memcpy, and clear a board by memset. For x86-64 gcc would
# write `rep movsq` and `rep stosq` in their place, which take three times as long.
check_c_compiler_flag(-mstringop-strategy=libcall BF_HAS_STRINGOP)
function(bf_plain_copies target)
  if(BF_HAS_STRINGOP)
    target_compile_options(${target} PRIVATE -mstringop-strategy=libcall)
  endif()
endfunction()

# bf_kernel_objects(<name> FLAGS <flag>... SOURCES <file>...): flags stay on these objects.
add_library(bf_kernels INTERFACE)
# All objects of C of our own that are in the extension, linked to nothing.
add_custom_target(bf_objects)
function(bf_kernel_objects name)
  cmake_parse_arguments(arg "" "" "FLAGS;SOURCES" ${ARGN})
  add_library(${name} OBJECT ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE bf_tables)
  set_target_properties(${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
  target_compile_options(${name} PRIVATE ${arg_FLAGS})
  if(NOT MSVC)
    # A root of what is never negative: an instruction, without a look at errno.
    target_compile_options(${name} PRIVATE -fno-math-errno)
  endif()
  bf_own_code(${name})
  add_dependencies(bf_objects ${name})
  target_link_libraries(bf_kernels INTERFACE ${name} $<TARGET_OBJECTS:${name}>)
endfunction()
if(UNIX)
  target_link_libraries(bf_kernels INTERFACE m)
endif()

set(k src/kernels)
bf_kernel_objects(bf_kernels_common SOURCES ${k}/dispatch.c ${k}/cpu.c ${k}/portable.c)
# What the compiler builds for, not what machine it runs on: cross builds must come out right.
check_c_source_compiles("
  #if !defined(__x86_64__) && !defined(_M_X64)
  #error another processor
  #endif
  int main(void) { return 0; }" BF_X86_64)
if(BF_X86_64 AND MSVC)
  bf_kernel_objects(bf_kernel_v2 SOURCES ${k}/v2.c)
  bf_kernel_objects(bf_kernel_avx2 SOURCES ${k}/avx2.c FLAGS /arch:AVX2)
  bf_kernel_objects(bf_kernel_avx512 SOURCES ${k}/avx512.c FLAGS /arch:AVX512)
elseif(BF_X86_64)
  bf_kernel_objects(bf_kernel_v2 SOURCES ${k}/v2.c
    FLAGS -msse3 -mssse3 -msse4.1 -msse4.2 -mpopcnt)
  bf_kernel_objects(bf_kernel_avx2 SOURCES ${k}/avx2.c
    # In what order instructions are put: 5 to 8 % of a list on AMD's Zen 5 as well.
    FLAGS -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt -mtune=skylake)
  bf_kernel_objects(bf_kernel_avx512 SOURCES ${k}/avx512.c
    FLAGS -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi -mavx512vbmi2
          -mavx512vpopcntdq -mavx512bitalg -mbmi -mbmi2 -mlzcnt -mpopcnt
          # The vectorisers would merge the scalar stores that collect words: 5 % of a list.
          -fno-tree-vectorize -fno-tree-slp-vectorize)
else()
  # Empty but on 64-bit ARM, which has NEON without a flag. GCC would put instructions in an order
  # that takes more registers than there are: a seventh of a list.
  set(bf_neon_flags $<$<C_COMPILER_ID:GNU>:-fno-schedule-insns>)
  bf_kernel_objects(bf_kernel_neon SOURCES ${k}/neon.c FLAGS ${bf_neon_flags})
endif()

include(cmake/engine.cmake)
include(cmake/search.cmake)
