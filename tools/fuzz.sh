# fuzz.sh: hostile input for the readers, by libFuzzer. Sourced by tools/check.sh and tools/soak.sh.

fuzz_targets() { find tests/fuzz -name 'fuzz_*.c' 2>/dev/null | sed 's|.*/\(.*\)\.c|\1|' | sort; }

# shellcheck disable=SC2046  # targets are words
build_fuzzers() { configure_and_build fuzz fuzz "$(echo $(fuzz_targets))"; }

# fuzz_one TARGET SECONDS SEED: from the malformed, the shipped and the oracle's files on. Seed 0: libFuzzer takes one
# from the clock.
fuzz_one() {
  local target=$1 corpus=build-fuzz/corpus/$1 dict=tests/fuzz/${1#fuzz_}.dict
  local options=(-max_total_time="$2" -seed="$3" -timeout=10 -rss_limit_mb=2048 -max_len=65536)
  mkdir -p "$corpus" build-fuzz/found
  [ ! -e "$dict" ] || options+=(-dict="$dict")
  build-fuzz/fuzz/"$target" "${options[@]}" -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="build-fuzz/found/$target-" "$corpus" build-fuzz/seeds
}

fuzz_inputs() { # LOG: how many inputs were tried
  grep -o 'number_of_executed_units: *[0-9]*' "$1" | grep -o '[0-9]*'
}

# Small logs, for the reader of logs: finished and interrupted, with and without contacts.
log_seeds() {
  local command=build/footfall model
  [ -x "$command" ] || return 0
  for model in ball.urdf box.xml; do
    "$command" run models/$model --dt 5ms --duration 20ms --quiet --out build-fuzz/seeds/$model.h5 || return 1
    "$command" run models/$model --dt 5ms --duration 0.4 --log-every 10 --quiet \
      --out build-fuzz/seeds/$model-long.h5 || return 1
  done
}

# fuzz_all SECONDS SEED: all targets at once, a line about each.
fuzz_all() {
  local target pids=() status=0 i=0 targets
  mapfile -t targets < <(fuzz_targets)
  mkdir -p build-fuzz/seeds
  find tests/bad_input tests/fuzz tests/oracle models scenes -type f -size -64k \
    \( -name '*.urdf' -o -name '*.yaml' -o -name '*.xml' -o -name '*.mjcf' \) |
    while read -r file; do cp "$file" "build-fuzz/seeds/$(echo "$file" | tr / -)"; done
  log_seeds || return 1
  for target in "${targets[@]}"; do
    fuzz_one "$target" "$1" "$2" >"$LOGS/$target.log" 2>&1 &
    pids+=($!)
  done
  for target in "${targets[@]}"; do
    if wait "${pids[$i]}"; then
      echo "$target: $(fuzz_inputs "$LOGS/$target.log") inputs, none bad"
    else
      echo "$target FAILED; the input is build-fuzz/found/$target-*, the whole log $LOGS/$target.log"
      echo "to repeat it: build-fuzz/fuzz/$target build-fuzz/found/$target-..."
      grep -m1 -A25 'ERROR\|runtime error' "$LOGS/$target.log" || tail -n 20 "$LOGS/$target.log"
      status=1
    fi
    i=$((i + 1))
  done
  return $status
}
