# steps.sh: say what happens, keep its log, and show the end of the log when it goes wrong. Sourced by ./dev.

say() { printf '%s\n' "-- $*"; }
die() {
  printf '%s\n' "./dev: $*" >&2
  exit 1
}

# run LOG WHAT COMMAND...: run a command with its output in build/logs/LOG.log. On failure print the output's
# last lines and where the rest is, and return the command's status.
run() {
  local log=$LOGS/$1.log what=$2 start=$SECONDS status=0
  shift 2
  say "$what"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ $status -ne 0 ]; then
    printf '\n'
    grep -v '^\[[0-9]*/[0-9]*\] ' "$log" | tail -n 40 | cut -c -400 # without the progress of the build
    printf '%s\n' "" "-- FAILED after $((SECONDS - start)) s: $what" \
      "   command: $(cut -c -300 <<<"$*")" "   whole log: $log"
    return $status
  fi
  [ $((SECONDS - start)) -lt 5 ] || say "  took $((SECONDS - start)) s"
}

# configure_and_build PRESET LOG "TARGETS..." OPTIONS...: empty targets mean all.
configure_and_build() {
  local preset=$1 log=$2 targets=$3
  shift 3
  run "$log-configure" "configuring preset $preset" cmake --preset "$preset" "$@" || return 1
  # shellcheck disable=SC2086  # targets are words
  run "$log-build" "building preset $preset" cmake --build --preset "$preset" -j "$JOBS" ${targets:+--target $targets}
}

# count_tests LOG...: "passed failed skipped", cases and not programs, from ctest's LastTest.log or from
# plain output of tests. A test that failed without saying how many of its cases did counts as one.
count_tests() {
  awk '
    function cases(line) { match(line, /[0-9]+ test\(s\)/); return substr(line, RSTART) + 0 }
    /\[  PASSED  \] [0-9]+ test\(s\)/ { passed += cases($0) }
    /\[  FAILED  \] .*[0-9]+ test\(s\)/ { failed += cases($0); said = 1 }
    /\[  SKIPPED \] .*[0-9]+ test\(s\)/ { skipped += cases($0) }
    /^[0-9]+\/[0-9]+ Testing: / { said = 0 }
    /^Test Failed\./ { if (!said) failed += 1 }
    /^Unable to find executable/ { failed += 1 }
    END { print passed + 0, failed + 0, skipped + 0 }' "$@"
}
