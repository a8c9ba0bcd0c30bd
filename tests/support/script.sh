# script.sh: cases for tests that are scripts, reported as cmocka reports them. Source it, call
#   check "what should hold" command...
# any number of times, and end with: finish

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CC=${CC:-cc}
CXX=${CXX:-c++}
BUILD=${BUILD:-$ROOT/build}
passed=0
failed=()
WORK=$(mktemp -d "${TMPDIR:-/tmp}/footfall-test.XXXXXX")
trap 'rm -rf "$WORK"' EXIT

check() {
  local what=$1
  shift
  echo "[ RUN      ] $what"
  if "$@" >"$WORK/output" 2>&1; then
    echo "[       OK ] $what"
    passed=$((passed + 1))
  else
    tail -n 40 "$WORK/output"
    echo "[  FAILED  ] $what: $*"
    failed+=("$what")
  fi
}

finish() {
  echo "[  PASSED  ] $passed test(s)."
  [ ${#failed[@]} = 0 ] && exit 0
  echo "[  FAILED  ] ${#failed[@]} test(s), listed below:"
  printf '[  FAILED  ] %s\n' "${failed[@]}"
  exit 1
}
