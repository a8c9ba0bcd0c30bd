#!/usr/bin/env bash
# table.sh [NAME...]: what becomes of robots that nobody has tuned anything for: `new`, a run of its scene for 10 s, and
# a page of it; a row for each. table.sh --steppers [NAME...]: a sixth of them by every other stepper, and for explicit
# ones the step that their stability needs. Status 1 if one does not do what is expected of it. It works in a folder of
# its own, or in $TABLE_FOLDER, where it leaves scenes, logs and pages.
#
# Expected is the state that `new` reports, and by the log, at all times, not at the end only:
#   stands   the base within 5 mm and 2 degrees of its start, and it is upright
#   rests    the same, of what could fly, and the title says that it is unpowered
#   lies     the same, where it came to rest
#   held     a fixed base: every joint within 2 degrees or 5 mm of its start
#   falls    the base moves by more than 5 cm, and the title says that it falls
#   moves    a fixed base: a joint moves by more than 0.2 rad, and the title says so
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
footfall=${BUILD:-$here/../../build}/footfall
folder=${TABLE_FOLDER:-$(mktemp -d "${TMPDIR:-/tmp}/footfall-table.XXXXXX")}
[ -n "${TABLE_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT

# Name, what is expected, options of `run`.
robots() {
  cat <<'END'
arm.urdf held
arm_and_cup.xml held
arm_without_world.urdf held
biped.urdf stands
bird_legs.xml stands
car.urdf stands
cart_pole.urdf held
caster_base.urdf stands
digitigrade.urdf stands
drone.urdf rests
drone_sites.xml rests
dual_arm.urdf held
five_bar.xml held
full_size_humanoid.urdf stands
gripper_mimic.urdf held
gym_ant.xml stands
gym_walker.xml moves
hand_mimic.urdf held
hexacopter.urdf rests
hexapod_mimic.urdf stands
hover_drone.xml falls
humanoid.urdf stands
kid_humanoid.urdf stands
knee_back_biped.urdf stands
loop_gripper.xml held
mesh_arm.urdf held
mesh_hand.urdf held
millimetres.urdf stands
mobile_manipulator.urdf stands
monopod.urdf lies
motor_humanoid.xml stands
odd_names.urdf stands
only_drawn.urdf stands
post.urdf stands
quad.urdf stands
quad_capsules.xml stands
quad_dog.urdf stands
quad_heavy.urdf stands
quad_meshes.urdf lies
quad_spheres.urdf stands
rally_car.urdf stands
rally_car.urdf stands --set ground[0].slope=10deg --set start.on_ground=true
rod_on_its_tip.urdf lies
ros_habits.urdf stands
rover.urdf stands
scara.urdf held
servo_humanoid.xml stands
sliding_gripper.urdf held
small_humanoid.xml stands
snake.urdf stands
sunken_dog.xml stands
table_arm.xml held
telescope.urdf stands
tendon_hand.xml held
torque_dog.xml stands
weightless_finger.urdf held
wheel_legs.urdf lies
END
}

# Those of --steppers: of all styles.
by_steppers="bird_legs dual_arm full_size_humanoid mesh_arm quad_dog quad_heavy servo_humanoid tendon_hand torque_dog \
  caster_base"

# The largest distance and turn of the base from its start, or deviation of joints, over all rows of a log; of a robot
# that is held, of a loose thing beside it too.
measure() { # CSV EXPECTED
  awk -F, -v expected="$2" '
    NR == 1 {
      for (i = 1; i <= NF; ++i) {
        if (!base && $i ~ /^q\..*\.qw /) base = i - 6
        if ($i ~ /^q\./ && $i !~ /\.(x|y|z|q[xyzw]) /) kind[i] = $i ~ /\[m\]/ ? "slides" : "turns"
      }
      next
    }
    NR == 2 { for (i = 1; i <= NF; ++i) start[i] = $i; next }
    {
      if (base) {
        d = 0; dot = 0
        for (k = 0; k < 3; ++k) d += ($(base + k) - start[base + k]) ^ 2
        for (k = 3; k < 7; ++k) dot += $(base + k) * start[base + k]
        if (sqrt(d) > far) far = sqrt(d)
        dot = dot < 0 ? -dot : dot
        turn = dot < 1 ? 2 * atan2(sqrt(1 - dot * dot), dot) : 0
        if (turn > most) most = turn
      }
      if (!base || expected == "held")
        for (i in kind) {
          d = $i - start[i]; d = d < 0 ? -d : d
          if (kind[i] == "slides" && d > far) far = d
          if (kind[i] == "turns" && d > most) most = d
        }
      time = $1
    }
    END { printf "%.4f %.4f %.4f\n", 1e3 * far, most * 57.29577951308232, time }' "$1"
}

json() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$2" | head -n 1; }

judge() { # EXPECTED STATE MILLIMETRES DEGREES TIME TITLE
  awk -v expected="$1" -v state="$2" -v far="$3" -v turn="$4" -v time="$5" -v title="$6" 'BEGIN {
    stays = far <= 5 && turn <= 2 && time > 9.99
    if (expected == "rests") ok = state == "stands" && stays && title ~ /unpowered, rests/
    else if (expected == "lies") ok = state == "lies" && stays && title ~ /lies/
    else if (expected == "falls") ok = state == "moves" && far > 50 && title ~ /falls/
    else if (expected == "moves") ok = state == "moves" && turn > 11.5 && title ~ /does not keep/
    else ok = state == expected && stays && title ~ /: (stands|holds its posture|held where)/
    exit !ok
  }'
}

