#!/usr/bin/env bash
# The README's program and the guide's first, exactly as printed, compile with the README's command line against an
# installed library: the robot of the one stands, and the matrix that the other prints is what the robot's file implies.
# The README's scene comes true. Its commands do what they say.
set -u
. "$(dirname "$0")/../support/script.sh"
. "$(dirname "$0")/../support/lines.sh"

readme=$ROOT/README.md
status=0
block() { # LANGUAGE [PAGE]: the first block of code of the README, or of a page
  awk -v open="^\`\`\`$1\$" '/^```/ && inside { exit } inside { print } $0 ~ open { inside = 1 }' "${2:-$readme}"
}
block "c mass_matrix.c" "$ROOT/docs/guide/README.md" >"$WORK/mass_matrix.c"
block c >"$WORK/stand.c"
block sh >"$WORK/compile.sh"
mkdir -p "$WORK/tree/scenes"
ln -s "$BUILD" "$WORK/tree/build"
ln -s "$ROOT/models" "$WORK/tree"
ln -s "$ROOT"/scenes/* "$WORK/tree/scenes"
block yaml >"$WORK/tree/scenes/mine.yaml"
sed 's/stand/mass_matrix/g' "$WORK/compile.sh" >"$WORK/compile_matrix.sh"

is_short() { # FILE LINES: nobody should have to read more
  local lines
  lines=$(grep -c . "$WORK/$1")
  [ "$lines" -ge 10 ] && [ "$lines" -le "$2" ] || { echo "$lines lines"; return 1; }
}
install_library() { cmake --install "$BUILD" --prefix "$WORK/prefix"; }
compile() {
  PKG_CONFIG_PATH=$(find "$WORK/prefix" -name pkgconfig -type d)
  export PKG_CONFIG_PATH
  (cd "$WORK" && sh -e compile.sh && sh -e compile_matrix.sh)
}
compile_strictly() {
  "$CC" -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only "-I$ROOT/include" \
    "$WORK/mass_matrix.c" "$WORK/stand.c"
}
run() { # PROGRAM OUTPUT
  (cd "$ROOT" && LD_LIBRARY_PATH=$PKG_CONFIG_PATH/.. "$WORK/$1" >"$WORK/$2")
}
# Its posture is at 0.216 m; weight bends motors and ground by some mm, and a robot that has fallen is far below.
it_stands() {
  cat "$WORK/said"
  awk '/^after 10 s/ && / on 4 contacts$/ {
      for (i = 1; i < NF; ++i) if ($i == "is" && $(i + 1) > 0.21 && $(i + 1) < 0.217) ok = 1
    }
    END { exit !ok }' "$WORK/said"
}

# Moving without turning, the robot is one mass: the first 3 x 3 block is the sum of the masses that the file
# states, times the identity. The program prints five decimals.
holds_the_mass() {
  local mass
  mass=$(grep -o '<mass *value="[^"]*"' "$ROOT/models/solo12.urdf" | grep -o '[0-9.e+-]*"' | tr -d '"' |
    awk '{ sum += $1 } END { print sum }')
  awk -v mass="$mass" '
    NR <= 3 { for (i = 1; i <= 3; ++i) { e = $i - (i == NR ? mass : 0); if (e * e > 1e-10) bad = 1 } }
    END { exit bad || NR != 18 || mass < 2 }' "$WORK/matrix"
}
is_symmetric() {
  awk 'NF != 18 { bad = 1 } { for (i = 1; i <= NF; ++i) M[NR, i] = $i; if ($NR <= 0) bad = 1 }
    END {
      for (i = 1; i <= 18; ++i) for (j = 1; j < i; ++j) if (M[i, j] != M[j, i]) bad = 1
      exit bad || NR != 18
    }' "$WORK/matrix"
}
# Legs do not feel each other: joints 7-9, 10-12, 13-15, 16-18 are coupled within a leg only.
has_the_tree() {
  awk 'NR > 6 { for (i = 7; i <= 18; ++i) if (int((i - 7) / 3) != int((NR - 7) / 3) && $i != 0) bad = 1 }
    END { exit bad }' "$WORK/matrix"
}

command_line() {
  # The build may be without them.
  case $1 in *" bench "* | *" compare "*) [ -e "$BUILD/footfall-bench" ] || return 0 ;; esac
  case $1 in *" view "*) [ -e "$BUILD/viewer/viewer.html" ] || return 0 ;; esac
  FOOTFALL_OUT=out run_line "$WORK/tree" "$1"
  [ $status = 0 ] || { echo "exit status $status"; return 1; }
}
scene_comes_true() {
  (cd "$WORK/tree" && build/footfall run scenes/mine.yaml --no-log) | tee "$WORK/mine"
  grep -q '^task  *met' "$WORK/mine"
}
has_commands() { [ "$(wc -l <"$WORK/commands")" -ge 6 ]; }

check "the README's program has at most 25 lines" is_short stand.c 25
check "the guide's first program has at most 15 lines" is_short mass_matrix.c 15
check "they compile without warnings" compile_strictly
check "the library installs" install_library
check "the README's command compiles them" compile
check "the one runs" run stand said
check "the other runs" run mass_matrix matrix
check "its robot stands" it_stands
check "the matrix holds the robot's mass" holds_the_mass
check "the matrix is symmetric, with a positive diagonal" is_symmetric
check "the matrix shows the four legs" has_the_tree
sed -n 's|^    \(build/footfall .*\)|\1|p' "$readme" >"$WORK/commands"
check "it has commands" has_commands
while IFS= read -r line <&3; do check "${line%%  *}" command_line "$line"; done 3<"$WORK/commands"
check "its scene comes true" scene_comes_true
say_begun
finish
