# check.sh: everything ./dev check looks at. Sourced by ./dev, after build/ is built with its tests.
#
# Each check does something no other does: shared libraries, clang's warnings and code, lint, memory errors and
# undefined behaviour (quick tests), leaks as valgrind sees them (readers), races, and hostile input. The warnings of
# gcc are errors in build/ already, and with them all that build/ runs. All checks run even when one fails, so that
# one run shows everything; two of them at a time, since each has moments in which it keeps one core only.

FUZZ_SECONDS=${FF_FUZZ_SECONDS:-30}
CHECKS=$LOGS/checks # NAME.said: what a check says, NAME.counts: "passed failed" lines, NAME.result: "status seconds"

sources() { find include src apps bench examples tests -name '*.[ch]' | sort; }

# add_count LOG...: add the tests in these logs to the totals. The check that calls it is $check.
add_count() {
  local passed failed skipped
  read -r passed failed skipped < <(count_tests "$@")
  echo "$passed $failed" >>"$CHECKS/$check.counts"
  say "  $passed passed, $failed failed"
}

check_format() {
  # shellcheck disable=SC2046
  run format "code style (clang-format; ./dev format brings it about)" clang-format --dry-run -Werror $(sources)
}

# Built and tested without a warning: by gcc, or somebody else's warnings were seen.
check_gcc() {
  grep -qs 'CMAKE_C_COMPILER_ID "GNU"' build/CMakeFiles/*/CMakeCCompiler.cmake &&
    grep -qs '^FF_WERROR:[A-Z]*=ON$' build/CMakeCache.txt && return 0
  say "FAILED: build/ was not made by gcc with its warnings as errors: ./dev clean, and CC=gcc ./dev check"
  return 1
}

# Shared libraries must install and link as well as the static ones of build/ do.
check_shared() {
  local status=0
  configure_and_build shared shared "footfall_command footfall_words" || return 1
  run shared-test "the installed shared libraries" \
    ctest --test-dir build-shared --output-on-failure --no-tests=error -L '^(consumer|readme)$' || status=1
  add_count build-shared/Testing/Temporary/LastTest.log
  return $status
}

# syntax_all FOLDER: compile what is in FOLDER's list for clang, without making code: command, benchmarks, and tests but
# those that check_clang builds.
syntax_all() {
  sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$1/compile_commands.json" | sed 's/\\\(.\)/\1/g' |
    grep '^[^ ]*/clang ' | grep -E " -c $PWD/(apps|bench|tests)/" | grep -vE " -c $PWD/tests/(math|dynamics)/" |
    sed 's/ -o [^ ]* -c / -fsyntax-only /' |
    xargs -d '\n' -P "$JOBS" -n 1 sh -c
}

# Another compiler has other warnings, and makes other machine code: run the numeric tests on it too. Of what these do
# not need it only looks for warnings, none of which depends on the code that is made: rooms above dynamics are compiled plainly.
check_clang() {
  local status=0
  configure_and_build clang-werror clang-werror "footfall_io tests_math tests_dynamics" || return 1
  run clang-syntax "clang's warnings about command, benchmarks and all other tests" \
    syntax_all build-clang-werror || status=1
  run clang-test "dynamics tests on clang's code" \
    ctest --test-dir build-clang-werror -j "$JOBS" --output-on-failure -L '^(math|dynamics)$' || status=1
  add_count build-clang-werror/Testing/Temporary/LastTest.log
  return $status
}

# Flags are given here rather than taken from a build: there a kernel is compiled six times, here once is enough.
# The kernels of src/step are for one robot, those of src/dynamics for several.
lint_all() { # FLAGS...
  local status=0
  {
    find src apps bench examples -name '*.c' -not -path '*/kernels/*' | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" || status=$?
    find src/dynamics/kernels -name '*.c' | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" -DFFI_LANES=2 -DFFI_ISA=base || status=$?
    find src/step/kernels -name '*.c' | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" -DFFI_LANES=1 -DFFI_ISA=base || status=$?
  } >"$LOGS/lint-notes.log" 2>&1
  grep -A2 --no-group-separator -E ' (error|warning): ' "$LOGS/lint-notes.log" # the rest explains how to get there
  [ $status = 0 ] || echo "each finding's path through the code: $LOGS/lint-notes.log"
  return $status
}

