#!/usr/bin/env bash
# slow: half a minute.
# What somebody does who has just built it, in a clean folder: a scene is made for every robot that comes with Footfall
# and for robots/, which nobody has tuned anything for, it runs, and its log is shown. table.sh says what each of them
# is expected to do.
set -u
. "$(dirname "$0")/../support/script.sh"

mkdir "$WORK/clean"
cd "$WORK/clean" || exit 1
unset FOOTFALL_OUT DISPLAY WAYLAND_DISPLAY
footfall=$BUILD/footfall
has_viewer=no
[ -e "$BUILD/viewer/view_text.c" ] && has_viewer=yes

path() { # MODEL NAME [OPTIONS OF RUN]: the sentence of the guide
  local model=$1 name=$2
  shift 2
  rm -f "$name".*
  "$footfall" new "$model" -o "$name.yaml" && "$footfall" run "$name.yaml" "$@" || return 1
  [ -s "$name.h5" ] || return 1
  [ $has_viewer = no ] || { "$footfall" view "$name.h5" && [ -s "out/$name.html" ]; }
}
becomes() { # MODEL STATE
  "$footfall" new "$1" -o state.yaml --force --json | grep -q "\"state\": \"$2\""
}

for model in "$ROOT"/models/*.urdf "$ROOT"/models/*.xml "$ROOT"/models/piles/*.xml; do
  name=$(basename "$model")
  name=${name%.*}
  few=()
  [[ $model == */piles/* ]] && few=(--duration 50ms) # a pile takes its time
  check "$name" path "$model" "$name" "${few[@]}"
done
# Names of files may be as odd as those inside.
cp -r "$ROOT/tests/new_user/robots" .
mv robots/meshes/foot.stl "robots/meshes/foot mesh.stl"
mv robots/odd_names.urdf "robots/odd 'näme'.urdf"
mv robots/quad_meshes.urdf "robots/quad mesh.urdf"
for name in "odd 'näme'" "quad mesh" mimic bones centipede; do
  few=()
  [ "$name" = centipede ] && few=(--duration 500ms) # sixty joints take their time
  check "$name" path "robots/$name.urdf" "$name" "${few[@]}"
done

# Each of robots/ does what is expected of it; the table is printed.
echo "[ RUN      ] robots of all styles"
if TABLE_FOLDER=$WORK/clean VIEW=$has_viewer "$ROOT/tests/new_user/table.sh"; then
  echo "[       OK ] robots of all styles"
  passed=$((passed + 1))
else
  echo "[  FAILED  ] robots of all styles: tests/new_user/table.sh"
  failed+=("robots of all styles")
fi

# Robots with legs stand on them, whatever their files lack; a rod does not balance on its tip.
for name in solo12 romeo starleth links; do
  check "$name stands" becomes "$ROOT/models/$name.urdf" stands
done
for name in "quad mesh" "odd 'näme'" bones; do
  check "$name stands" becomes "robots/$name.urdf" stands
done

# What stands stays within 5 mm and 2 degrees of its start for 10 s.
stays() { # NAME
  "$footfall" run "$1.yaml" --no-log --json >stays.json && awk '
    /"(moved|tilt_most|time)":/ { gsub(/[",:]/, ""); value[$1] = $2 }
    /fell|deep in the ground/ { noted = 1 }
    END {
      print value["moved"] " m, " value["tilt_most"] " rad, " value["time"] " s"
      exit !("moved" in value && value["moved"] <= 0.005 && value["tilt_most"] <= 2 * 3.14159265 / 180 &&
             value["time"] > 9.99 && !noted)
    }' stays.json
}
for name in "quad mesh" solo12 romeo starleth links; do
  check "$name stays where it starts" stays "$name"
done
for name in drone.urdf drone_sites.xml hexacopter.urdf hover_drone.xml; do
  said=$("$footfall" new "robots/$name" -o state.yaml --force)
  check "$name is told to be unpowered" grep -q unpowered <<<"$said"
  check "$name has a title that says so" grep -qE '^title: ".*: (is )?unpowered' state.yaml
done

# And they still stand by other steppers than the one that the scene says. table.sh --steppers tries all.
by_others() { # NAME
  "$footfall" run "$1.yaml" --stepper moreau --no-log --quiet &&
    "$footfall" run "$1.yaml" --stepper c2a --no-log --quiet
}
for name in biped millimetres rover; do
  check "$name stands by moreau and by c2a" by_others "$name"
done

refused() { # MODEL WORDS: status 1, one line that says them, and no file
  local said status
  said=$("$footfall" new "$1" -o refused.yaml 2>&1)
  status=$?
  echo "$status $said"
  [ $status = 1 ] && [[ $said == "footfall: "*"$2"* ]] && [ "$(wc -l <<<"$said")" = 1 ] &&
    [ ! -e refused.yaml ] && [ ! -e refused.yaml.part ]
}
printf '<robot name="r"><link name="a"/></robot>' >weightless.urdf
check "a robot without mass is refused" refused weightless.urdf "give link 'a' mass and inertia"
finger_is_told() {
  "$footfall" run robots/weightless_finger.urdf --duration 10ms --no-log --quiet 2>&1 |
    grep -q "moving links without mass, that carry none either: 1, .*'f1'"
}
check "a finger without mass is told of" finger_is_told

# From another folder, and after both are moved together.
elsewhere() {
  mkdir -p a/b c && cp "$ROOT/models/solo12.urdf" a/b/ && "$footfall" new a/b/solo12.urdf -o c/s.yaml &&
    mkdir d && mv a c d &&
    (cd d && "$footfall" run c/s.yaml --duration 10ms --quiet && [ -s c/s.h5 ] && rm c/s.h5 &&
      cd c && "$footfall" run s.yaml --duration 10ms --quiet && [ -s s.h5 ])
}
check "scene and robot are moved together" elsewhere

# What it says to do next can be copied, however the files are called.
copied() {
  local said
  said=$(LC_ALL=C.UTF-8 "$footfall" new "robots/odd 'näme'.urdf" -o "it's \$HOME & more.yaml") &&
    eval "$(sed -n 's/^next *footfall run \(.*\)/"$footfall" run \1 --duration 10ms --quiet/p' <<<"$said")" &&
    [ -s "it's \$HOME & more.h5" ]
}
check "what is said next can be copied" copied
finish
