# shellcheck shell=bash
# equations.sh: every display equation of the theory pages has its row in docs/theory/equations.md, and what a row names
# is in the tree. Sourced by run.sh.

# displays PAGE: "(5a)" for each number of a display, and the heading above for each display without one. A display is
# what is indented by four; lines of commands are none.
displays() {
  awk '
    function flush() { if (is_open && !numbers) print heading; is_open = numbers = 0 }
    /^#+ / { flush(); heading = $0; sub(/^#+ +([0-9]+\. +)?/, "", heading); next }
    /^ *$/ { next }
    /^    +(build\/)?footfall / { next }
    /^    / {
      is_open = 1
      if (match($0, /  +\([0-9]+[a-z]?\)(  +[^ ].*)?$/)) {
        number = substr($0, RSTART)
        sub(/^ +/, "", number)
        sub(/\).*/, ")", number)
        print number
        ++numbers
      }
      next
    }
    { flush() }
    END { flush() }' "$1"
}

# rows PAGE: the rows of the list that are about a page.
rows() {
  awk -v page="($(basename "$1"))" '/^## / { inside = index($0, page) }
    inside && /^\|/ && !/^\| equation \|/ && !/^\|-/' "$ROOT/docs/theory/equations.md"
}

equations_have_rows() {
  local page missing=0
  for page in "$ROOT"/docs/theory/*.md; do
    case $page in */README.md | */equations.md) continue ;; esac
    displays "$page" | sort >"$WORK/displays"
    rows "$page" | awk -F' [|] ' '{ sub(/^\| /, "", $1); print $1 }' | sort >"$WORK/rows"
    diff "$WORK/displays" "$WORK/rows" |
      sed -nE "s|^< (.*)|${page##*/}: no row for \1|p; s|^> (.*)|${page##*/}: nothing is \1|p" | grep . && missing=1
  done
  return $missing
}

# names CELL: "path name" for every name behind a path: `a.c`: `f`, `g` are two.
names() { grep -oE '`[^`]+`' <<<"$1" | tr -d '`' | awk '/\// { path = $0; next } path != "" { print path, $0 }'; }

# A row has the places of the code and of tests, or says why there is no test.
equation_names_exist() {
  local page row code test path name bad=0
  for page in "$ROOT"/docs/theory/*.md; do
    while IFS= read -r row; do
      code=$(awk -F' [|] ' '{ print $3 }' <<<"$row") test=$(awk -F' [|] ' '{ print $4 }' <<<"$row")
      while read -r path name; do
        grep -qwF -- "$name" "$ROOT/$path" 2>/dev/null || { echo "${page##*/}: no $name in $path"; bad=1; }
      done < <(names "$code")
      [[ $test == "none: "* ]] && continue
      [ -n "$(names "$test")" ] || { echo "${page##*/}: neither test nor reason: $row"; bad=1; }
      while read -r path name; do
        grep -qE "cmocka_unit_test[a-z_]*\($name\b" "$ROOT/$path" 2>/dev/null ||
          { echo "${page##*/}: no test $name in $path"; bad=1; }
      done < <(names "$test")
    done < <(rows "$page")
  done
  return $bad
}

# Every change of changes.txt still has its text in the sources, and its equation in the list. One pass of awk: a file
# is read whole when its first change comes.
changes_apply() {
  (cd "$ROOT" && awk '
    function judge(  at) {
      if (headline == "") return
      if (!(file in text)) {
        while ((getline line < file) > 0) text[file] = text[file] line "\n"
        close(file)
      }
      if (old == "" || !index(text[file], old)) { print headline ": its text is not in " file; bad = 1 }
      ++count
    }
    /^#/ { next }
    /^== / { judge(); headline = substr($0, 4); old = file = ""; next }
    /^-/ { old = old (old == "" ? "" : "\n") substr($0, 2); next }
    /^\+/ { next }
    /./ { file = $0 }
    END { judge(); if (count < 100) { print "only " count " changes"; bad = 1 } exit bad }' tests/docs/changes.txt)
}

# The check itself: an equation without a row, a row of none, and a test and code that are not there are reported.
missing_equations_are_reported() {
  local ROOT=$WORK/equations
  mkdir -p "$ROOT/docs/theory" "$ROOT/src" "$ROOT/tests"
  echo 'double f(void);' >"$ROOT/src/f.c"
  echo 'cmocka_unit_test(works),' >"$ROOT/tests/t.c"
  printf '# Page\n\n    a = b    (1)\n    c = d    (2)   paper\n\n## 1. Next\n\n    e = f\n\n    footfall run\n' \
    >"$ROOT/docs/theory/page.md"
  local row=' | says | `src/f.c`: `f` | `tests/t.c`: `works` | no |'
  printf '## [Page](page.md)\n\n| equation | x |\n|---|---|\n| (1)%s\n| (2)%s\n| Next%s\n' "$row" "$row" "$row" \
    >"$ROOT/docs/theory/equations.md"
  equations_have_rows && equation_names_exist || return 1
  sed -i 's/(2) |/(3) |/; s/^\(| Next.*\)`f`\(.*\)`works`/\1`g`\2`fails`/' "$ROOT/docs/theory/equations.md"
  equations_have_rows >"$WORK/said"
  equation_names_exist >>"$WORK/said"
  [ "$(grep -cE 'no row for \(2\)|nothing is \(3\)|no g in|no test fails' "$WORK/said")" = 4 ]
}

check_equations() {
  check "every display equation has a row" equations_have_rows
  check "code and tests that rows name exist" equation_names_exist
  check "missing ones would be reported" missing_equations_are_reported
  check "changes that make them wrong can be made" changes_apply
}
