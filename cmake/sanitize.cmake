# Sanitizers for programs of their own: before kernels and engine are declared, so that their
# objects get them as well. Never in the extension: a Python without them could not load it.
set(BLOKUS_FAST_SANITIZE "" CACHE STRING
  "Sanitizers of the C tests: address;undefined, and fuzzer-no-link where clang builds the target")
if(BLOKUS_FAST_SANITIZE)
  list(JOIN BLOKUS_FAST_SANITIZE "," bf_sanitizers)
  # A finding ends the program: one that is only printed would pass.
  add_compile_options(-fsanitize=${bf_sanitizers} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${bf_sanitizers})
endif()
