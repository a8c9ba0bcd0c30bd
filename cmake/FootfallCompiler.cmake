# How Footfall's own code is compiled: ffi_target_options(TARGET) for every target of ours.

include(CheckCCompilerFlag)

# GNU extensions are on for the vector types of the dynamics kernels; nothing else needs them, and the public
# headers are plain C17 and C++17 (a test compiles them so).
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # a static library may end up in a shared object, such as a Python module

if(FF_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "FF_FUZZ needs clang (libFuzzer): configure with -DCMAKE_C_COMPILER=clang")
endif()

# -Wno-psabi: vectors wider than the base instruction set are passed between our own static functions only.
set(FFI_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wno-psabi)
if(FF_WERROR)
  list(APPEND FFI_WARNINGS -Werror)
endif()

set(FFI_SANITIZERS "")
if(FF_SANITIZE)
  set(FFI_SANITIZERS -fsanitize=${FF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
endif()
if(FF_FUZZ) #
  set(FFI_SANITIZERS -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
endif()

function(ffi_target_options target)
  target_compile_options(${target} PRIVATE ${FFI_WARNINGS} ${FFI_SANITIZERS} -fno-semantic-interposition)
  target_link_options(${target} PRIVATE ${FFI_SANITIZERS})
  get_target_property(type ${target} TYPE)
  # Tests and command spend their time in the libraries.
  if(FF_SANITIZE AND NOT target MATCHES "^(footfall|footfall_io|ffi_kernels_.*)$")
    target_compile_options(${target} PRIVATE -O0)
  endif()
  # Else each executable has 300,000 addresses to correct when it starts.
  if(FF_SANITIZE MATCHES address AND type STREQUAL EXECUTABLE)
    target_link_options(${target} PRIVATE -no-pie)
  endif()
endfunction()
