#!/usr/bin/env bash
# The programs in examples/ compile without warnings against the public headers and the core library alone, run, and
# find their own results right.
set -u
. "$(dirname "$0")/../support/script.sh"

library=$(find "$BUILD/src" -maxdepth 1 -name 'libfootfall.*' | sort | head -1)

compile() { # NAME
  "$CC" -std=c17 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Werror "-I$ROOT/include" \
    "$ROOT/examples/$1.c" "$library" -Wl,-rpath,"$BUILD/src" -lm -o "$WORK/$1"
}
run() { # NAME
  "$WORK/$1"
}
# A check that cannot fail is none: each tells a wrong result by its exit status.
notices() { # NAME SED
  sed "$2" "$ROOT/examples/$1.c" >"$WORK/wrong_$1.c"
  ! cmp -s "$ROOT/examples/$1.c" "$WORK/wrong_$1.c" || { echo "nothing changed"; return 1; }
  "$CC" -std=c17 -O1 "-I$ROOT/include" "$WORK/wrong_$1.c" "$library" \
    -Wl,-rpath,"$BUILD/src" -lm -o "$WORK/wrong_$1" || return 1
  ! "$WORK/wrong_$1" >/dev/null
}
all_are_here() { # every example has its lines below
  (cd "$ROOT/examples" && ls ./*.c) | tr '\n' ' ' | grep -qx './hopper.c ./neurons.c '
}

check "no example is left out" all_are_here
for name in hopper neurons; do
  check "$name compiles without warnings" compile $name
  check "$name runs and is right" run $name
done
check "hopper notices a leg that is too stiff" \
  notices hopper 's/stiffness \* (length - x\[0\])/1.001 * stiffness * (length - x[0])/'
check "neurons notices a slower leak" notices neurons 's|- x\[k\]) / tau;|- 0.9999 * x[k]) / tau;|'
finish
