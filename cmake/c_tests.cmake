# Tests in C of kernels and engine, without Python; run by ctest. `python3 dev.py ctest` builds
# them with sanitizers, and the fuzz target with clang.
enable_testing()
set(t tests/c)

# What they share: rules of all variants, and what must hold of every position.
add_library(bf_test_support STATIC
  ${t}/rules_for.c ${t}/position_actions.c ${t}/position_evaluation.c ${t}/position_planes.c
  ${t}/position_playouts.c ${t}/position_worth.c)
target_link_libraries(bf_test_support PRIVATE bf_tables)
bf_own_code(bf_test_support)

# bf_c_program(<name>): a program of one file; its tests are added by add_test.
function(bf_c_program name)
  add_executable(${name} ${t}/${name}.c)
  target_link_libraries(${name} PRIVATE bf_tables bf_test_support bf_engine)
  bf_own_code(${name})
endfunction()

foreach(name test_actions test_api test_check test_flow test_hands test_hostile test_key
    test_legality test_shapes)
  bf_c_program(${name})
  add_test(NAME ${name} COMMAND ${name})
endforeach()

bf_c_program(test_games)
foreach(question actions pushes worth planes playouts evaluation)
  add_test(NAME games_${question} COMMAND test_games ${question})
endforeach()

# The search, against plain searches. `test_solve 100 20000` is the long form.
bf_c_program(test_solve)
target_link_libraries(test_solve PRIVATE bf_search)
add_test(NAME test_solve COMMAND test_solve)

bf_c_program(test_perft)
add_test(NAME test_perft COMMAND test_perft ${CMAKE_CURRENT_SOURCE_DIR}/tests/data/perft.csv)

# The search; its threads are for the thread sanitizer above all.
find_package(Threads)
bf_c_program(test_search)
target_link_libraries(test_search PRIVATE bf_search Threads::Threads)
foreach(how playouts threads outside)
  add_test(NAME search_${how} COMMAND test_search ${how})
endforeach()

# The fuzz target. libFuzzer brings its own main, which needs all objects to be instrumented.
bf_c_program(fuzz_engine)
if("fuzzer-no-link" IN_LIST BLOKUS_FAST_SANITIZE)
  target_link_options(fuzz_engine PRIVATE -fsanitize=fuzzer)
else()
  target_compile_definitions(fuzz_engine PRIVATE BF_FUZZ_MAIN)
  add_test(NAME fuzz_random COMMAND fuzz_engine --seconds 5)
endif()
