#!/usr/bin/env bash
# Figures in documents come from the rows of a benchmark's run. A page has them in blocks: a template in a comment, and
# what it becomes.
#
#     <!-- figures
#     `expo` grows {expo-paper/paper|decided:C2|%.3g} times.
#     -->
#     `expo` grows 12.3 times.
#     <!-- end of figures -->
#
# {CASE|METRIC|FORMAT} is the value of a row by a format of printf, {CASE|METRIC|FORMAT|FACTOR} the value times a
# factor. A row that is not there becomes a dash; in the rows of a full run it is a mistake, unless the place says
# {?CASE|...}.
#
# ROWS.json may be several files, with commas between them.
#
#     tools/figures.sh fill ROWS.json PAGE...     write the figures into the pages
#     tools/figures.sh check ROWS.json PAGE...    do the pages have these figures?
#     tools/figures.sh keep ROWS.json PAGE...     the rows of claims and those that the pages quote, as JSON
#     tools/figures.sh record FOLDER...           all of it after `footfall bench all --html FOLDER`, or of papers that
#                                                 ran apart (tools/verdicts.sh): docs/verdicts.md, docs/verdicts.json
#                                                 and the figures of docs/reproduction*.md, README.md and
#                                                 docs/guide/choosing.md
#     tools/figures.sh speed NAME.json...         the figures of docs/performance.md, after `footfall bench NAME --json
#                                                 NAME.json` for each: docs/performance.json has the rows that it
#                                                 quotes, the case with NAME before it. Of other names the rows stay
set -eu

# Reads rows, then a page; prints the page with its figures, or with WANTED=1 the rows that it quotes, a line each.
render() { # WANTED ROWS PAGE
  LC_ALL=C awk -v wanted="$1" '
    # A row of JSON is a line: {"case": "..", "metric": "..", "value": .., "unit": ".."}
    function text(line, key,    at, out, c) {
      at = index(line, "\"" key "\": ")
      if (!at) return ""
      line = substr(line, at + length(key) + 4)
      if (substr(line, 1, 1) != "\"") { sub(/[,}].*/, "", line); return line }
      out = ""
      for (at = 2; (c = substr(line, at, 1)) != "\""; ++at) {
        if (c == "\\") c = substr(line, ++at, 1)
        out = out c
      }
      return out
    }
    FNR == NR {
      if (index($0, "\"case\": ")) {
        key = text($0, "case") "|" text($0, "metric")
        value[key] = text($0, "value")
        row[key] = $0
      }
      next
    }
    function figure(words,    part, n, key, v, may_lack) {
      may_lack = sub(/^[?]/, "", words)
      n = split(words, part, "|")
      key = part[1] "|" part[2]
      if (wanted && key in row) print row[key]
      if (n < 3) { print FILENAME ":" FNR ": {" words "} needs CASE|METRIC|FORMAT" >"/dev/stderr"; exit 1 }
      if (part[2] ~ /^claim:/ && !(key in value)) return "not judged"
      if (!(key in value) || value[key] == "null") {
        if (!wanted && !may_lack && part[2] !~ /^decided:/ && !(key in value))
          print FILENAME ":" FNR ": no row for {" words "}" >"/dev/stderr"
        return "-"
      }
      v = value[key]
      if (part[3] ~ /s$/) return sprintf(part[3], v)
      v = sprintf(part[3], v * (n > 3 ? part[4] : 1))
      return v ~ /e\+0[3-6]$/ ? sprintf("%d", v) : v
    }
    function filled(line,    out, at, end) {
      out = ""
      while ((at = index(line, "{")) > 0) {
        end = index(line, "}")
        out = out substr(line, 1, at - 1) figure(substr(line, at + 1, end - at - 1))
        line = substr(line, end + 1)
      }
      return out line
    }
    /^ *<!-- figures/ { inside = 1; count = 0 }
    inside == 1 && !/^ *<!-- figures/ && !/^ *-->/ { made[++count] = filled($0) }
    inside != 2 && !wanted { print }
    inside == 1 && /^ *-->/ {
      inside = 2
      for (i = 1; i <= count && !wanted; ++i) print made[i]
    }
    inside == 2 && /^ *<!-- end of figures/ { inside = 0; if (!wanted) print }
    END { if (inside) { print FILENAME ": a block of figures has no end" >"/dev/stderr"; exit 1 } }
  ' "$2" "$3"
}

