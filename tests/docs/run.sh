#!/usr/bin/env bash
# What the pages of the guide show is true: programs compile and run, scenes load and run, commands do what is
# said. pages.sh says how blocks are marked.
set -u
. "$(dirname "$0")/../support/script.sh"
. "$(dirname "$0")/../support/lines.sh"
. "$(dirname "$0")/pages.sh"
. "$(dirname "$0")/reference.sh"
. "$(dirname "$0")/links.sh"
. "$(dirname "$0")/words.sh"
. "$(dirname "$0")/tables.sh"
. "$(dirname "$0")/names.sh"
. "$(dirname "$0")/figures.sh"
. "$(dirname "$0")/equations.sh"

export FOOTFALL_OUT=out PATH=$BUILD:$PATH BROWSER=true DISPLAY=
status=0
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
strict=(-std=c17 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

compile() { # FILE
  wrap "$1" >"$WORK/page.c"
  if ! grep -q '^int main' "$1"; then
    "$CC" "${strict[@]}" -Wno-unused -Wno-shadow -fsyntax-only "-I$ROOT/include" "$WORK/page.c"
    return
  fi
  # shellcheck disable=SC2046  # words
  "$CC" "${strict[@]}" "$WORK/page.c" $(pkg-config --cflags --libs footfall_io) -lm -o "$1.program" &&
    (cd "$(dirname "$1")" && "$1.program")
}
scene() { # FILE
  mkdir -p "$(dirname "$1")/below"
  if grep -q '^model: \.\./' "$1"; then
    cp "$1" "$(dirname "$1")/below/scene.yaml"
  else
    cp "$1" "$(dirname "$1")/scene.yaml"
  fi
  # So short that its task may not be met: then the exit status is 4.
  (cd "$(dirname "$1")" &&
    "$BUILD/footfall" run "$(ls below/scene.yaml scene.yaml 2>/dev/null | head -1)" --duration 50ms --no-log --quiet) ||
    [ $? = 4 ]
}
project() { # FOLDER
  local target
  cmake -S "$1" -B "$1/built" -DCMAKE_PREFIX_PATH="$WORK/prefix" -DCMAKE_C_COMPILER="$CC" &&
    cmake --build "$1/built" || return 1
  for target in $(sed -n 's/^add_executable(\([a-z_]*\) .*/\1/p' "$1/CMakeLists.txt"); do
    (cd "$1" && "built/$target") || return 1
  done
}
command_line() { # FOLDER LINE
  local wanted=0 words='' wait=''
  [[ $2 =~ '# exit status '([0-9]+)(': '(.*))?$ ]] && wanted=${BASH_REMATCH[1]} words=${BASH_REMATCH[3]}
  [ "$wanted" = 0 ] || wait='wait'
  run_line "$1" "$2" $wait >"$WORK/said" 2>&1
  cat "$WORK/said"
  case $2 in # without a viewer it says so, unless its words are wrong
    footfall\ view*) [ -e "$BUILD/viewer/viewer.html" ] || [ $status != 1 ] || return 0 ;;
  esac
  tr -s '\n ' '  ' <"$WORK/said" | grep -qF -- "$words" || [ -z "$words" ] ||
    { echo "it does not say: $words"; return 1; }
  [ $status = "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}

cmake --install "$BUILD" --prefix "$WORK/prefix" >/dev/null
PKG_CONFIG_PATH=$(find "$WORK/prefix" -name pkgconfig -type d)
export PKG_CONFIG_PATH LD_LIBRARY_PATH=$PKG_CONFIG_PATH/..
tried=0
for page in "$ROOT"/docs/guide/*.md; do
  name=$(basename "$page" .md) folder=$WORK/$(basename "$page" .md)
  blocks "$page" "$folder"
  ln -s "$ROOT/models" "$ROOT/scenes" "$folder"
  for file in "$folder"/[0-9][0-9].*; do
    [ -e "$file" ] && tried=$((tried + 1))
    case $file in
      *.c) check "$name: program $(basename "$file")" compile "$file" ;;
      *.cmake) check "$name: project $(basename "$file")" project "$folder" ;;
      *.xml) check "$name: robot $(basename "$file")" "$BUILD/footfall" info "$file" ;;
      *.yaml) check "$name: scene $(basename "$file")" scene "$file" ;;
      *.sh)
        while IFS= read -r line; do
          check "$name: $line" command_line "$folder" "$line"
        done < <(grep -v '^ *$' "$file")
        ;;
    esac
  done
done
check_reference
check_links
check_words
check_tables
check_names
check_figures
check_equations
check "there was something to try" test "$tried" -ge 20
say_begun
finish
