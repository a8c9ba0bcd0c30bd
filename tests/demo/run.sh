#!/usr/bin/env bash
# What ./dev demo shows after it has built, for a part of its time: a table whose figures say what they should, and a
# page.
set -u
. "$(dirname "$0")/../support/script.sh"

pages="$WORK/my pages" # as folders may be called
demo() { bash "$ROOT/tools/demo.sh" "$BUILD/footfall" "$pages" 300ms >"$WORK/said" 2>"$WORK/complaints"; }
cell() { awk -v stepper="$1" -v dt="$2" -v n="$3" '$1 == stepper && $2 == dt { print $n }' "$WORK/said"; }
less() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }' && return
  echo "'$1' is not below '$2'"
  cat "$WORK/said"
  return 1
}
stays() { [ "$(cell "$1" "$2" 3)" = yes ] || { cat "$WORK/said"; return 1; }; }
runs_away() { [ "$(cell euler 2ms 3)" = no, ] && less "$(cell euler 2ms 4)" 0.3; }
# The exact solution of a step is nearer than the first-order ones by orders; tests/properties/order says how many.
expo_is_nearest() {
  less "$(cell expo 2ms 4)" 0.1 && less "$(cell expo 2ms 4)" "$(cell implicit 2ms 4)" &&
    less 0 "$(cell moreau 2ms 4)"
}
nothing_else() { [ ! -s "$WORK/complaints" ] || { cat "$WORK/complaints"; return 1; }; }
has_page() {
  local shown # what the shell makes of the line that it says
  shown=$(xdg-open() { printf '%s' "$1"; } && eval "$(grep '^  xdg-open ' "$WORK/said")")
  [ "$shown" = "$(realpath "$pages/demo.html")" ] && [ "$(wc -c <"$pages/demo.html")" -gt 500000 ]
}
says_why_not() { grep -q 'built without its viewer' "$WORK/complaints" && grep -q 'no page' "$WORK/said"; }
has_viewer() { grep -q . "$BUILD/viewer/viewer.html" 2>/dev/null; }

check "it runs" demo
for one in "expo 2ms" "implicit 2ms" "moreau 2ms" "euler 0.1ms"; do
  # shellcheck disable=SC2086  # words
  check "$one stays" stays $one
done
check "euler runs away at 2 ms" runs_away
check "expo is nearest" expo_is_nearest
if has_viewer; then
  check "nothing is complained of" nothing_else
  check "there is a page, and where" has_page
else
  check "it tells why there is no page" says_why_not
fi

# Before anything is built: words that ./dev does not take.
dev() { bash "$ROOT/dev" "$@" >"$WORK/said" 2>&1; }
helps() { dev install --help && grep -q '^./dev install \[DIR\]' "$WORK/said"; }
refuses() { ! dev "$@" && grep -q "'./dev $1' takes" "$WORK/said" && ! grep -q building "$WORK/said"; }
check "./dev install --help is no folder" helps
check "./dev build takes nothing more" refuses build all
check "./dev install takes no options" refuses install --prefix
check "./dev install takes one folder" refuses install a b
finish
