#!/usr/bin/env bash
# The exported symbols change only on purpose: libfootfall and libfootfall_io export what footfall.txt and
# footfall_io.txt list, which is what the public headers declare, and nothing else. To accept a change:
# bash tests/symbols/run.sh --accept, and commit the lists with it.
set -u
. "$(dirname "$0")/../support/script.sh"

here=$ROOT/tests/symbols
export LC_ALL=C

# library NAME: the shared library of this build, or the static one.
library() {
  local file
  for file in "$BUILD/src/lib$1.so" "$BUILD/src/lib$1.a"; do
    [ ! -e "$file" ] || { echo "$file"; return 0; }
  done
  echo "there is no lib$1 in $BUILD/src" >&2
  return 1
}

# names NAME: all that others can link to. Of a static library nobody can hide what its files share: the prefix ffi_
# does.
names() {
  local file
  file=$(library "$1") || return 1
  case $file in
  *.so) nm -D --defined-only "$file" ;;
  *) nm -g --defined-only "$file" 2>/dev/null ;;
  esac | awk 'NF == 3 { print $3 }' | sort -u
}
exported() { names "$1" | grep '^ff_'; }

# declared HEADER...: functions, without comments and without those that are inline; their bodies are indented.
declared() {
  sed -e 's|//.*||' "$@" | grep -o '^[a-z].*ff_[a-z0-9_]*(' |
    grep -v 'static inline' | grep -o 'ff_[a-z0-9_]*(' | tr -d '(' | sort -u
}
inline_ones() { sed -e 's|//.*||' "$@" | grep 'static inline' | grep -o 'ff_[a-z0-9_]*(' | tr -d '(' | sort -u; }

# headers NAME: those of the core, or of footfall_io: they say so in their first lines.
headers() {
  local header
  for header in "$ROOT"/include/footfall/*.h "$ROOT"/include/footfall/*/*.h; do
    if head -n 1 "$header" | grep -q 'In the library footfall_io'; then
      [ "$1" = footfall ] || echo "$header"
    else
      [ "$1" = footfall_io ] || echo "$header"
    fi
  done
}
declared_for() {
  local files
  mapfile -t files < <(headers "$1")
  comm -23 <(declared "${files[@]}") <(inline_ones "${files[@]}")
}

as_listed() { # NAME
  diff -u --label "listed in tests/symbols/$1.txt" \
    --label "exported by lib$1" "$here/$1.txt" <(exported "$1") && return 0
  echo
  echo "A line with + is new, one with - is gone: programs that call it no longer link. If that is meant:"
  echo "    BUILD=$BUILD bash tests/symbols/run.sh --accept"
  return 1
}
as_declared() { # NAME
  diff -u --label "declared in its public headers" \
    --label "exported by lib$1" <(declared_for "$1") <(exported "$1") && return 0
  echo
  echo "A line with - is declared but not exported; one with + is exported but not declared in a public header:"
  echo "declare it, make it static, or call it ffi_..."
  return 1
}
nothing_else() { # NAME: other names clash with those of programs
  local others
  case $(library "$1") in
  *.so) others=$(names "$1" | grep -v '^ff_') ;;
  *) others=$(names "$1" | grep -v '^ffi\?_') ;;
  esac
  [ -z "$others" ] || { echo "lib$1 also has:"; echo "$others"; return 1; }
}
would_fail() { # the checks themselves: a list without its first line, and one with a line too many
  local list=$WORK/lists
  mkdir -p "$list"
  (here=$list && sed 1d "$ROOT/tests/symbols/footfall.txt" >"$list/footfall.txt" &&
    ! as_listed footfall >"$list/said" &&
    grep -q "^+$(head -n 1 "$ROOT/tests/symbols/footfall.txt")\$" "$list/said") || return 1
  (here=$list && { cat "$ROOT/tests/symbols/footfall.txt"; echo ff_zzz_gone; } >"$list/footfall.txt" &&
    ! as_listed footfall >"$list/said" && grep -q '^-ff_zzz_gone$' "$list/said")
}

if [ "${1:-}" = --accept ]; then
  for name in footfall footfall_io; do
    exported "$name" >"$WORK/list" && cp "$WORK/list" "$here/$name.txt" || exit 1
    echo "tests/symbols/$name.txt: $(wc -l <"$here/$name.txt") symbols"
  done
  exit 0
fi

for name in footfall footfall_io; do
  check "lib$name exports what is listed" as_listed "$name"
  check "lib$name exports what its headers declare" as_declared "$name"
  check "lib$name has no other names" nothing_else "$name"
done
check "another symbol, or one less, is found" would_fail
finish
