#!/usr/bin/env bash
# Verdicts of papers that ran apart, so that several processors share the work:
#
#     footfall bench all --case NAME --html FOLDER     for each paper, into a folder of its own
#     tools/verdicts.sh join OUT FOLDER...             verdicts.md and verdicts.json of all in OUT, as of one run
#     tools/verdicts.sh headline ROWS.json             the headline that these rows make
#
# Version, machine and date are those of the first folder; commits are named all.
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

commits() { # FOLDER...
  local folder
  for folder in "$@"; do
    sed -nE 's/.*"case": "run", "metric": "commit", "value": "([^"]*)".*/\1/p' "$folder/verdicts.json"
  done | awk '!seen[$0]++ { printf "%s%s", n++ ? " and " : "", $0 }'
}

# All but the headline of the rows of the case "run", once each; then the rest.
join_rows() { # FOLDER...
  local folder
  for folder in "$@"; do grep '"case": "run"' "$folder/verdicts.json"; done | sed 's/,$//' |
    awk -F'"' -v commits="$(commits "$@")" '
      $8 == "commit" { sub(/"value": "[^"]*"/, "\"value\": \"" commits "\"") }
      $8 != "headline" && !seen[$8]++'
  for folder in "$@"; do grep '"case": ' "$folder/verdicts.json" | grep -v '"case": "run"'; done | sed 's/,$//'
}

join() { # OUT FOLDER...
  local out=$1 folder words
  shift
  mkdir -p "$out"
  join_rows "$@" >"$out/rows"
  words=$(headline "$out/rows")
  {
    echo '['
    { echo "  {\"case\": \"run\", \"metric\": \"headline\", \"value\": \"$words\", \"unit\": \"\"}"
      cat "$out/rows"; } | sed '$!s/$/,/'
    echo ']'
  } >"$out/verdicts.json"
  rm "$out/rows"
  {
    awk -v words="$words" -v commits="$(commits "$@")" '/^- \[/ || /^## / { exit } /^Beside it: / { next }
      /^\*\*.*\*\*$/ { $0 = "**" words ".**" }
      /^Made by / { sub(/ of commit [^,]*,/, " of commit " commits ",") }
      { print } /^Made by / { getline; exit }' "$1/verdicts.md"
    for folder in "$@"; do grep '^Beside it: ' "$folder/verdicts.md" || true; done | sort -u
    awk '/^- \[/ || /^## / { exit } shown { print } /^Made by / { shown = 1; getline; if (!/^Beside/) print }' \
      "$1/verdicts.md"
    for folder in "$@"; do grep '^- \[' "$folder/verdicts.md"; done
    for folder in "$@"; do awk '/^## / && !shown { shown = 1; print "" } shown { print }' "$folder/verdicts.md"; done
  } >"$out/verdicts.md"
}

case ${1:-} in
  join | headline) "$@" ;;
  *) sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' && exit 2 ;;
esac
