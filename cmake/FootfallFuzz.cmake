# Fuzz targets: every tests/fuzz/fuzz_<name>.c, a libFuzzer entry over the instrumented library.

target_compile_definitions(footfall_io PRIVATE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)

# fuzz_live_<part>.c are of the command's live pages.

file(GLOB_RECURSE live_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/apps/*.c)
list(FILTER live_sources EXCLUDE REGEX "/apps/main\\.c$")
add_library(ffi_fuzz_live OBJECT EXCLUDE_FROM_ALL ${live_sources})
ffi_target_options(ffi_fuzz_live)
target_include_directories(ffi_fuzz_live PUBLIC ${CMAKE_SOURCE_DIR}/apps)
target_link_libraries(ffi_fuzz_live PUBLIC ffi_cli LibHdf5::LibHdf5)

file(GLOB fuzz_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
foreach(file IN LISTS fuzz_files)
  cmake_path(GET file STEM target)
  set(helpers "")
  if(target STREQUAL fuzz_hull)
    set(helpers ${CMAKE_SOURCE_DIR}/tests/math/exact_sign.c)
  endif()
  add_executable(${target} ${file} ${helpers})
  ffi_target_options(${target})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  if(target MATCHES "^fuzz_live_")
    target_link_libraries(${target} PRIVATE ffi_fuzz_live)
  endif()
  target_link_libraries(${target} PRIVATE footfall_io footfall LibXml2::LibXml2 LibYaml::LibYaml m)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endforeach()
