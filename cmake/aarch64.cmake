# Toolchain for 64-bit ARM under Linux, for other computers: GCC's cross compiler, and qemu-user to
# run what it makes (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# Programs that run here, such as Python, are looked for here.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

# Where that system's libraries are.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libc.so.6
  OUTPUT_VARIABLE bf_libc OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(bf_root "${bf_libc}/../.." REALPATH)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${bf_root})
