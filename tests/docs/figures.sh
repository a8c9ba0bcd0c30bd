# shellcheck shell=bash
# figures.sh: figures in documents are those of the runs whose rows are in docs/verdicts.json and, of speeds, in
# docs/performance.json. Sourced by run.sh.
#
# README.md and docs/guide/choosing.md have figures of both. In docs/reproduction*.md figures are in blocks that
# tools/figures.sh fills; every other paragraph with a number says in its first line where its numbers are from:
# <!-- numbers: the paper's -->.

quoting_pages() { echo "$ROOT"/docs/reproduction*.md; }

speeds_are_of_the_run() {
  "$ROOT/tools/figures.sh" check "$ROOT/docs/performance.json" "$ROOT/docs/performance.md" &&
    [ "$(grep -c '"case": ' "$ROOT/docs/performance.json")" -ge 100 ]
}

figures_are_of_the_run() {
  # shellcheck disable=SC2046  # pages
  "$ROOT/tools/figures.sh" check "$ROOT/docs/verdicts.json" $(quoting_pages)
}

figures_are_of_both_runs() {
  local page
  for page in "$ROOT/README.md" "$ROOT/docs/guide/choosing.md"; do
    grep -q '<!-- figures' "$page" || { echo "$page has no figures"; return 1; }
    "$ROOT/tools/figures.sh" check "$ROOT/docs/verdicts.json,$ROOT/docs/performance.json" "$page" || return 1
  done
}

