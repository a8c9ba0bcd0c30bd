#!/usr/bin/env bash
# bench/common/count_instructions.sh [PROGRAM [ISA [BENCH]]]: instructions per call of every dynamics kernel, or with
# BENCH `step` per step of every stepper, counted by valgrind. For machines whose counters cannot be read, such as
# virtual ones; where they can, the bench counts by itself. Valgrind 3.19 knows no AVX-512: ISA is avx2 (the default;
# its _x8 figures are for 4 lanes) or base (2 lanes). All figures are per robot. Takes half a minute.
set -euo pipefail
program=${1:-$(dirname "$(readlink -f "$0")")/../../build/footfall-bench}
isa=${2:-avx2}
bench=${3:-dynamics}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The counts of each sweep go into a file of their own, numbered in the order in which the bench names them.
# (Without the thresholds, memset uses an instruction that valgrind counts once per byte.)
export GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000
valgrind --tool=callgrind --callgrind-out-file="$folder/out" --combine-dumps=no \
  --zero-before=bench_timer_sweep --dump-after=bench_timer_sweep \
  "$program" "$bench" --count --isa "$isa" >"$folder/names" 2>"$folder/log" || {
  cat "$folder/log" >&2
  exit 1
}

# CASE METRIC CALLS -> one row per metric, as a Markdown table; of the dynamics, sincos and ltl as differences.
table_of_steps() {
  awk '
    { value[$1, $2] = $3 }
    !($1 in column) { column[$1] = ++columns; name[columns] = $1 }
    !($2 in seen) { seen[$2] = 1; order[++rows] = $2 }
    END {
      for (c = 1; c <= columns; ++c) { head = head " " name[c] " |"; rule = rule "---|" }
      print "| |" head
      print "|---|" rule
      for (n = 1; n <= rows; ++n) {
        line = "| `" order[n] "` |"
        for (c = 1; c <= columns; ++c) line = line " " value[name[c], order[n]] " |"
        print line
      }
    }'
}

table_of_kernels() {
  awk -v isa="$isa" '
  $1 != "core" { value[$1, $2] = $3 }
  $1 == "solo12" && $2 !~ /_x8$|^fk_again/ { order[++rows] = $2 }
  function cell(which, metric, suffix) {
    if (!((which, metric suffix) in value)) return ""
    number = value[which, metric suffix]
    if (metric == "sincos") number -= value[which, "fk_again" suffix]
    if (metric == "ltl") number -= value[which, "crba" suffix]
    return number
  }
  END {
    wide = isa == "base" ? "2 lanes" : "4 lanes"
    print "| | solo12, one lane | " wide " | romeo, one lane | " wide " |"
    print "|---|---|---|---|---|"
    for (n = 1; n <= rows; ++n) {
      metric = order[n]
      print "| `" metric "` | " cell("solo12", metric, "") " | " cell("solo12", metric, "_x8") " | " \
        cell("romeo", metric, "") " | " cell("romeo", metric, "_x8") " |"
    }
  }'
}

number=0
while read -r which metric calls; do
  number=$((number + 1))
  total=$(sed -n 's/^\(totals\|summary\): //p' "$folder/out.$number" | head -1)
  echo "$which $metric $((total / calls))"
done <"$folder/names" | if [ "$bench" = step ]; then table_of_steps; else table_of_kernels; fi
