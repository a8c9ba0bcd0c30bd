# check.sh: everything ./dev check looks at. Sourced by ./dev, after build/ is built with its tests.
#
# Each check does something no other does: the tests as other machines would run them, shared libraries, clang's
# warnings and code, another processor, lint, memory errors and undefined behaviour (quick tests), leaks as valgrind
# sees them (readers), races, and hostile input. The warnings of gcc are errors in build/ already, and with them all
# that build/ runs. tests/README.md lists what is run where. All checks run even when one fails, so that one run shows
# everything; two of them at a time, since each has moments in which it keeps one core only.

. tools/fuzz.sh
FUZZ_SECONDS=${FF_FUZZ_SECONDS:-60}
CHECKS=$LOGS/checks # NAME.said: what a check says, NAME.counts: "passed failed" lines, NAME.result: "status seconds"

sources() { find include src cli apps bench examples tests python/glue -name '*.[ch]' | sort; }

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
    ctest --test-dir build-shared --output-on-failure --no-tests=error -L '^(consumer|readme|symbols)$' || status=1
  add_count build-shared/Testing/Temporary/LastTest.log
  return $status
}

# Other kernels of OpenBLAS round differently, and so do other instruction sets of ours: tolerances come from
# conditioning, not from one machine. What this machine can be told to be, oldest first.
core_types() {
  printf '%s\n' Prescott Core2 Nehalem
  ! has_flags avx || echo Sandybridge
  ! has_flags avx2 fma || printf '%s\n' Haswell Zen
  ! has_flags avx512f avx512dq avx512vl avx512bw || echo SkylakeX
}

instruction_sets() {
  echo base
  ! has_flags avx2 fma || echo avx2
  ! has_flags avx512f avx512dq avx512vl avx512bw || echo avx512
}

has_flags() { # FLAGS...: of the first processor
  local flag flags
  flags=" $(sed -n 's/^flags[^:]*://p' /proc/cpuinfo 2>/dev/null | head -n 1) "
  for flag in "$@"; do case $flags in *" $flag "*) ;; *) return 1 ;; esac; done
}

# again LOG WHAT VARIABLE=VALUE CTEST...: some tests of build/ in another environment.
again() {
  local log=$1 what=$2 setting=$3 status=0
  shift 3
  run "$log" "$what" \
    env "$setting" ctest --test-dir build -j "$JOBS" --output-on-failure --no-tests=error "$@" || status=1
  add_count build/Testing/Temporary/LastTest.log
  return $status
}

# The tests of build/ again: as on other machines, the random ones with five times as many cases, and those that ./dev
# test leaves out.
check_tests() {
  local status=0 type
  for type in $(core_types); do
    again "blas-$type" "what is compared with LAPACK, with OpenBLAS for $type" \
      OPENBLAS_CORETYPE="$type" -L '^blas$' || status=1
  done
  for type in $(instruction_sets | head -n -1); do # ./dev test takes the best
    again "isa-$type" "the quick tests with the instruction set $type" \
      FOOTFALL_ISA="$type" -L '^quick$' -LE "$NO_ENGINE" || status=1
  done
  again long "the tests of minutes" FOOTFALL_SAMPLES=1 -L '^long$' || status=1
  # Not properties/edges: of its further starts some are known to press springs too deep. ./dev soak edges shows them.
  again random "random cases, five times as many as in ./dev test" \
    FOOTFALL_SAMPLES=5 -L "^random\$" -E "^properties/edges\$" || status=1
  return $status
}
# Tests of nothing that an instruction set changes.
NO_ENGINE='^(base|docs|headers|layering|readme|consumer|demo|live|logs|viewer|examples|new_user)$'

# The folders of tests that are built and run by clang and, as far as they need no io, for another processor: all but
# those of command and page.
NUMERIC='base|math|model|dynamics|geometry|contact|ode|step|sim|control|analytic|oracle|properties|models|io'
NUMERIC+='|bad_input|support'

# syntax_all FOLDER: compile what is in FOLDER's list for clang, without making code: command, benchmarks, and tests but
# those that check_clang builds.
syntax_all() {
  sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$1/compile_commands.json" | sed 's/\\\(.\)/\1/g' |
    grep '^[^ ]*/clang ' | grep -E " -c $PWD/(apps|bench|tests)/" | grep -vE " -c $PWD/tests/($NUMERIC)/" |
    sed 's/ -o [^ ]* -c / -fsyntax-only /' |
    xargs -d '\n' -P "$JOBS" -n 1 sh -c
}

# Another compiler has other warnings, and makes other machine code: run the quick tests on it too. Of command and
# benchmarks it only looks for warnings, none of which depends on the code that is made.
check_clang() {
  local status=0
  # shellcheck disable=SC2046  # targets are words
  configure_and_build clang-werror clang-werror \
    "footfall_io $(echo $NUMERIC | sed 's/^/tests_/; s/|/ tests_/g')" || return 1
  run clang-syntax "clang's warnings about command, benchmarks and all other tests" \
    syntax_all build-clang-werror || status=1
  run clang-test "the quick tests on clang's code" \
    ctest --test-dir build-clang-werror -j "$JOBS" --output-on-failure --no-tests=error \
    -L '^quick$' -L "^($NUMERIC)\$" || status=1
  add_count build-clang-werror/Testing/Temporary/LastTest.log
  return $status
}

