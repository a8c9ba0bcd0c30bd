#!/usr/bin/env bash
# falls.sh [STARTS [FOLDER]]: throw each robot STARTS times (1000) on floor and stairs, at both stiffnesses, as many at once as there are cores, and print
# a table of what came of it; tests/properties/drops.c has what is asked. Six thousand falls take some eight minutes of one core. Build the tests first.
set -u
cd "$(dirname "$0")/.." || exit 1
starts=${1:-1000} folder=${2:-build/tests/properties}
[ -x "$folder/test_drops_romeo" ] || {
  echo "falls.sh: there is no $folder/test_drops_romeo: build it first, ./dev test drops does" >&2
  exit 1
}
printf '%s\n' romeo solo12 starleth |
  FOOTFALL_FALLS=$starts xargs -P "${JOBS:-$(nproc)}" -I{} sh -c \
    '"$0"/test_drops_{} 2>&1 | grep -v "RUN\|^\[==="; exit 0' "$folder" |
  awk '
    /falls,/ {
      lines[++n] = $0
      split($0, part, /[,:;]+ */)
      sub(/^K /, "", part[2])
      match($0, /: [0-9]+ falls/); falls = substr($0, RSTART + 2) + 0
      match($0, /depth [^,]*/); depth = substr($0, RSTART + 6, RLENGTH - 6)
      match($0, /gain [^,]*/); gain = substr($0, RSTART + 5, RLENGTH - 5)
      match($0, /lowest [^;]*/); lowest = substr($0, RSTART + 7, RLENGTH - 7)
      match($0, /[0-9.]+ us/); time = substr($0, RSTART, RLENGTH)
      row[n] = sprintf("%-9s %-8s %-7s %6d %10s %12s %12s %10s", part[1], part[2], part[3], falls, gain, depth, lowest, time)
      total += falls
    }
    /FAILED|ERROR|exceeds|deep|failed/ && !/falls,/ { bad = bad $0 "\n" }
    END {
      printf "%-9s %-8s %-7s %6s %10s %12s %12s %10s\n", "robot", "K [N/m]", "ground", "falls", "gain", "depth", "lowest", "a step"
      for (i = 1; i <= n; ++i) print row[i] | "sort"
      close("sort")
      printf "%d falls\n%s", total, bad
      exit n < 12 || bad != ""
    }'