keep() { # ROWS PAGE...
  local rows=$1 page
  shift
  {
    grep -E '^ *\{"case": "(run|[a-z0-9-]*|[a-z0-9-]*/paper)", ' "$rows" | sed 's/,$//'
    for page in "$@"; do render 1 "$rows" "$page"; done | sed 's/,$//'
  } | awk 'BEGIN { print "[" } !seen[$0]++ { if (n++) print last ","; last = $0 } END { if (n) print last; print "]" }'
}

# The file of rows; of several, with commas between, one with the rows of all.
merged() { # ROWS
  local files all
  [[ $1 == *,* ]] || { echo "$1"; return; }
  IFS=, read -ra files <<<"$1"
  all=$(mktemp)
  grep -h '"case": ' "${files[@]}" >"$all"
  echo "$all"
}

fill() { # ROWS PAGE...
  local rows page
  rows=$(merged "$1")
  shift
  for page in "$@"; do
    render 0 "$rows" "$page" >"$page.new" && mv "$page.new" "$page" || { rm -f "$page.new"; return 1; }
  done
}

# The quick variant lacks rows.
is_full() { ! grep -q '"metric": "command", "value": "footfall bench all --quick"' "$1"; }

check() { # ROWS PAGE...
  local rows page lacks bad=0
  rows=$(merged "$1")
  shift
  for page in "$@"; do
    render 0 "$rows" "$page" 2>/dev/null | diff -u "$page" - || bad=1
    lacks=$(render 0 "$rows" "$page" 2>&1 >/dev/null)
    [ -z "$lacks" ] || ! is_full "$rows" || { echo "$lacks"; bad=1; }
  done
  return $bad
}

# Pages with figures of both kinds of runs.
mixed_pages() { echo "$1/../README.md" "$1/guide/choosing.md"; } # DOCS

record() { # FOLDER...
  local docs pages mixed joined
  docs=$(cd "$(dirname "$0")/../docs" && pwd)
  pages=("$docs"/reproduction*.md)
  read -ra mixed < <(mixed_pages "$docs")
  joined=$(mktemp -d)
  "$(dirname "$0")/verdicts.sh" join "$joined" "$@"
  cp "$joined/verdicts.md" "$docs/verdicts.md"
  keep "$joined/verdicts.json" "${pages[@]}" "${mixed[@]}" >"$docs/verdicts.json"
  rm -r "$joined"
  fill "$docs/verdicts.json" "${pages[@]}"
  fill "$docs/verdicts.json,$docs/performance.json" "${mixed[@]}"
}

speed() { # NAME.json...
  local docs file names='' rows mixed
  docs=$(cd "$(dirname "$0")/../docs" && pwd)
  rows=$(mktemp)
  for file in "$@"; do
    names="$names $(basename "$file" .json)"
    sed -n "s|^ *{\"case\": \"|&$(basename "$file" .json)/|p" "$file" | sed 's/,$//' >>"$rows"
  done
  for file in $names; do # what is there of other benchmarks
    [ ! -e "$docs/performance.json" ] || sed -i "\\#\"case\": \"$file/#d" "$docs/performance.json"
  done
  [ ! -e "$docs/performance.json" ] || grep '"case": ' "$docs/performance.json" | sed 's/,$//' >>"$rows"
  read -ra mixed < <(mixed_pages "$docs")
  for file in "$docs/performance.md" "${mixed[@]}"; do render 1 "$rows" "$file" | sed 's/,$//'; done |
    awk 'BEGIN { print "[" } !seen[$0]++ { if (n++) print last ","; last = $0 } END { if (n) print last; print "]" }' \
      >"$docs/performance.json"
  rm -f "$rows"
  fill "$docs/performance.json" "$docs/performance.md"
  fill "$docs/verdicts.json,$docs/performance.json" "${mixed[@]}"
}

case ${1:-} in
  fill | check | keep | record | speed) "$@" ;;
  *) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' && exit 2 ;;
esac