# The core on a processor of another kind, which fuses other products and sums. Under qemu all takes some twenty times
# as long: a part of the random cases.
check_arm64() {
  local status=0
  if [ "$(uname -m)" = aarch64 ]; then
    say "this machine is one: build/ has shown it"
    return 0
  fi
  configure_and_build arm64 arm64 "" || return 1
  run arm64-test "quick tests of the core on 64-bit ARM (qemu)" env FOOTFALL_SAMPLES=0.2 \
    ctest --test-dir build-arm64 -j "$JOBS" --output-on-failure --no-tests=error -L '^quick$' || status=1
  add_count build-arm64/Testing/Temporary/LastTest.log
  return $status
}

# Flags are given here rather than taken from a build: there a kernel is compiled six times, here once is enough.
# The kernels of src/step are for one robot, those of src/dynamics and src/batch for several.
lint_all() { # FLAGS...
  local status=0
  {
    find src cli apps bench examples python/glue -name '*.c' -not -path '*/kernels/*' -not -path "*/${unread:-none}/*" |
      grep -v /hot.c | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" || status=$?
    find src/dynamics/kernels src/step/lanes/kernels -name '*.c' | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" -DFFI_LANES=2 -DFFI_ISA=base || status=$?
    find src/step/kernels -name '*.c' | sort |
      xargs -P "$JOBS" -I{} clang-tidy --quiet {} -- "$@" -DFFI_LANES=1 -DFFI_ISA=base || status=$?
  } >"$LOGS/lint-notes.log" 2>&1
  grep -A2 --no-group-separator -E ' (error|warning): ' "$LOGS/lint-notes.log" # the rest explains how to get there
  [ $status = 0 ] || echo "each finding's path through the code: $LOGS/lint-notes.log"
  return $status
}

check_lint() {
  local flags=(-std=gnu17 -I. -Iinclude -Isrc -Iapps -Ibench -Ipython/glue -Wno-psabi)
  flags+=(-I/usr/include/libxml2 -I/usr/include/hdf5/serial)
  # The analyzer follows 225,000 states of a function unless told otherwise. Of 39 mistakes put in by chance (a free, a
  # test for NULL or an initial value taken out) it found the same five with 50,000 and with 12,500, but the fewer, the
  # more often it complains about what is right.
  flags+=(-Xclang -analyzer-config -Xclang max-nodes=50000)
  flags+=('-DBENCH_MUJOCO_SOURCE="Debian"' '-DBENCH_MUJOCO_SETS=""')
  local unread='' # a folder whose headers are not there
  [ -e /usr/include/mujoco/mujoco.h ] || unread=mujoco_module
  run lint "lint (clang-tidy)" lint_all "${flags[@]}"
}

check_sanitizers() {
  local status=0 falls
  falls=$(find tests/properties -name 'test_drops_*.c' | sed 's|.*/\(test_\)\(.*\)\.c|\1properties_\2|')
  configure_and_build asan-ubsan asan-ubsan "all $(echo $falls)" || return 1
  local watched=(env UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1
    ctest --test-dir build-asan-ubsan -j "$JOBS" --output-on-failure --no-tests=error)
  run asan-ubsan-test "the quick tests under AddressSanitizer and UndefinedBehaviorSanitizer" \
    env FOOTFALL_SAMPLES=0.5 "${watched[@]}" -L '^quick$' || status=1
  add_count build-asan-ubsan/Testing/Temporary/LastTest.log
  run asan-ubsan-falls "robots falling in all kinds of ways under the same" \
    env FOOTFALL_SAMPLES=0.1 "${watched[@]}" -R '^properties/drops_' || status=1
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
  local tests=() status=0 program source
  while read -r program; do # not the slow ones, which would take fifty times as long
    source=$(find "$(dirname "${program#build/}")" -name "${program##*/}.c") # perhaps in a folder within
    head -n 1 "$source" | grep -q '^// slow:' || tests+=("$program")
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

# With PyPI's packages what Debian's lack: Gymnasium, mypy, the long tests, the wheel where its libraries are missing.
check_python() {
  local status=0 venv=build/python/check
  . tools/python.sh
  need python
  run python-venv "the Python package with PyPI's packages" python_install "$venv" "gym,pandas,test" || return 1
  run python-test "its tests, long ones too" env FOOTFALL_LONG=1 FOOTFALL_BUILD="$PWD/build" \
    "$venv/bin/python" -m pytest -p no:cacheprovider -c python/pyproject.toml --rootdir build python/tests || status=1
  grep -oE '[0-9]+ (passed|failed)' "$LOGS/python-test.log" |
    awk '{ n[$2] += $1 } END { print n["passed"] + 0, n["failed"] + 0 }' >>"$CHECKS/$check.counts"
  run python-wheel "a wheel, installed where its libraries are missing" python_wheel || status=1
  return $status
}

check_fuzzers() { build_fuzzers; }

check_fuzz() {
  run fuzz "fuzzing the readers for $FUZZ_SECONDS s each" fuzz_all "$FUZZ_SECONDS" 0 || return 1
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
  local name begin=$SECONDS beside=(sanitizers tests clang arm64 lint python valgrind threads fuzzers shared format gcc)
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
