# The search: plain C for the plain baseline, on top of the engine.
set(r src/search)
add_library(bf_search_objects OBJECT ${r}/ending.c ${r}/solve.c)
target_include_directories(bf_search_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/${r})
target_link_libraries(bf_search_objects PUBLIC bf_tables)
bf_own_code(bf_search_objects)

add_library(bf_search INTERFACE)
target_include_directories(bf_search INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/${r})
target_link_libraries(bf_search INTERFACE
  bf_search_objects $<TARGET_OBJECTS:bf_search_objects> bf_engine)
