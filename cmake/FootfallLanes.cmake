# The lane kernels: src/dynamics/kernels/*.c are written over a lane type and compiled several times, once for
# every pair of instruction set and lane count; src/step/kernels/*.c are for one robot, and
# src/step/lanes/kernels/*.c for several, once for every instruction set. Each variant is an OBJECT library with the
# definitions
#
#   FFI_ISA    base, avx2 or avx512: the word that goes into the variant's symbol names
#   FFI_LANES  robots per call: 1, 2, 4 or 8
#
# and in debug builds FFI_PLAIN_INLINE, since with everything inlined sanitizers take minutes for a file.
# ffi_add_lane_kernels(TARGET) puts them all into TARGET. The dispatcher, compiled for the base
# instruction set, learns from FFI_HAVE_AVX2 and FFI_HAVE_AVX512 which variants exist and asks the processor
# at run time which it may call.

set(FF_ISAS base avx2 avx512 CACHE STRING
  "Instruction sets beside base to compile the kernels for, where the processor's kind has them")
mark_as_advanced(FF_ISAS)
set(FFI_LANE_VARIANTS base:1 base:2)
set(FFI_LANE_DEFINITIONS "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  if(avx2 IN_LIST FF_ISAS)
    list(APPEND FFI_LANE_VARIANTS avx2:1 avx2:4)
    list(APPEND FFI_LANE_DEFINITIONS FFI_HAVE_AVX2=1)
  endif()
  if(avx512 IN_LIST FF_ISAS)
    list(APPEND FFI_LANE_VARIANTS avx512:1 avx512:8)
    list(APPEND FFI_LANE_DEFINITIONS FFI_HAVE_AVX512=1)
  endif()
endif()

set(FFI_ISA_FLAGS_base "")
set(FFI_ISA_FLAGS_avx2 -mavx2 -mfma -mbmi2)
set(FFI_ISA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma)

# Contraction to fused multiply-adds is part of the speed; errno and traps are never looked at.
set(FFI_KERNEL_FLAGS -ffp-contract=fast -fno-math-errno -fno-trapping-math)

# gcc contracts only with its expensive optimisations, which -O1 leaves out; sincos.h counts on contraction.
set(FFI_KERNEL_OPTIMIZE $<IF:$<CONFIG:Debug>,-O1,-O3> $<$<C_COMPILER_ID:GNU>:-fexpensive-optimizations>)

# Lets the compiler drop products with constant zeros, of which specialised kernels have many. Not for ltdl.c, which
# looks for pivots that are not numbers.
set(FFI_KERNEL_ZERO_FLAGS -ffinite-math-only -fno-signed-zeros)

function(ffi_add_lane_kernels target)
  file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/dynamics/kernels/*.c)
  file(GLOB step_kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/step/kernels/*.c)
  file(GLOB lanes_kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/step/lanes/kernels/*.c)
  target_compile_definitions(${target} PRIVATE ${FFI_LANE_DEFINITIONS})
  if(NOT kernels)
    return()
  endif()
  foreach(kernel IN LISTS kernels)
    set(flags "")
    if(NOT kernel MATCHES "/ltdl\\.c$")
      list(APPEND flags ${FFI_KERNEL_ZERO_FLAGS})
    endif()
    if(NOT kernel MATCHES "/transforms\\.c$") # whose loop over angles is the one that gains from it
      list(APPEND flags $<IF:$<C_COMPILER_ID:GNU>,-fno-tree-loop-vectorize,-fno-vectorize>)
    endif()
    set_source_files_properties(${kernel} PROPERTIES COMPILE_OPTIONS "${flags}")
  endforeach()
  foreach(kernel IN LISTS step_kernels)
    if(kernel MATCHES "/judgement_kernels\\.c$") # whose loops are short
      set_source_files_properties(${kernel} PROPERTIES
        COMPILE_OPTIONS "$<IF:$<C_COMPILER_ID:GNU>,-fno-tree-loop-vectorize,-fno-vectorize>")
    endif()
  endforeach()
  foreach(variant IN LISTS FFI_LANE_VARIANTS)
    string(REPLACE ":" ";" pair ${variant})
    list(GET pair 0 isa)
    list(GET pair 1 lanes)
    set(object ffi_kernels_${isa}_${lanes})
    add_library(${object} OBJECT ${kernels} $<IF:$<EQUAL:${lanes},1>,${step_kernels},${lanes_kernels}>)
    ffi_target_options(${object})
    target_include_directories(${object} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_compile_definitions(${object} PRIVATE FFI_ISA=${isa} FFI_LANES=${lanes} ${FFI_LANE_DEFINITIONS}
      $<$<CONFIG:Debug>:FFI_PLAIN_INLINE=1>)
    target_compile_options(${object} PRIVATE ${FFI_KERNEL_OPTIMIZE} ${FFI_KERNEL_FLAGS} ${FFI_ISA_FLAGS_${isa}})
    if(lanes EQUAL 1) # gathering scalars of one robot into vectors costs more than it gains
      target_compile_options(${object} PRIVATE -fno-tree-slp-vectorize)
    endif()
    if(isa STREQUAL avx512)
      target_compile_options(${object} PRIVATE -mprefer-vector-width=$<IF:$<EQUAL:${lanes},1>,256,512>)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
    set_property(GLOBAL APPEND PROPERTY FFI_KERNEL_OBJECTS $<TARGET_OBJECTS:${object}>)
  endforeach()
endfunction()