check_lint() {
  local flags=(-std=gnu17 -Iinclude -Isrc -I/usr/include/libxml2 -I/usr/include/hdf5/serial -Wno-psabi)
  # The analyzer follows 225,000 states of a function unless told otherwise. Of 39 mistakes put in by chance (a free, a test for NULL or an initial value taken
  # out) it found the same five with 50,000 and with 12,500. The fewer, the more often it complains about what is right: once with 25,000, twice with 12,500.
  flags+=(-Xclang -analyzer-config -Xclang max-nodes=25000)
  [ ! -e /usr/include/mujoco/mujoco.h ] || flags+=(-DFF_HAVE_MUJOCO=1)
  run lint "lint (clang-tidy)" lint_all "${flags[@]}"
}

check_sanitizers() {
  local status=0 falls
  falls=$(find tests/properties -name 'test_drops_*.c' | sed 's|.*/\(test_\)\(.*\)\.c|\1properties_\2|')
  configure_and_build asan-ubsan asan-ubsan "all $(echo $falls)" || return 1
  local watched=(env UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1 FOOTFALL_FALLS=5 FOOTFALL_SAMPLES=5
    ctest --test-dir build-asan-ubsan -j "$JOBS" --output-on-failure --no-tests=error)
  run asan-ubsan-test "the quick tests under AddressSanitizer and UndefinedBehaviorSanitizer" \
    "${watched[@]}" -L '^quick$' || status=1
  add_count build-asan-ubsan/Testing/Temporary/LastTest.log
  run asan-ubsan-falls "robots falling in all kinds of ways under the same" \
    "${watched[@]}" -R '^properties/drops_' || status=1
  add_count build-asan-ubsan/Testing/Temporary/LastTest.log
  return $status
}

valgrind_one() { # TEST
  local log=$LOGS/valgrind-$(basename "$(dirname "$1")")-$(basename "$1").log
  valgrind --quiet --leak-check=full --show-leak-kinds=definite,possible --errors-for-leak-kinds=definite,possible \
    --error-exitcode=9 "$1" >"$log" 2>&1 && return 0
  grep -v 'OK \]\|RUN ' "$log"
  echo "FAILED: $1 (whole log: $log)"
  return 1
}

valgrind_all() { # TESTS...
  export LOGS
  export -f valgrind_one
  printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 bash -c 'valgrind_one "$1"' valgrind
}

