#!/usr/bin/env bash
# slow: builds the Python package with Debian's packages, and runs its tests but the long ones
# The package is built against build/ by /usr/bin/python3, or the first Python that has what it needs; with none this
# passes and says so. ./dev check runs the rest, with PyPI's packages.
set -u
. "$(dirname "$0")/../support/script.sh"

has_packages() {
  "$1" -c 'import sys, cffi, numpy, pytest, setuptools; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
    [ -e "$("$1" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ]
}
for PYTHON in ${PYTHON:-} /usr/bin/python3 python3 none; do
  has_packages "$PYTHON" && break
done
if [ "$PYTHON" = none ]; then
  echo "[  SKIPPED ] 1 test(s): no Python 3.11 with cffi, numpy, pytest, setuptools and its headers"
  exit 0
fi

library=$BUILD/python/lib
builds() {
  cd "$ROOT/python" && FOOTFALL_BUILD=$BUILD "$PYTHON" setup.py -q build --build-base "$BUILD/python/base" \
    --build-lib "$library"
}
# What pytest says counts as cases: "115 passed, 2 skipped".
count() { grep -oE "[0-9]+ $1" "$WORK/pytest" | tail -n 1 | cut -d ' ' -f 1; }

check "the package builds with $("$PYTHON" --version)" builds
# From elsewhere, or Python would take the sources in place of what was built.
(cd "$WORK" && FOOTFALL_BUILD=$BUILD PYTHONPATH=$library PYTHONDONTWRITEBYTECODE=1 "$PYTHON" -m pytest \
  -p no:cacheprovider -c "$ROOT/python/pyproject.toml" "$ROOT/python/tests") >"$WORK/pytest" 2>&1
status=$?
cat "$WORK/pytest"
passed=$((passed + $(count passed || true) + 0))
[ $status = 0 ] || failed+=("python -m pytest, $(count failed) failed")
finish
