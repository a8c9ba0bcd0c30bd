# Cross-compile for 64-bit ARM on Debian, and run what was built by qemu: cmake --preset arm64. Packages:
# tools/packages.txt, group arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)

# Debian keeps the libraries of both architectures side by side: headers are shared, libraries are in a folder of
# their own.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
