#!/usr/bin/env bash
# The house rules that a machine can check: small folders and files, short lines, a head comment in every file, few
# arguments, and names that say where something is. docs/architecture.md has the rooms; tests/layering their order.
set -u
. "$(dirname "$0")/../support/script.sh"

cd "$ROOT" || exit 1
export LC_ALL=C.UTF-8
places=(src include apps cli bench examples tests viewer)
code=('*.c' '*.h' '*.cpp' '*.mjs' '*.js' '*.sh')

# code_files: all of our code, one path per line. Generated pages and packages are not ours.
code_files() {
  local name=() pattern
  for pattern in "${code[@]}"; do name+=(-o -name "$pattern"); done
  find "${places[@]}" -name node_modules -prune -o -type f \( "${name[@]:1}" \) -print | sort
}
none() { # COMMAND...: passes if the command prints nothing
  "$@" >"$WORK/found"
  cat "$WORK/found"
  [ ! -s "$WORK/found" ]
}

# A folder holds at most 40 files of code.
full_folders() { code_files | xargs -n1 dirname | sort | uniq -c | awk '$1 > 40 { print $2 " has " $1 " files" }'; }

# A file has at most 500 lines.
long_files() { code_files | xargs wc -l | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }'; }

# A line ends by column 120.
long_lines() {
  { code_files; git ls-files '*.cmake' '*CMakeLists.txt' dev 'tools/*.sh'; } |
    xargs awk 'length($0) > 120 { print FILENAME ":" FNR ": " length($0) " columns" }'
}

# A file starts with what it is for.
headless_files() {
  local file
  code_files | while read -r file; do
    case $file in
      *.sh) sed -n 2p "$file" | grep -q '^# ' || sed -n 1p "$file" | grep -q '^# [^!]' || echo "$file" ;;
      *) head -1 "$file" | grep -qE '^(//|/\*)' || echo "$file" ;;
    esac
  done
}

# shared_names LIBRARY: "file symbol" of what a library's files share, without the suffix of a kernel's variant.
shared_names() {
  nm -A --defined-only "$1" 2>/dev/null |
    sed -nE 's/^[^:]*:([a-z0-9_]+)\.c\.o:[0-9a-f]* [TDRBVC] (ffi_[A-Za-z0-9_]+)$/\1 \2/p' |
    sed -E 's/_(base|avx2|avx512)_x[0-9]+$//' | sort -u
}

# A name that files share begins with the name of its file: ffi_expo_events_search is in expo_events.c. Kernels, which
# are reached through a table (src/dynamics/kernels.h, src/step/step_kernels.h), are called after what they compute.
misplaced_names() {
  local kernels
  kernels=$(find src -path '*/kernels/*.c' -printf '%f\n' | sed 's/\.c$//' | tr '\n' ' ')
  for library in "$BUILD/src/libfootfall.a" "$BUILD/src/libfootfall_io.a" "$BUILD/cli/libffi_cli.a"; do
    [ ! -e "$library" ] || shared_names "$library"
  done | awk -v kernels=" $kernels" '
    index(kernels, " " $1 " ") { next }
    $2 != "ffi_" $1 && index($2, "ffi_" $1 "_") != 1 { print $1 ".c shares " $2 }'
}

# Two files of src have the same name, so that a name would not tell where it is.
same_stems() { find src -name '*.c' -not -path '*/kernels/*' -printf '%f\n' | sort | uniq -d; }

# A type has one definition.
same_types() {
  find src include apps cli bench -name '*.h' -print0 |
    xargs -0 sed -nE 's/^typedef (struct|enum|union) (ffi?_[a-z0-9_]+) \{.*/\2/p' | sort | uniq -d
}

# A name that files share is used by another file. Listed are those that only tests need beside their own file, and the
# whole vocabulary of the JSON writer.
unshared_names() {
  local libraries=("$BUILD/src/libfootfall.a" "$BUILD/src/libfootfall_io.a" "$BUILD/cli/libffi_cli.a")
  [ -e "${libraries[2]}" ] && [ -d "$BUILD/apps" ] && [ -d "$BUILD/bench" ] || return 0
  for library in "${libraries[@]}"; do shared_names "$library"; done | cut -d' ' -f2 | sort -u >"$WORK/defined"
  { nm -A -u "${libraries[@]}"; find "$BUILD/apps" "$BUILD/bench" -name '*.o' -print0 | xargs -0 nm -A -u; } \
    2>/dev/null | sed -nE 's/.* U (ffi_[A-Za-z0-9_]+)$/\1/p' |
    sed -E 's/_(base|avx2|avx512)_x[0-9]+$//' | sort -u >"$WORK/used"
  comm -23 "$WORK/defined" "$WORK/used" | while read -r name; do
    case $name in ffi_json_*) continue ;; esac
    grep -rqw --include='*.[ch]' "$name" tests || echo "$name: only its own file uses it; make it static"
  done
}

# many_arguments: functions with more than six, "file: name". A function begins at the first column, and what declares
# it ends with ; or a brace.
many_arguments() {
  find src cli apps bench tests -name '*.[ch]' -not -path '*/kernels/*' -print0 | sort -z | xargs -0 awk '
    function judge(text,   name) {
      if (text !~ /^[a-z][A-Za-z0-9_ *]*[ *][A-Za-z0-9_]+\(/ || text ~ /^(typedef|return)/) return
      name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
      sub(/^[^(]*\(/, "", text); sub(/\)[^)]*$/, "", text)
      while (gsub(/\([^()]*\)/, "", text)) { }
      if (gsub(/,/, ",", text) > 5 && name !~ /^ff_/) print FILENAME ": " name
    }
    FNR == 1 { text = "" }
    { sub(/\/\/.*/, ""); sub(/__attribute__\(\([^)]*\)\) */, "") }
    text == "" && /^[a-z][^=;{]*\(/ { text = " " }
    text != "" {
      text = text " " $0
      if (/[;{]/) { sub(/^ +/, "", text); sub(/[;{].*/, "", text); judge(text); text = "" }
    }'
}

# At most six arguments: beyond that there is a struct that wants a name. Kernels take arrays one by one; in `pair` the
# sizes are constants of an inlined kernel, too; and the
# headers of these say why they keep more.
crowded_calls() {
  many_arguments |
    grep -vE ': (ffi_fail|ffi_contact_law|ffi_contact_law_relax_anchor|ffi_flag_law[a-z_]*|begin|pair)$' |
    grep -vE 'src/io/xml/xml_open.c: on_' # callbacks of libxml2
}

check "at most 40 files in a folder" none full_folders
check "at most 500 lines in a file" none long_files
check "lines end by column 120" none long_lines
check "every file says what it is for" none headless_files
check "shared names begin with their file's name" none misplaced_names
check "shared names are used by another file" none unshared_names
check "at most six arguments" none crowded_calls
check "no two files of src have the same name" none same_stems
check "no two types have the same name" none same_types
finish
