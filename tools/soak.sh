# soak.sh: long campaigns of random cases. Sourced by ./dev.
#
# A campaign is the test programs that have a line "// soak: NAME", or `fuzz`, `scenes` or `energy`. It runs them again
# and again, each time with a new FOOTFALL_SEED (tests/support/samples.h), until its share of the minutes is over. Seeds
# begin at the clock's seconds, so every soak tries what none did before. At the end it says what was tried, and for all
# that broke how to repeat it. `scenes` and `energy` are one program that takes seeds, processes and minutes itself:
# tests/campaign/test_scenes.c. `energy` asks of mild scenes of `expo` alone that no energy comes from nowhere unsaid:
# some 9,000 a minute on one core, so 100,000 in 12 minutes.

SOAK=$PWD/build/soak                      # CAMPAIGN/PROGRAM.SEED.log of every run, CAMPAIGN.broken
SOAK_SAMPLES=${FOOTFALL_SAMPLES:-0.25}    # of a program's usual cases in one run: some seconds
SOAK_LIMIT=600                            # [s] of one run: beyond that it hangs

# soak_sources CAMPAIGN: the test programs with its line.
soak_sources() { find tests -name 'test_*.c' -exec grep -l "^// soak: $1\$" {} + | sort; }

soak_names() {
  {
    grep -rh --include='test_*.c' '^// soak: ' tests | sed 's|// soak: ||'
    printf '%s\n' fuzz scenes energy
  } | sort -u
}

# Damaged files are read by two builds: one knows of time and memory, the sanitized one of what must not be touched.
soak_programs() { # CAMPAIGN
  soak_sources "$1" | sed 's|tests/\([^/]*\)/.*\(test_.*\)\.c|build/tests/\1/\2|'
  [ "$1" != files ] || soak_sources files | sed 's|tests/\([^/]*\)/.*\(test_.*\)\.c|build-asan-ubsan/tests/\1/\2|'
}

soak_build_files() {
  configure_and_build asan-ubsan asan-ubsan "footfall_command $(soak_sources files |
    sed 's|tests/\([^/]*\)/.*|tests_\1|' | sort -u | paste -sd' ')"
}

soak_reason() { # LOG: the first line that says what is wrong
  grep -a -m1 'ERROR' "$1" | sed 's/^\[ *ERROR *\] *-* *//; s/^ERROR: //' || echo "see $1"
}

# soak_one CAMPAIGN PROGRAM SEED: one run; adds a line to CAMPAIGN.broken if it fails.
soak_one() {
  local name log status=0
  log=$SOAK/$1/${2##*/}.$(echo "$2" | cut -d/ -f1).$3.log
  name="FOOTFALL_SEED=$3 FOOTFALL_SAMPLES=$SOAK_SAMPLES $2"
  FOOTFALL_SEED=$3 FOOTFALL_SAMPLES=$SOAK_SAMPLES timeout $SOAK_LIMIT "$2" >"$log" 2>&1 || status=$?
  case $status in
    0 | 130) return 0 ;; # 130: somebody pressed Ctrl-C
    124) echo "$name: no end after $SOAK_LIMIT s" ;;
    *) echo "$name: $(soak_reason "$log") (exit status $status)" ;;
  esac >>"$SOAK/$1.broken"
}

# soak_campaign CAMPAIGN SECONDS: as many at once as there are processors.
soak_campaign() {
  local end=$((SECONDS + $2)) program programs
  mapfile -t programs < <(soak_programs "$1")
  mkdir -p "$SOAK/$1"
  while [ $SECONDS -lt $end ] && [ $soak_stopped = 0 ]; do
    for program in "${programs[@]}"; do
      while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
      if [ $SECONDS -ge $end ] || [ $soak_stopped = 1 ]; then break; fi
      soak_one "$1" "$program" "$soak_seed" &
      soak_runs=$((soak_runs + 1))
    done
    soak_seed=$((soak_seed + 1))
  done
  wait
}

