# The engine: plain C for the plain baseline, on top of the kernels. Everything native links it.
set(e src/engine)
add_library(bf_engine_objects OBJECT
  ${e}/actions.c ${e}/api.c ${e}/check.c ${e}/flow.c ${e}/legality.c ${e}/listing.c ${e}/perft.c
  ${e}/playouts.c ${e}/rules.c ${e}/shapes.c ${e}/state.c ${e}/symmetry.c)
target_link_libraries(bf_engine_objects PRIVATE bf_tables)
bf_own_code(bf_engine_objects)
bf_plain_copies(bf_engine_objects)
add_dependencies(bf_objects bf_engine_objects)

add_library(bf_engine INTERFACE)
target_link_libraries(bf_engine INTERFACE
  bf_engine_objects $<TARGET_OBJECTS:bf_engine_objects> bf_kernels)