# loose_numbers PAGE: paragraphs outside of blocks with a number and no word on where it is from. Names, code, places in
# a paper and headings have no numbers in this sense.
loose_numbers() {
  LC_ALL=C awk -v page="${1##*/}" '
    function look() {
      if (paragraph != "" && paragraph !~ /^<!-- numbers: [^>]+ -->/) {
        gsub(/<!--[^>]*-->/, "", paragraph)
        gsub(/`[^`]*`/, "", paragraph)
        gsub(/\]\([^)]*\)/, "]", paragraph)
        gsub(/(Figs?|Tables?|[Ss]ections?|eqs?|Algorithm|Listing)[.]? [0-9][0-9.]*((,| and|-) [0-9][0-9.]*)*/, "",
          paragraph)
        gsub(/[A-Za-z][A-Za-z]*[0-9][A-Za-z0-9:]*/, "", paragraph)
        if (paragraph ~ /[0-9]/) print page ":" first ": a number from nowhere: " paragraph
      }
      paragraph = ""
    }
    /^<!-- figures/ { look(); inside = 1 }
    inside { if (/^<!-- end of figures/) inside = 0; next }
    /^#/ || /^$/ || /^    / { look(); next }
    { if (paragraph == "") first = FNR; paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
    END { look() }' "$1"
}

numbers_have_a_source() {
  local page bad=0
  for page in $(quoting_pages); do
    [ -z "$(loose_numbers "$page")" ] || { loose_numbers "$page"; bad=1; }
  done
  return $bad
}

# claims_of ROWS: what the page of verdicts must say of each claim, by its rows: a heading, and the start of a line.
claims_of() {
  LC_ALL=C awk -F'"' '
    /"case": "[a-z0-9-]*\/paper"/ {
      id = $8; value = $0
      sub(/.*"value": /, "", value); sub(/, "unit".*/, "", value); gsub(/"/, "", value)
      paper = $4
      if (sub(/^says:/, "", id)) { order[++count] = paper "|" id; name[count] = id }
      else if (sub(/^claim:/, "", id)) verdict[paper "|" id] = value
      else if (sub(/^decided:/, "", id)) figure[paper "|" id] = sprintf("%.3g", value)
    }
    END {
      for (i = 1; i <= count; ++i) {
        k = order[i]
        print "### " name[i] ": " (k in verdict ? verdict[k] : "not judged")
        print "| figure | " (k in figure ? figure[k] : "none")
      }
    }' "$1"
}

# every number of the page is in the rows: as a figure of three or four digits, or in their words
numbers_in() { sed -E 's/\\u0009|\\n/ /g' "$1" | grep -oE '[0-9]+([.][0-9]+)?(e[-+][0-9]+)?' | sort -u; }
rounded_in() {
  LC_ALL=C awk 'match($0, /"value": -?[0-9.e+-]+/) {
    v = substr($0, RSTART + 9, RLENGTH - 9); v = v < 0 ? -v : v + 0
    printf "%.3g\n%.4g\n", v, v }' "$1" | sort -u
}

verdicts_are_of_the_run() { # PAGE ROWS
  local page=$1 rows=$2
  claims_of "$rows" >"$WORK/claims-rows"
  grep -E '^(### |\| figure \| )' "$page" | sed -E 's/^(\| figure \| [^ ]+).*/\1/' >"$WORK/claims-page"
  [ "$(wc -l <"$WORK/claims-rows")" -ge 60 ] || { echo "only $(wc -l <"$WORK/claims-rows") lines of claims"; return 1; }
  diff "$WORK/claims-rows" "$WORK/claims-page" || return 1
  sort -u <(numbers_in "$rows") <(rounded_in "$rows") >"$WORK/numbers-rows"
  numbers_in "$page" | comm -23 - "$WORK/numbers-rows" >"$WORK/numbers-lost"
  [ ! -s "$WORK/numbers-lost" ] || { echo "numbers that are in no row:"; cat "$WORK/numbers-lost"; return 1; }
}

# The headline counts the verdicts of the rows, and papers that ran apart become the page of one run.
headline_is_of_the_rows() {
  local words
  words=$("$ROOT/tools/verdicts.sh" headline "$ROOT/docs/verdicts.json")
  grep -qxF "**$words.**" "$ROOT/docs/verdicts.md" && grep -qF "\"value\": \"$words\"" "$ROOT/docs/verdicts.json" ||
    { echo "the rows make: $words"; return 1; }
}
parts_make_the_whole() {
  mkdir -p "$WORK/whole"
  cp "$ROOT/docs/verdicts.md" "$ROOT/docs/verdicts.json" "$WORK/whole"
  "$ROOT/tools/verdicts.sh" join "$WORK/joined" "$WORK/whole" &&
    diff "$WORK/joined/verdicts.md" "$ROOT/docs/verdicts.md" &&
    diff <(sort "$WORK/joined/verdicts.json") <(sort "$ROOT/docs/verdicts.json")
}

# The checks themselves: another figure, a figure without a row and a number from nowhere are told.
other_figures_are_told() {
  local rows=$WORK/rows.json page=$WORK/page.md
  printf '[\n  {"case": "a/b", "metric": "c", "value": 12.345, "unit": "x"}\n]\n' >"$rows"
  printf '%s\n' '<!-- figures' 'It takes {a/b|c|%.3g} s, or {a/b|c|%.0f|1000} ms; {?a/b|d|%.3g}.' '-->' \
    'It takes 12.3 s, or 12345 ms; -.' '<!-- end of figures -->' '' 'See Fig. 3 of `rk4`.' \
    '' '<!-- numbers: ours -->' 'Some 40.' >"$page"
  "$ROOT/tools/figures.sh" check "$rows" "$page" && [ -z "$(loose_numbers "$page")" ] || return 1
  sed 's/{?a/{a/' "$page" >"$page.lacking"
  ! "$ROOT/tools/figures.sh" check "$rows" "$page.lacking" || return 1
  sed -i 's/takes 12.3/takes 12.4/' "$page"
  ! "$ROOT/tools/figures.sh" check "$rows" "$page" || return 1
  "$ROOT/tools/figures.sh" fill "$rows" "$page" && "$ROOT/tools/figures.sh" check "$rows" "$page" || return 1
  printf '\nIt is 41.\n' >>"$page"
  [ -n "$(loose_numbers "$page")" ]
}
other_verdicts_are_told() {
  sed 's/^| figure | [0-9.]*/| figure | 77.7/' "$ROOT/docs/verdicts.md" >"$WORK/figures.md"
  sed 's/: fails$/: holds/' "$ROOT/docs/verdicts.md" >"$WORK/claims.md"
  sed 's/ 10 ms/ 10.7654 ms/' "$ROOT/docs/verdicts.md" >"$WORK/words.md"
  ! verdicts_are_of_the_run "$WORK/figures.md" "$ROOT/docs/verdicts.json" &&
    ! verdicts_are_of_the_run "$WORK/claims.md" "$ROOT/docs/verdicts.json" &&
    ! verdicts_are_of_the_run "$WORK/words.md" "$ROOT/docs/verdicts.json"
}

check_figures() {
  check "figures of the reproductions are those of the run" figures_are_of_the_run
  check "figures of speed are those of the run" speeds_are_of_the_run
  check "figures of the README and of the choice are those of both" figures_are_of_both_runs
  check "numbers beside them say where they are from" numbers_have_a_source
  check "the page of verdicts is of the run" verdicts_are_of_the_run "$ROOT/docs/verdicts.md" "$ROOT/docs/verdicts.json"
  check "its headline counts the rows" headline_is_of_the_rows
  check "papers that ran apart make one page" parts_make_the_whole
  check "other figures would be told" other_figures_are_told
  check "other verdicts would be told" other_verdicts_are_told
}
