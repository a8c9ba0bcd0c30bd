# Writes HEADER: the commit that the sources are of, "" if nothing tells. A header that would not change stays.
#   cmake -DSOURCE=... -DHEADER=... -P commit.cmake
set(commit "")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define BENCH_COMMIT \"@commit@\"\n" @ONLY)
