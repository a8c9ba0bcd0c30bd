# shellcheck shell=bash
# peers.sh: the simulators that benchmarks measure beside us, in a virtual environment of their own: build/peers/venv.
# Sourced by ./dev.

# fetch_peers: the packages of bench/peers/requirements.txt, from PyPI. Nothing else uses them.
fetch_peers() {
  rm -rf build/peers/venv
  "$(peers_python)" -m venv build/peers/venv &&
    build/peers/venv/bin/pip install --no-deps --disable-pip-version-check --retries 1 --timeout 60 \
      -r bench/peers/requirements.txt &&
    cp bench/peers/requirements.txt build/peers/venv/.fetched
}

# The system's own, if it is there: another may be one of a project.
peers_python() { if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else echo python3; fi; }

# need_peers: they are there, or the benchmarks go on with what Debian has, or without.
need_peers() {
  cmp -s bench/peers/requirements.txt build/peers/venv/.fetched && return 0
  run peers "fetching MuJoCo from PyPI, to measure beside us (build/peers)" fetch_peers && return 0
  rm -rf build/peers/venv
  say "going on with Debian's MuJoCo where it is installed, else without"
}

# build_peers: compiled against their own headers.
build_peers() {
  [ -d build/peers/venv ] || return 0
  run peers-build "building for MuJoCo's wheel" cmake --build --preset release --target footfall_peers && return 0
  rm -rf build/peers/pypi
  say "going on with Debian's MuJoCo where it is installed, else without"
}
