# shellcheck shell=bash
# names.sh: files and functions that the pages for developers name are in the tree. Sourced by run.sh.

developer_pages=(docs/architecture.md docs/glossary.md CONTRIBUTING.md)

# named_files PAGE: paths, and names of C files and headers without a folder. Not those with a placeholder, such as
# test_<name>.c.
named_files() {
  sed -E 's/[A-Za-z0-9_./-]*[<*][A-Za-z0-9_.>*/-]*//g' "$1" | grep -oE '[A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)*/?' |
    grep -E '^(src|apps|bench|cli|include|tests|tools|viewer|docs|models|scenes|examples)/|^[a-z0-9_]+\.[ch]$' |
    sed -E 's/[.]+$//' | sort -u
}

# named_symbols PAGE: words that begin with ff_ or ffi_; one that ends with _ is a beginning.
named_symbols() { grep -oE '\bffi?_[a-z0-9_]+' "$1" | sort -u; }

# tree_symbols: all such words of the sources.
tree_symbols() {
  grep -rhoE '\bffi?_[a-z0-9_]+' "$ROOT"/{src,include,apps,bench,cli,tests} --include='*.[ch]' --include='*.txt' |
    sort -u
}

file_exists() { # NAME
  [ -e "$ROOT/$1" ] || [ -e "$ROOT/src/$1" ] || [ -e "$ROOT/include/footfall/$1" ] ||
    { [[ $1 != */* ]] && grep -qxF -- "$1" "$WORK/tree-files"; }
}

# Where a line of a page has a function and then a source file, the file defines the function.
places_are_right() {
  local page name file missing=0
  for page in "${developer_pages[@]}"; do
    while read -r name file; do
      grep -qE "^[a-z].*\\b$name\\(" "$ROOT/$file" || { echo "$page: $file does not define $name"; missing=1; }
    done < <(sed -nE 's/^[^a-z]*─ (ffi?_[a-z0-9_]+) .* (src[a-z0-9_/]+\.c)$/\1 \2/p' "$ROOT/$page")
  done
  return $missing
}

names_exist() {
  local page name missing=0
  find "$ROOT"/{src,include,apps,bench,cli,tests} -name '*.[ch]' -printf '%f\n' >"$WORK/tree-files"
  tree_symbols >"$WORK/tree-symbols"
  for page in "${developer_pages[@]}"; do
    while read -r name; do
      file_exists "$name" || { echo "$page: there is no file $name"; missing=1; }
    done < <(named_files "$ROOT/$page")
    while read -r name; do
      if [[ $name == *_ ]]; then
        grep -q "^$name" "$WORK/tree-symbols"
      else
        grep -qxF "$name" "$WORK/tree-symbols"
      fi ||
        { echo "$page: there is no $name"; missing=1; }
    done < <(named_symbols "$ROOT/$page")
  done
  return $missing
}

# The check itself: a file and a function that do not exist are reported, those that exist are not.
missing_names_are_reported() {
  local ROOT=$WORK/named developer_pages=(page.md)
  mkdir -p "$ROOT"/{src/base,include,apps,bench,cli,tests}
  printf 'void ffi_block_take(void);\n' >"$ROOT/src/base/block.h"
  # shellcheck disable=SC2016  # no command
  printf '`src/base/block.h`, `src/base/`, block.h, `ffi_block_take()`, `ffi_block_*`, `tests/base/test_<file>.c`\n' \
    >"$ROOT/page.md"
  names_exist || return 1
  # shellcheck disable=SC2016  # no command
  printf '`src/base/gone.h`, gone.c, `ffi_gone()`\n' >>"$ROOT/page.md"
  ! names_exist >"$WORK/said" && [ "$(grep -c 'there is no' "$WORK/said")" = 3 ]
}

check_names() {
  check "files and functions that developer pages name exist" names_exist
  check "functions are in the files that developer pages name" places_are_right
  check "missing ones would be reported" missing_names_are_reported
}
