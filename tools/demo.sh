#!/usr/bin/env bash
# tools/demo.sh FOOTFALL FOLDER [DURATION]: a trotting quadruped by four steppers: a table, and FOLDER/demo.html with
# all of them over each other.
# ./dev demo runs it. A page that cannot be made (no viewer was built) is told; the table is made all the same.
set -euo pipefail
footfall=$1 folder=$2 duration=${3:-3s}
scene=$(dirname "$0")/../scenes/solo-trot.yaml
work=$(mktemp -d "${TMPDIR:-/tmp}/footfall-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

# trot NAME STEPPER DT EVERY: leaves the summary in NAME.json and the base's way in NAME.csv, a row every EVERY steps.
trot() {
  "$footfall" run "$scene" --stepper "$2" --dt "$3" --duration "$duration" --log-every "$4" \
    --json --out "$work/$1.csv" >"$work/$1.json" 2>/dev/null || true
}

# distance NAME TRUTH: how far apart two bases get [mm].
distance() {
  paste -d, <(cut -d, -f2-4 "$work/$1.csv") <(cut -d, -f2-4 "$work/$2.csv") |
    awk -F, 'NR > 1 { d = ($1 - $4)^2 + ($2 - $5)^2 + ($3 - $6)^2; if (d > most) most = d }
      END { printf "%.3g", 1e3 * sqrt(most) }'
}

# row STEPPER DT EVERY TRUTH [REMARK]: a line of the table.
row() {
  trot run "$1" "$2" "$3"
  awk -v stepper="$1" -v dt="$2" -v error="$(distance run "$4")" -v remark="${5:-}" '
    function value() { sub(/^[^:]*: */, ""); gsub(/[",]/, ""); return $0 }
    /^  "outcome":/ { outcome = value() }
    /^  "time":/ { time = value() }
    /^  "real_time_factor":/ { factor = value() }
    /^  "slip":/ { slip = value() }
    END {
      if (outcome == "finished")
        printf "%-10s %7s   %-15s %8s mm %8.3g mm %7.0f x   %s\n", stepper, dt, "yes", error, 1e3 * slip, factor, remark
      else
        printf "%-10s %7s   %-15s %11s %11s %9s   %s\n", stepper, dt, sprintf("no, %.2g s", time), "-", "-", "-", remark
    }' "$work/run.json"
}

mkdir -p "$folder"
printf 'Solo, a quadruped of 2.5 kg, trots for %s on ground of 1e5 N/m, controlled every 2 ms.\n\n' "$duration"
trot soft rk4 0.015625ms 128
trot hard moreau 0.03125ms 64
printf '%-10s %7s   %-15s %11s %11s %9s\n' stepper step 'stable?' error creep 'real time'
row expo 2ms 1 soft
row implicit 2ms 1 soft
row moreau 2ms 1 hard 'rigid ground: another model, an error of its own'
row euler 2ms 1 soft 'ran away at that time'
row euler 0.1ms 20 soft 'what it needs to stay'
cat <<END

error: how far the base gets from where it should be: by rk4 with steps of 1/64 ms; \
for rigid ground by moreau with 1/32 ms.
creep: how far feet slide together that should not slide at all. \
real time: simulated seconds per second of this machine.

END
if "$footfall" view "$scene" --steppers expo,implicit,moreau,euler --duration "$duration" --no-open --quiet \
  -o "$folder/demo.html" 2>"$work/said"; then
  page=$(realpath "$folder/demo.html")
  printf 'The four with steps of 2 ms over each other, forces and plots beside them, in one page. '
  printf 'Open it in any browser:\n\n  xdg-open %q\n\n' "$page"
  printf 'Far away? Copy the file: it needs no other. Space plays, F follows, ? lists the keys.\n'
else
  cat "$work/said" >&2
  printf 'There is no page of it, as footfall says why; the table is right without it.\n'
fi
