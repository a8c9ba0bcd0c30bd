#!/usr/bin/env bash
# bench/count_instructions.sh [PROGRAM [ISA]]: instructions per call of every dynamics kernel, counted by valgrind.
# For machines whose counters cannot be read, such as virtual ones; where they can, the bench counts by itself.
# Valgrind 3.19 knows no AVX-512: ISA is avx2 (the default; its _x8 figures are for 4 lanes) or base (2 lanes). All
# figures are per robot. Takes half a minute.
set -euo pipefail
program=${1:-$(dirname "$(readlink -f "$0")")/../build/footfall-bench}
isa=${2:-avx2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The counts of each sweep go into a file of their own, numbered in the order in which the bench names them.
valgrind --tool=callgrind --callgrind-out-file="$folder/out" --combine-dumps=no \
  --zero-before=bench_sweep_once --dump-after=bench_sweep_once \
  "$program" dynamics --count --isa "$isa" >"$folder/names" 2>"$folder/log" || {
  cat "$folder/log" >&2
  exit 1
}

# CASE METRIC CALLS -> CASE METRIC INSTRUCTIONS, sincos and ltl as differences.
number=0
while read -r which metric calls; do
  number=$((number + 1))
  total=$(sed -n 's/^\(totals\|summary\): //p' "$folder/out.$number" | head -1)
  echo "$which $metric $((total / calls))"
done <"$folder/names" | awk '
  { value[$1, $2] = $3; order[NR] = $1 " " $2 }
  function less(c, a, b) { if ((c, a) in value) value[c, a] -= value[c, b] }
  END {
    split("solo12 romeo", cases, " ")
    for (i in cases) {
      less(cases[i], "sincos", "fk_again"); less(cases[i], "sincos_x8", "fk_again_x8")
      less(cases[i], "ltl", "crba"); less(cases[i], "ltl_x8", "crba_x8")
    }
    for (n = 1; n <= NR; ++n) {
      split(order[n], key, " ")
      if (key[1] != "core" && key[2] !~ /^fk_again/)
        printf "%-8s %-20s %10d\n", key[1], key[2], value[key[1], key[2]]
    }
  }'
