# The search: plain C on top of the engine. What it needs of every instruction set is compiled with
# the kernels (wide_search.h).
set(s src/search)
add_library(bf_search_objects OBJECT
  ${s}/ending.c ${s}/expand.c ${s}/gumbel.c ${s}/leaves.c ${s}/replies.c ${s}/results.c
  ${s}/select.c ${s}/simulate.c ${s}/solve.c ${s}/tree.c ${s}/values.c ${s}/weights.c)
target_link_libraries(bf_search_objects PRIVATE bf_tables)
bf_own_code(bf_search_objects)
bf_plain_copies(bf_search_objects)
add_dependencies(bf_objects bf_search_objects)
if(NOT MSVC)
  # The same floats on every CPU: no sum and product in one rounding.
  target_compile_options(bf_search_objects PRIVATE -fno-math-errno -ffp-contract=off)
endif()

add_library(bf_search INTERFACE)
target_link_libraries(bf_search INTERFACE
  bf_search_objects $<TARGET_OBJECTS:bf_search_objects> bf_engine)