soak_fuzz() { # SECONDS
  [ "$1" -gt 0 ] || return 0
  build_fuzzers || exit 1
  fuzz_all "$1" $((soak_seed % 2147483647)) >"$SOAK/fuzz.log" 2>&1 ||
    grep 'FAILED' "$SOAK/fuzz.log" >"$SOAK/fuzz.broken"
  soak_runs=$(fuzz_targets | wc -l)
}

# soak_scenes CAMPAIGN SECONDS OPTION...: small scenes with broken promises go to build/soak/CAMPAIGN, for `footfall
# run`. Its table is printed at the end.
soak_scenes() {
  local campaign=$1 status=0 minutes
  minutes=$(awk -v s="$2" 'BEGIN { print s / 60 }')
  shift 2
  build/tests/campaign/test_scenes --minutes "$minutes" --first "$((soak_seed * 100000))" --jobs "$JOBS" "$@" \
    --shrink "$SOAK/$campaign" --json "$SOAK/$campaign.json" >"$SOAK/$campaign.log" 2>&1 || status=$?
  soak_runs=1
  case $status in
    0) ;;
    1) sed -n 's|^\([a-z]*\): \(--seed.* --class [a-z]*\): |build/tests/campaign/test_scenes \2: |p' \
      "$SOAK/$campaign.log" >"$SOAK/$campaign.broken" ;;
    *) [ $soak_stopped = 1 ] ||
      echo "build/tests/campaign/test_scenes: exit status $status" >"$SOAK/$campaign.broken" ;;
  esac
}

# Their tables: from the head to the first line that is no row.
soak_scenes_tables() {
  local log
  for log in "$SOAK"/scenes.log "$SOAK"/energy.log; do
    [ -e "$log" ] || continue
    awk '/^stepper / { is_table = 1; print "" } /^[a-z]*:|^tried/ { is_table = 0 } is_table' "$log"
    sed -n 's|^  .* steps: \(.*\.yaml\).*|a small scene: \1|p' "$log"
  done
}

# soak_tried CAMPAIGN: the cases that its runs counted, by kind: "8000 falls, 2160 falls by ess".
soak_tried() {
  if [ "$1" = fuzz ]; then
    sed -n 's/^\(fuzz_[a-z]*\): \([0-9]*\) inputs.*/\2 inputs of \1/p' "$SOAK/fuzz.log" 2>/dev/null
  else
    cat "$SOAK/$1"/*.log "$SOAK/$1.log" 2>/dev/null |
      awk '/^tried / { n = $2; $1 = $2 = ""; sum[$0] += n } END { for (k in sum) print sum[k] k }' |
      sed 's/  */ /g' | sort
  fi | paste -sd, | sed 's/,/, /g'
}

# What falls came to: the worst of all runs, by robot, stiffness and ground; tests/properties/falls/drops.c has what is
# asked of each.
soak_falls_table() {
  cat "$SOAK"/falls/test_drops_*.log 2>/dev/null | awk '
    function number(before) { match($0, before " [-+0-9.e]+"); return substr($0, RSTART + length(before) + 1) + 0 }
    / falls, .* pieces a step/ {
      split($0, part, /[,:] */)
      key = sprintf("%-9s %-8s %-7s", part[1], substr(part[2], 3), part[3])
      falls[key] += part[4] + 0
      if (number("gain") > gain[key]) gain[key] = number("gain")
      if (number("depth") > depth[key]) depth[key] = number("depth")
      if (!(key in lowest) || number("lowest") < lowest[key]) lowest[key] = number("lowest")
    }
    END {
      if (length(falls) == 0) exit
      printf "\n%-9s %-8s %-7s %7s %10s %11s %11s\n",
        "robot", "K [N/m]", "ground", "falls", "gain", "depth [mm]", "lowest [m]"
      for (k in falls) printf "%s %7d %10.2g %11.3g %11.3g\n", k, falls[k], gain[k], depth[k], lowest[k] | "sort"
    }'
}

