#!/usr/bin/env bash
# Verdicts of papers that ran apart, so that processors share the work, or because one paper was run again:
#
#     footfall bench all --case NAME --html FOLDER     for each paper, into a folder of its own
#     tools/verdicts.sh join OUT FOLDER...             verdicts.md and verdicts.json of all in OUT; each paper says of
#                                                      which day and commit it is
#     tools/verdicts.sh part OUT FOLDER NAME           of one paper, out of a folder with several, such as docs/
#     tools/verdicts.sh headline ROWS.json             the headline that these rows make
set -eu

# The words of bench_all_index_headline().
headline() { # ROWS
  LC_ALL=C awk '
    function text(line, key) {
      line = substr(line, index(line, "\"" key "\": \"") + length(key) + 5)
      return substr(line, 1, index(line, "\"") - 1)
    }
    /"case": "[a-z0-9-]*\/paper"/ {
      what = text($0, "metric")
      if (what !~ /^(says|claim|about|goal):/) next
      id = text($0, "case") "|" substr(what, index(what, ":") + 1)
      if (what ~ /^says:/) ids[++n] = id
      else if (what ~ /^claim:/) verdict[id] = text($0, "value")
      else if (what ~ /^about:/) kind[id] = kind[id] == 2 ? 2 : 1
      else kind[id] = 2
    }
    END {
      words[0] = "Of %d claims about the papers'\'' methods"
      words[1] = "; of %d about our own stepper expo"
      words[2] = "; of %d goals of our own"
      for (i = 1; i <= n; ++i) {
        ++all[kind[ids[i]] + 0]
        ++count[kind[ids[i]] + 0, ids[i] in verdict ? verdict[ids[i]] : "not judged"]
      }
      for (k = 0; k < 3; ++k)
        if (k == 0 || all[k])
          printf words[k] " %d hold, %d fail, %d undecided, %d not judged", all[k], count[k, "holds"],
            count[k, "fails"], count[k, "undecided"], count[k, "not judged"]
      print ""
    }' "$1"
}

# value CASE METRIC FOLDER: the word of a row, "" if there is none.
value() { sed -nE "s|.*\"case\": \"$1\", \"metric\": \"$2\", \"value\": \"([^\"]*)\".*|\1|p" "$3/verdicts.json"; }

papers() { sed -nE 's|.*"case": "([a-z0-9-]*)", "metric": "seconds".*|\1|p' "$1/verdicts.json"; } # FOLDER

row() { echo "  {\"case\": \"$1\", \"metric\": \"$2\", \"value\": \"$3\", \"unit\": \"\"}"; }

# The day and commit of each paper, where its folder does not say them of the paper itself; then what it has.
rows_of() { # FOLDER
  local paper what
  for paper in $(papers "$1"); do
    for what in date commit; do
      [ -n "$(value "$paper" $what "$1")" ] || [ -n "$(value "$paper" date "$1")" ] ||
        [ -z "$(value run $what "$1")" ] || row "$paper" $what "$(value run $what "$1")"
    done
  done
  grep '"case": ' "$1/verdicts.json" | grep -v '"case": "run"' | sed 's/,$//'
}

# All but headline and commit of the rows of the case "run", once each; then the rest.
join_rows() { # FOLDER...
  local folder
  for folder in "$(latest "$@")" "$@"; do grep '"case": "run"' "$folder/verdicts.json"; done | sed 's/,$//' |
    awk -F'"' '$8 != "headline" && $8 != "commit" && !seen[$8]++'
  for folder in "$@"; do rows_of "$folder"; done
}

as_list() { awk 'BEGIN { print "[" } n++ { print last "," } { last = $0 } END { print last; print "]" }'; }

# The sections of a page, each with the line on its run.
sections() { # FOLDER
  local commit
  commit=$(value run commit "$1")
  awk -v run="Run of $(value run date "$1")${commit:+, commit $commit}." '
    waits && NF { if (!/^Run of /) print run "\n"; waits = 0 }
    /^## / { if (!shown++) print ""; waits = 1 }
    shown { print }' "$1/verdicts.md"
}

# The folder of the latest run, of which the joined page has its head.
latest() { # FOLDER...
  local folder
  for folder in "$@"; do echo "$(value run date "$folder") $folder"; done | sort -s -k1,1 | tail -1 | cut -d' ' -f2-
}

join() { # OUT FOLDER...
  local out=$1 folder words head
  shift
  head=$(latest "$@")
  mkdir -p "$out"
  join_rows "$@" >"$out/rows"
  words=$(headline "$out/rows")
  { row run headline "$words"; cat "$out/rows"; } | as_list >"$out/verdicts.json"
  rm "$out/rows"
  {
    awk -v words="$words" '/^- \[/ || /^## / { exit } /^Beside it: / { next }
      /^\*\*.*\*\*$/ { $0 = "**" words ".**" }
      /^Made by / { sub(/ of commit [^,]*,/, ",") }
      { print } /^Made by / { getline; exit }' "$head/verdicts.md"
    for folder in "$@"; do grep '^Beside it: ' "$folder/verdicts.md" || true; done | sort -u
    awk '/^- \[/ || /^## / { exit } shown { print } /^Made by / { shown = 1; getline; if (!/^Beside/) print }' \
      "$head/verdicts.md"
    for folder in "$@"; do grep '^- \[' "$folder/verdicts.md"; done
    for folder in "$@"; do sections "$folder"; done
  } >"$out/verdicts.md"
}

part() { # OUT FOLDER NAME
  local title
  title=$(awk -v named="| command | \`footfall bench $3\` |" '/^## / { title = substr($0, 4) }
    $0 == named { print title; exit }' "$2/verdicts.md")
  mkdir -p "$1"
  grep -E "\"case\": \"(run|$3(/[^\"]*)?)\"" "$2/verdicts.json" | sed 's/,$//' | as_list >"$1/verdicts.json"
  {
    awk '/^- \[/ { exit } { print }' "$2/verdicts.md"
    grep -F -- "- [$title](" "$2/verdicts.md"
    echo
    awk -v title="## $title" '/^## / { shown = $0 == title } shown { print }' "$2/verdicts.md"
  } | sed '$ { /^$/d }' >"$1/verdicts.md"
}

case ${1:-} in
  join | part | headline) "$@" ;;
  *) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' && exit 2 ;;
esac
