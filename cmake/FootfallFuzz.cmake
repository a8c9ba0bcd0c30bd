# Fuzz targets: every tests/fuzz/fuzz_<reader>.c, a libFuzzer entry over the instrumented library.

target_compile_definitions(footfall_io PRIVATE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
file(GLOB fuzz_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.c)
foreach(file IN LISTS fuzz_files)
  cmake_path(GET file STEM target)
  add_executable(${target} ${file})
  ffi_target_options(${target})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE footfall_io footfall LibXml2::LibXml2 LibYaml::LibYaml m)
  target_link_options(${target} PRIVATE -fsanitize=fuzzer,address,undefined)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endforeach()