# What damaged files came to, by format; the sanitized build's times and sizes are not those of users.
soak_files_table() {
  cat "$SOAK"/files/*.log 2>/dev/null | awk '
    $1 == "files" && $4 == "loaded" {
      files[$2] += $3; loaded[$2] += $5; refused[$2] += $7; mute[$2] += $9; slow[$2] += $11; large[$2] += $13
      crash[$2] += $15
    }
    END {
      if (length(files) == 0) exit
      printf "\n%-11s %8s %8s %8s %11s %5s %6s %6s\n",
        "format", "files", "loaded", "refused", "bad message", "slow", "memory", "crash"
      for (k in files) printf "%-11s %8d %8d %8d %11d %5d %6d %6d\n",
        k, files[k], loaded[k], refused[k], mute[k], slow[k], large[k], crash[k] | "sort"
    }'
}

# soak_summary: 1 if anything broke.
soak_summary() {
  local campaign runs first last broken status=0
  printf '\n%-9s %5s  %-23s %6s  %s\n' campaign runs seeds broken tried
  while read -r campaign runs first last; do
    broken=$(grep -c . "$SOAK/$campaign.broken" 2>/dev/null || true)
    printf '%-9s %5d  %-23s %6d  %s\n' "$campaign" "$runs" "$first..$last" "${broken:-0}" "$(soak_tried "$campaign")"
  done <"$SOAK/campaigns"
  soak_falls_table || true # none fell
  soak_scenes_tables
  soak_files_table || true # none were damaged
  for campaign in "$SOAK"/*.broken; do
    [ -s "$campaign" ] || continue
    status=1
    printf '\nbroken in %s, to repeat:\n' "$(basename "$campaign" .broken)"
    sed 's/^/  /' "$campaign"
  done
  printf '\nwhole output of every run: %s\n' "$SOAK"
  return $status
}

soak() { # [NAME] [--minutes N]
  local names=() minutes=30 campaign share first soak_seed soak_runs soak_stopped=0
  while [ $# -gt 0 ]; do
    case $1 in
      --minutes)
        [ $# -ge 2 ] || die "'--minutes' needs a number, such as './dev soak --minutes 30'"
        minutes=$2
        shift
        ;;
      --minutes=*) minutes=${1#*=} ;;
      -*) die "'./dev soak' has no option '$1', only --minutes N" ;;
      *) [ ${#names[@]} = 0 ] || die "unexpected argument '$1': './dev soak' takes one campaign"; names=("$1") ;;
    esac
    shift
  done
  [[ $minutes =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "--minutes is '$minutes', not a number of minutes"
  if [ ${#names[@]} = 0 ]; then
    mapfile -t names < <(soak_names)
  else
    soak_names | grep -qx -- "${names[0]}" || die "there is no campaign '${names[0]}': $(soak_names | paste -sd' ')"
  fi
  need test
  case " ${names[*]} " in *' fuzz '*) need check ;; esac
  build_release -DFF_TESTS=ON
  case " ${names[*]} " in *' files '*) soak_build_files || exit 1 ;; esac
  share=$(awk -v m="$minutes" -v n=${#names[@]} 'BEGIN { s = int(60 * m / n); print (s > 0 ? s : 1) }')
  soak_seed=$(date +%s)
  rm -rf "$SOAK" && mkdir -p "$SOAK"
  trap 'soak_stopped=1' INT
  for campaign in "${names[@]}"; do
    [ $soak_stopped = 0 ] || break
    say "$campaign: $share s, seeds from $soak_seed on"
    first=$soak_seed soak_runs=0
    case $campaign in
      fuzz) soak_fuzz "$share" ;;
      scenes) soak_scenes scenes "$share" ;;
      energy) soak_scenes energy "$share" --stepper expo --class mild --judge energy ;;
      *) soak_campaign "$campaign" "$share" ;;
    esac
    echo "$campaign $soak_runs $first $((soak_seed > first ? soak_seed - 1 : first))" >>"$SOAK/campaigns"
  done
  trap - INT
  soak_summary
}