# `new`, with its JSON in NAME.json. A row that says so if it fails.
propose() { # ROBOT NAME EXPECTED
  "$footfall" new "$here/robots/$1" -o "$folder/$2.yaml" --force --json >"$folder/$2.json" 2>"$folder/said" ||
    { printf '%-22s %-11s %s\n' "$2" "$3" "new FAILED: $(tail -n 1 "$folder/said")"; return 1; }
  state=$(json state "$folder/$2.json")
  title=$(sed -n 's/^title: "\(.*\)"$/\1/p' "$folder/$2.yaml")
}

page() { # NAME [OPTIONS OF RUN]
  local name=$1
  shift
  "$footfall" run "$folder/$name.yaml" --out "$folder/$name.h5" --log-every 10 --quiet "$@" 2>"$folder/said" &&
    { [ "${VIEW:-yes}" = no ] || "$footfall" view "$folder/$name.h5" -o "$folder/$name.html" --no-open --quiet \
      2>"$folder/said"; }
}

# A row: `new`, the run, its page.
try() { # ROBOT EXPECTED [OPTIONS OF RUN]
  local robot=$1 expected=$2 name=${1%.*} begun=$SECONDS verdict=ok state title far turn time
  shift 2
  [ $# = 0 ] || name=$name-$(tr -dc 'a-z0-9' <<<"$2")
  propose "$robot" "$name" "$expected" || return 1
  "$footfall" run "$folder/$name.yaml" --out "$folder/$name.csv" --log-every 10 --quiet "$@" 2>"$folder/said" ||
    verdict="FAILED: $(tail -n 1 "$folder/said")"
  read -r far turn time < <(measure "$folder/$name.csv" "$expected")
  judge "$expected" "$state" "$far" "$turn" "$time" "$title" || verdict="FAILED: $title"
  page "$name" --duration 2s "$@" || verdict="FAILED: $(tail -n 1 "$folder/said")"
  printf '%-26s %-8s %-8s %10.3f %10.3f %6.2f %5d  %s\n' "$name" "$expected" "$state" "$far" "$turn" "$time" \
    $((SECONDS - begun)) "$verdict"
  [ "$verdict" = ok ]
}

# Rows of one robot by other steppers, at the scene's own step unless they are explicit.
try_steppers() { # ROBOT EXPECTED
  local name=${1%.*} stepper state title far turn time verdict begun options all=0
  propose "$1" "$name" "$2" || return 1
  for stepper in expo-paper implicit ess moreau euler symplectic rk4; do
    options=() verdict=ok begun=$SECONDS
    case $name-$stepper in
      *-euler | *-symplectic | *-rk4) options=(--dt 0.02ms --duration 1s) ;;
      *-ess) options=(--duration 1s) ;;
    esac
    "$footfall" run "$folder/$name.yaml" --stepper $stepper --out "$folder/$name.csv" --log-every 10 --quiet \
      "${options[@]}" 2>"$folder/said" || verdict="FAILED: $(tail -n 1 "$folder/said")"
    read -r far turn time < <(measure "$folder/$name.csv" "$2")
    judge "$2" "$state" "$far" "$turn" 10 "$title" || verdict="FAILED: $title"
    printf '%-26s %-11s %10.3f %10.3f %6.2f %5d  %s  %s\n' "$name" $stepper "$far" "$turn" "$time" \
      $((SECONDS - begun)) "$verdict" "${options[*]}"
    [ "$verdict" = ok ] || all=1
  done
  return $all
}

what=try
if [ "${1:-}" = --steppers ]; then
  what=try_steppers
  shift
  [ $# -gt 0 ] || eval "set -- $by_steppers"
  printf '%-26s %-11s %10s %10s %6s %5s  %s\n' robot stepper 'moved, mm' 'turned,deg' 'run, s' took verdict
else
  printf '%-26s %-8s %-8s %10s %10s %6s %5s  %s\n' robot expected state 'moved, mm' 'turned,deg' 'run, s' took verdict
fi
failed=0
while read -r robot expected options; do
  [ $# = 0 ] || [[ " $* " == *" ${robot%.*} "* ]] || continue
  # shellcheck disable=SC2086 # words
  $what "$robot" "$expected" $options </dev/null || failed=1
done < <(robots)
exit $failed
