#!/usr/bin/env bash
# The README's program, exactly as printed, compiles with the README's command line against an installed library,
# and the matrix it prints is one that the robot's file implies. Links in the README and in all pages lead somewhere.
set -u
. "$(dirname "$0")/../support/script.sh"

readme=$ROOT/README.md
block() { awk -v open="^\`\`\`$1\$" '/^```/ && inside { exit } inside { print } $0 ~ open { inside = 1 }' "$readme"; }
block c >"$WORK/mass_matrix.c"
block sh >"$WORK/compile.sh"

is_short() { # nobody should have to read more than 15 lines
  local lines
  lines=$(grep -c . "$WORK/mass_matrix.c")
  [ "$lines" -ge 10 ] && [ "$lines" -le 15 ] || { echo "$lines lines"; return 1; }
}
install_library() { cmake --install "$BUILD" --prefix "$WORK/prefix"; }
compile() {
  PKG_CONFIG_PATH=$(find "$WORK/prefix" -name pkgconfig -type d)
  export PKG_CONFIG_PATH
  (cd "$WORK" && sh -e compile.sh)
}
compile_strictly() {
  "$CC" -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only "-I$ROOT/include" "$WORK/mass_matrix.c"
}
run() { (cd "$ROOT" && LD_LIBRARY_PATH=$PKG_CONFIG_PATH/.. "$WORK/mass_matrix" >"$WORK/matrix"); }

# Moving without turning, the robot is one mass: the first 3 x 3 block is the sum of the masses that the file
# states, times the identity. The program prints five decimals.
holds_the_mass() {
  local mass
  mass=$(grep -o '<mass *value="[^"]*"' "$ROOT/models/solo12.urdf" | grep -o '[0-9.e+-]*"' | tr -d '"' |
    awk '{ sum += $1 } END { print sum }')
  awk -v mass="$mass" 'NR <= 3 { for (i = 1; i <= 3; ++i) { e = $i - (i == NR ? mass : 0); if (e * e > 1e-10) bad = 1 } }
    END { exit bad || NR != 18 || mass < 2 }' "$WORK/matrix"
}
is_symmetric() {
  awk 'NF != 18 { bad = 1 } { for (i = 1; i <= NF; ++i) M[NR, i] = $i; if ($NR <= 0) bad = 1 }
    END { for (i = 1; i <= 18; ++i) for (j = 1; j < i; ++j) if (M[i, j] != M[j, i]) bad = 1; exit bad || NR != 18 }' "$WORK/matrix"
}
# Legs do not feel each other: joints 7-9, 10-12, 13-15, 16-18 are coupled within a leg only.
has_the_tree() {
  awk 'NR > 6 { for (i = 7; i <= 18; ++i) if (int((i - 7) / 3) != int((NR - 7) / 3) && $i != 0) bad = 1 }
    END { exit bad }' "$WORK/matrix"
}

# Every relative link and picture in a page of the project leads to a file.
links_lead_somewhere() {
  local page link bad=0
  while read -r page; do
    while read -r link; do
      [ -e "$(dirname "$page")/$link" ] || { echo "${page#"$ROOT"/}: no $link"; bad=1; }
    done < <(grep -oE '\]\([^)#: ]*[./][^)#: ]*|src="[^":]+' "$page" | sed -E 's/^(\]\(|src=")//')
  done < <(find "$ROOT"/*.md "$ROOT/docs" "$ROOT/tests" "$ROOT/models" -name '*.md')
  return $bad
}

check "the program has at most 15 lines" is_short
check "it compiles without warnings" compile_strictly
check "the library installs" install_library
check "the README's command compiles it" compile
check "it runs" run
check "the matrix holds the robot's mass" holds_the_mass
check "the matrix is symmetric, with a positive diagonal" is_symmetric
check "the matrix shows the four legs" has_the_tree
check "links in all pages lead somewhere" links_lead_somewhere
finish
