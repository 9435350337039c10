# The benchmark program bench_core: kernels and engine, with the flags that they have in the
# extension, beside the frozen reference. Only for benchmarks/gate; never part of a wheel.
set(bf_bench ${CMAKE_CURRENT_SOURCE_DIR}/benchmarks)
add_library(bf_reference OBJECT ${bf_bench}/reference/reference.c)
target_link_libraries(bf_reference PRIVATE bf_tables)
add_library(bf_bench_main OBJECT ${bf_bench}/bench_core.c)
target_link_libraries(bf_bench_main PRIVATE bf_tables)
target_include_directories(bf_bench_main PRIVATE ${bf_bench}/reference)

add_executable(bench_core $<TARGET_OBJECTS:bf_bench_main> $<TARGET_OBJECTS:bf_reference>)
target_link_libraries(bench_core PRIVATE bf_engine)

# What a simulation of the search is made of.
set(bf_c ${CMAKE_CURRENT_SOURCE_DIR}/tests/c)
add_executable(bench_search ${bf_bench}/bench_search.c ${bf_c}/rules_for.c)
target_include_directories(bench_search PRIVATE ${bf_c})
target_link_libraries(bench_search PRIVATE bf_tables bf_search)

# For the test of the gate: a second program in which functions are replaced by those of a file
# that the test brings along (GNU linkers: a call of f becomes one of __wrap_f).
set(BLOKUS_FAST_BENCH_WRAP "" CACHE FILEPATH "C file with __wrap_bf_kernel_at and _by_name")
if(BLOKUS_FAST_BENCH_WRAP)
  add_executable(bench_core_wrapped ${BLOKUS_FAST_BENCH_WRAP}
    $<TARGET_OBJECTS:bf_bench_main> $<TARGET_OBJECTS:bf_reference>)
  target_link_libraries(bench_core_wrapped PRIVATE bf_tables bf_engine)
  target_link_options(bench_core_wrapped PRIVATE
    -Wl,--wrap=bf_kernel_at,--wrap=bf_kernel_by_name)
endif()

# What counts and ratios are recorded under.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/bench_build.json
  "{\"compiler\": \"${CMAKE_C_COMPILER_ID}\", \"version\": \"${CMAKE_C_COMPILER_VERSION}\", "
  "\"architecture\": \"${CMAKE_SYSTEM_PROCESSOR}\", \"system\": \"${CMAKE_SYSTEM_NAME}\"}\n")
