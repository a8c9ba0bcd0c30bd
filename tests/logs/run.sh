#!/usr/bin/env bash
# slow: fetches packages from npm. Logs opened by programs that are not ours: HDF5 by its tools and by h5py, as the
# guide does it; MCAP by the format's own library, and its pictures by Foxglove's own schemas (package.json has the
# versions). What is not there, and cannot be fetched, is left out.
set -u
. "$(dirname "$0")/../support/script.sh"

footfall=$BUILD/footfall packages=$BUILD/tests/logs
cd "$ROOT" || exit 1
run() {
  "$footfall" run scenes/solo-stand.yaml --set expect={} --set 'start.position=[0, 0, 0.3]' --duration 2s \
    --quiet --out "$1"
}
killed() { timeout -s KILL 1 "$footfall" run scenes/solo-stand.yaml --duration 1000s --quiet --out "$1"; [ $? = 137 ]; }
failing() {
  "$footfall" run scenes/solo-stand.yaml --stepper euler --set material.stiffness=1e8 --quiet --out "$1"
  [ $? = 3 ]
}
check "a run as CSV" run "$WORK/run.csv"

# ---- HDF5 ----

# numbers FILE DATASET: one a line, with all digits.
numbers() { h5dump -d "$2" -y -w 0 -m '%.17g' "$1" | sed -n '/DATA {/,/}/p' | tr -d ' ' | tr ',' '\n' | grep '[0-9]'; }
same_columns() { # DATASET FROM TO: those columns of the CSV, bit for bit
  numbers "$WORK/run.h5" "$1" >"$WORK/theirs"
  tail -n +2 "$WORK/run.csv" | cut -d , -f "$2-$3" | tr ',' '\n' >"$WORK/ours"
  [ "$(wc -l <"$WORK/theirs")" = $((1001 * ($3 - $2 + 1))) ] &&
    [ "$(wc -l <"$WORK/ours")" = "$(wc -l <"$WORK/theirs")" ] &&
    paste "$WORK/theirs" "$WORK/ours" | awk '$1 + 0 != $2 + 0 { print NR ": " $0; bad = 1 } END { exit bad }'
}
mended() { # what the guide says about a killed run
  h5clear -s "$WORK/killed.h5" && numbers "$WORK/killed.h5" /done |
    awk 'NR == 1 { rows = $1 } NR == 4 { whole = $1 } END { exit !(rows > 100 && whole == 0) }' &&
    h5dump -d /end/outcome "$WORK/killed.h5" | grep -q '"not ended in order"'
}
says_why() {
  h5dump -d /end/outcome "$WORK/failed.h5" | grep -q '"failed"' &&
    h5dump -d /end/reason "$WORK/failed.h5" | grep -q "with 'euler'"
}
guide() { # its own lines, and that they find what is there
  mkdir -p "$WORK/out"
  "$footfall" run scenes/solo-trot.yaml --quiet --out "$WORK/out/solo-trot.h5" &&
    {
      sed -n '/^```python/,/^```/p' docs/guide/logs.md | grep -v '^```' &&
        echo 'assert rows == len(ends) == 1501 and 0.15 < height.min() < height.max() < 0.3' &&
        echo 'assert ends[-1] == len(force) and outcome == "finished"'
    } >"$WORK/guide.py" &&
    (cd "$WORK" && "$python" guide.py)
}
check "a run as HDF5" run "$WORK/run.h5"
if command -v h5dump >/dev/null && command -v h5clear >/dev/null; then
  check "h5dump: q is that of the CSV" same_columns /q 2 20
  check "h5dump: v is that of the CSV" same_columns /v 21 38
  check "one that is killed" killed "$WORK/killed.h5"
  check "h5clear mends what is left of it" mended
  check "one that fails" failing "$WORK/failed.h5"
  check "h5dump: why it failed" says_why
else
  echo "there is no h5dump (Debian: hdf5-tools)"
fi
python=
for one in python3 /usr/bin/python3; do "$one" -c 'import h5py' 2>/dev/null && python=$one && break; done
if [ -n "$python" ]; then
  check "h5py: the lines of the guide" guide
else
  echo "there is no h5py (Debian: python3-h5py)"
fi

# ---- MCAP ----

fetch() {
  cp "$ROOT"/tests/logs/package*.json "$ROOT/tests/logs/read.mjs" "$packages" || return
  cmp -s "$packages/package-lock.json" "$packages/node_modules/.fetched" && return
  command -v node >/dev/null && command -v npm >/dev/null || return
  (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000) &&
    cp "$packages/package-lock.json" "$packages/node_modules/.fetched"
}
mkdir -p "$packages"
if ! fetch >"$WORK/fetched" 2>&1; then
  tail -n 3 "$WORK/fetched"
  echo "the readers of MCAP could not be fetched from npm"
  finish
fi
check "a run as MCAP" run "$WORK/run.mcap"
check "one that is killed" killed "$WORK/killed.mcap"
check "one that fails" failing "$WORK/failed.mcap"
one() { echo "$line"; [ "${line%% *}" = ok ]; }
while IFS= read -r line; do
  check "MCAP: ${line:6}" one
done < <(cd "$packages" &&
  node read.mjs "$WORK/run.mcap" "$WORK/run.csv" "$ROOT/models/solo12.urdf" "$WORK/killed.mcap" "$WORK/failed.mcap" |
  grep '^ok \|^WRONG ' || echo "WRONG the readers did not run")
finish
