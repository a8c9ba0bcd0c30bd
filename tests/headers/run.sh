#!/usr/bin/env bash
# Every public header compiles alone: as C17, as C++17, and twice in one file; footfall.h includes them all.
set -u
. "$(dirname "$0")/../support/script.sh"

strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only "-I$ROOT/include")

mapfile -t headers < <(cd "$ROOT/include/footfall" && find . -name '*.h' -printf '%P\n' | sort)

alone() { # HEADER LANGUAGE COMPILER...
  local header=$1 suffix=$2
  shift 2
  printf '#include <footfall/%s>\n#include <footfall/%s>\n' "$header" "$header" >"$WORK/alone.$suffix"
  "$@" "${strict[@]}" "$WORK/alone.$suffix"
}

includes_all() { # footfall.h includes every header beside it; it or x.h those of the folder x/
  local header missing=0
  for header in "${headers[@]}"; do
    local by=footfall.h
    grep -q "^#include <footfall/$header>" "$ROOT/include/footfall/footfall.h" && continue
    [[ $header == */* ]] && by=${header%%/*}.h
    [ "$header" = "$by" ] || grep -q "^#include <footfall/$header>" "$ROOT/include/footfall/$by" ||
      { echo "$by does not include $header"; missing=1; }
  done
  return $missing
}

refuses() { # the check itself: a header that needs another first, and one that is C only, must fail
  printf 'ff_status f(void);\n' >"$WORK/wrong.c"
  ! "$CC" -std=c17 "${strict[@]}" "$WORK/wrong.c" || return 1
  printf 'int f(int class);\n' >"$WORK/wrong.cc"
  ! "$CXX" -std=c++17 "${strict[@]}" "$WORK/wrong.cc"
}

for header in "${headers[@]}"; do
  check "$header alone as C17" alone "$header" c "$CC" -std=c17
  check "$header alone as C++17" alone "$header" cc "$CXX" -std=c++17
done
check "footfall.h includes every public header" includes_all
check "wrong headers are refused" refuses
finish
