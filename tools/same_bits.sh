#!/usr/bin/env bash
# same_bits.sh BINARY FILE [RANDOM]: run every shipped scene with every stepper, RANDOM (300) random experiments, and
# the steppers' options on a few scenes;
# write one line for each to FILE: its name, the exit status, and a checksum of the whole log. Two versions compute the
# same where their files do not differ:
#
#     tools/same_bits.sh old/build/footfall old.txt; tools/same_bits.sh build/footfall new.txt; diff old.txt new.txt
#
# Both must run on the same kind of processor. Scenes and models are those of this checkout, or of the folder in
# SCENES_OF. A case that takes more than a minute is ended, and says so; it takes a minute or two. LOGS=DIR keeps the
# logs; ONLY=TEXT runs those cases alone whose name has that text.
set -u
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
binary=$(readlink -f "$1") result=$(readlink -m "$2") random=${3:-300}
cd "${SCENES_OF:-$(dirname "$0")/..}" || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
steppers="expo expo-paper euler symplectic rk4 implicit ess moreau ca c2a"

# case NAME WORDS...: a line of the list of what is to be run.
case_line() { printf '%s\t%s\n' "$1" "${*:2}"; }

shipped() {
  local scene stepper time
  for scene in scenes/*.yaml; do
    case $scene in
      *ball-pit* | *books* | *dominoes* | *stack*) time=30ms ;;
      *plate* | *gripper*) time=100ms ;;
      *) time=600ms ;;
    esac
    for stepper in $steppers; do
      case_line "$(basename "$scene" .yaml):$stepper" run "$scene" --stepper "$stepper" --duration "$time"
    done
  done
}

# Each option by itself, where it makes a difference.
options() {
  local scene=scenes/starleth-push.yaml value
  for value in exact order-1 order-2 order-3 order-5 order-7; do
    case_line "exponential:$value" run scenes/solo-jump.yaml --stepper expo --exponential "$value" --duration 300ms
    case_line "exponential-paper:$value" \
      run scenes/solo-jump.yaml --stepper expo-paper --exponential "$value" --duration 300ms
  done
  case_line order:1 run scenes/solo-trot.yaml --order 1 --duration 1s
  case_line events:off run scenes/solo-trot.yaml --events off --duration 1s
  case_line accuracy:1e-4 run scenes/solo-trot.yaml --accuracy 1e-4 --duration 500ms
  case_line accuracy:1e-6 run scenes/solo-jump.yaml --accuracy 1e-6 --duration 300ms
  case_line self-collision run scenes/romeo-walk.yaml --set stepper.self_collision=true --duration 1s
  for value in expo expo-paper euler symplectic rk4 implicit ess; do
    case_line "slip-flag:$value" run "$scene" --stepper "$value" --set stepper.contact_law=slip-flag --duration 700ms
    case_line "first-touch:$value" \
      run "$scene" --stepper "$value" --set stepper.normal_anchor=first-touch --duration 700ms
  done
  for value in jor sor exact; do
    case_line "solver:$value" run "$scene" --set stepper.solver="$value" --duration 700ms
    case_line "maximal:$value" \
      run scenes/starleth-trot.yaml --set stepper.solver="$value" --set coordinates=maximal --duration 300ms
  done
  case_line form:velocity run "$scene" --set stepper.solver=sor --set stepper.form=velocity --duration 700ms
  case_line bilateral:prox \
    run scenes/starleth-trot.yaml --set stepper.bilateral=prox --set coordinates=maximal --duration 200ms
  case_line contact:compliant run "$scene" --set stepper.contact=compliant --duration 700ms
  case_line stabilise:off run "$scene" --set stepper.stabilise=false --duration 700ms
  for value in coulomb dissipation bounded; do
    case_line "impact:$value" run scenes/links-trot.yaml --stepper c2a --set stepper.impact="$value" --duration 200ms
    case_line "impact-ca:$value" run "$scene" --stepper ca --set stepper.impact="$value" --duration 300ms
  done
  for value in semi-implicit explicit; do
    case_line "scheme:$value" run scenes/links-trot.yaml --stepper c2a --set stepper.scheme="$value" --duration 200ms
  done
  case_line advancement:off run scenes/links-trot.yaml --stepper c2a --set stepper.advancement=false --duration 200ms
  case_line error-control:off \
    run scenes/links-trot.yaml --stepper c2a --set stepper.error_control=false --duration 200ms
  case_line bounce:poisson run scenes/hammer.yaml --stepper c2a --set stepper.bounce=poisson --duration 500ms
}

# Any robot, dropped anyhow on any ground, by any stepper.
random_cases() {
  awk -v count="$random" -v steppers="$steppers" '
    function pick(list,   part, n) { n = split(list, part, " "); return part[1 + int(n * rand())] }
    function between(low, high) { return low + (high - low) * rand() }
    BEGIN {
      srand(20261116)
      for (i = 1; i <= count; ++i) {
        model = pick("solo12.urdf solo12.urdf romeo.urdf starleth.urdf starleth.urdf simple_biped.urdf " \
                     "passive_walker.urdf box.xml ball.urdf chain.xml four_bar.xml gripper.xml hammer.xml " \
                     "pendulum.urdf sliding_block.urdf painleve_rod.urdf arm_and_boxes.xml piles/stack.xml")
        stepper = pick(steppers)
        dt = exp(between(log(0.2), log(10)))
        words = sprintf("run models/%s --stepper %s --dt %.3gms --duration %.3gms", model, stepper, dt,
                        between(60, 200))
        if (model ~ /urdf/ && model !~ /painleve|pendulum/) { # others bring their own ground, or stay where they are
          words = words sprintf(" --drop %.4gm --slope %.3gdeg", between(-0.002, 0.3),
                                rand() < 0.5 ? 0 : between(-20, 20))
          words = words sprintf(" --stiffness %.4gN/m --damping %.4gNs/m --friction %.3g",
                                exp(between(log(1e3), log(1e7))), rand() < 0.2 ? 0 : exp(between(log(10), log(3000))),
                                rand() < 0.2 ? 0 : between(0, 1.5))
        }
        if (rand() < 0.5) words = words " --no-pd"
        if (stepper == "expo" && rand() < 0.2) words = words " --order 1"
        if (stepper == "expo" && rand() < 0.2) words = words " --events off"
        else if (stepper == "expo" && rand() < 0.1) words = words " --accuracy 1e-4"
        printf "random%03d:%s:%s\t%s\n", i, model, stepper, words
      }
    }'
}

run_one() { # NAME WORDS...
  local name=$1 log status=0
  shift
  log=$WORK/$(tr '/:' '__' <<<"$name").csv
  # shellcheck disable=SC2086  # words are words
  timeout 60 "$BINARY" $* --quiet --out "$log" >/dev/null 2>&1 || status=$?
  if [ $status = 124 ]; then printf '%s took more than a minute\n' "$name"
  else printf '%s %s %s\n' "$name" "$status" "$([ -e "$log" ] && sha256sum <"$log" | cut -c 1-32 || echo none)"; fi
  if [ -n "${LOGS:-}" ]; then mkdir -p "$LOGS" && mv -f "$log" "$LOGS/" 2>/dev/null; else rm -f "$log"; fi
}

export BINARY=$binary WORK=$work
export -f run_one
{ shipped; options; random_cases; } | grep -e "${ONLY:-}" |
  xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} \
    bash -c 'IFS=$'"'\t'"' read -r name words <<<"$1"; run_one "$name" "$words"' same_bits {} |
  sort >"$result"
printf '%s cases, %s with a log\n' "$(wc -l <"$result")" "$(grep -vc ' none$\|minute$' "$result")"