check_valgrind() {
  local tests=() status=0 program
  while read -r program; do # not the slow ones, which would take fifty times as long, nor those that simulate: half of the time, of no reader
    case $program in */test_scene_run | */test_scene_hard) continue ;; esac
    head -n 1 "${program#build/}.c" | grep -q '^// slow:' || tests+=("$program")
  done < <(find build/tests/bad_input build/tests/io -name 'test_*' -type f -perm -u+x 2>/dev/null | sort)
  [ ${#tests[@]} -gt 0 ] || return 0
  rm -f "$LOGS"/valgrind-*.log
  run valgrind "leaks of the readers' ${#tests[@]} test programs (valgrind)" valgrind_all "${tests[@]}" || status=1
  add_count "$LOGS"/valgrind-*.log
  return $status
}

check_threads() {
  local targets
  targets=$(find tests -name 'test_threads*.c' | sed 's|.*/\([^/]*\)/test_\(.*\)\.c|test_\1_\2|')
  [ -n "$targets" ] || return 0
  configure_and_build tsan tsan "$(echo $targets)" || return 1
  run tsan-test "sharing models and worlds between threads under ThreadSanitizer" \
    ctest --test-dir build-tsan --output-on-failure --no-tests=error -R '^[a-z_]*/threads' || return 1
  add_count build-tsan/Testing/Temporary/LastTest.log
}

# fuzz_one TARGET: from the malformed, the shipped and the oracle's files on, for FUZZ_SECONDS.
fuzz_one() {
  local target=$1 corpus=build-fuzz/corpus/$1 dict=tests/fuzz/${1#fuzz_}.dict options=(-max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048)
  mkdir -p "$corpus" build-fuzz/found
  [ ! -e "$dict" ] || options+=(-dict="$dict")
  build-fuzz/fuzz/"$target" "${options[@]}" -max_len=65536 -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="build-fuzz/found/$target-" "$corpus" build-fuzz/seeds
}

fuzz_all() { # TARGETS...
  local target pids=() status=0 i=0
  mkdir -p build-fuzz/seeds
  find tests/bad_input tests/fuzz tests/oracle models scenes -type f \( -name '*.urdf' -o -name '*.yaml' -o -name '*.xml' -o -name '*.mjcf' \) -size -64k |
    while read -r file; do cp "$file" "build-fuzz/seeds/$(echo "$file" | tr / -)"; done
  for target in "$@"; do
    fuzz_one "$target" >"$LOGS/$target.log" 2>&1 &
    pids+=($!)
  done
  for target in "$@"; do
    if wait "${pids[$i]}"; then
      echo "$target: $(grep -o 'number_of_executed_units: *[0-9]*' "$LOGS/$target.log" | grep -o '[0-9]*') inputs, none bad"
    else
      echo "$target FAILED; the input is build-fuzz/found/$target-*, the whole log $LOGS/$target.log"
      grep -m1 -A25 'ERROR\|runtime error' "$LOGS/$target.log" || tail -n 20 "$LOGS/$target.log"
      status=1
    fi
    i=$((i + 1))
  done
  return $status
}

fuzz_targets() { find tests/fuzz -name 'fuzz_*.c' 2>/dev/null | sed 's|.*/\(.*\)\.c|\1|' | sort; }

check_fuzzers() {
  [ -z "$(fuzz_targets)" ] || configure_and_build fuzz fuzz "$(echo $(fuzz_targets))"
}

check_fuzz() {
  [ -n "$(fuzz_targets)" ] || return 0
  # shellcheck disable=SC2046
  run fuzz "fuzzing the readers for $FUZZ_SECONDS s each" fuzz_all $(fuzz_targets) || return 1
  sed 's/^/--   /' "$LOGS/fuzz.log"
}

# one_check NAME: what it says comes at its end, so that two at once do not mix.
one_check() {
  local check=$1 start=$SECONDS status=0
  "check_$check" >"$CHECKS/$check.said" 2>&1 || status=1
  echo "$status $((SECONDS - start))" >"$CHECKS/$check.result"
  { printf '\n== %s\n' "$check" && cat "$CHECKS/$check.said"; }
}

# summary NAMES...: their times, which failed, and how many tests they ran. A check without a result has failed.
summary() {
  local check status seconds failures=() passed failed
  printf '\n'
  for check in "$@"; do
    status=1 seconds=0
    [ ! -e "$CHECKS/$check.result" ] || read -r status seconds <"$CHECKS/$check.result"
    [ "$status" = 0 ] || failures+=("$check")
    printf '%-12s %4d s\n' "$check" "$seconds"
  done >"$LOGS/check-times.log"
  cat "$LOGS/check-times.log"
  read -r passed failed < <(cat "$CHECKS"/*.counts | awk '{ p += $1; f += $2 } END { print p + 0, f + 0 }')
  [ ${#failures[@]} = 0 ] || say "FAILED: ${failures[*]} (see above, and $LOGS)"
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ ${#failures[@]} = 0 ] && [ "$failed" = 0 ]
}

# The longest begin first. Fuzzers count seconds of the clock: they have the cores for themselves.
check_all() {
  local name begin=$SECONDS beside=(sanitizers lint clang valgrind threads fuzzers shared format gcc)
  rm -rf "$CHECKS" && mkdir -p "$CHECKS"
  trap 'trap - INT; kill -TERM 0' INT # what runs in the background does not hear of it
  say "checking: ${beside[*]}, fuzz"
  for name in "${beside[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge $((JOBS > 1 ? 2 : 1)) ]; do wait -n || true; done
    one_check "$name" &
  done
  wait
  one_check fuzz
  say "checked in $((SECONDS - begin)) s"
  summary "${beside[@]}" fuzz
}
