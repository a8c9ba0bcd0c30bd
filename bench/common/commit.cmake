# Writes FILE, which has bench_machine_commit(): the commit that the sources are of, "" if nothing tells. A file that
# would not change stays.
#   cmake -DSOURCE=... -DFILE=... -P commit.cmake
set(commit "")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${FILE} @ONLY CONTENT "#include \"common/machine.h\"

const char *bench_machine_commit(void)
{
  return \"@commit@\";
}
")
