#!/usr/bin/env bash
# slow: installs and builds four programs
# Install to a temporary folder; there, a user's C and C++ programs build with find_package and with pkg-config,
# and run.
set -u
. "$(dirname "$0")/../support/script.sh"

here=$ROOT/tests/consumer
prefix=$WORK/prefix
robot=$prefix/share/footfall/models/solo12.urdf
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi

has_files() {
  local file
  for file in include/footfall/footfall.h bin/footfall share/footfall/models/solo12.urdf share/man/man1/footfall.1 \
    share/bash-completion/completions/footfall; do
    [ -e "$prefix/$file" ] || { echo "not installed: $file"; return 1; }
  done
}
# The robot's mass by another way: add up the masses its file states.
mass=$(grep -o '<mass *value="[^"]*"' "$ROOT/models/solo12.urdf" | grep -o '[0-9.e+-]*"' | tr -d '"' |
  awk '{ sum += $1 } END { printf "%.6f", sum }')
prints() { # EXPECTED COMMAND...
  local expected=$1 got
  shift
  got=$("$@") || return 1
  [ "$got" = "$expected" ] || { echo "got '$got', expected '$expected'"; return 1; }
}
libraries() { find "$prefix" -name pkgconfig -type d; }
with_pkg_config() { # MODULE COMPILER SOURCE PROGRAM
  local flags
  flags=$(PKG_CONFIG_PATH=$(libraries) pkg-config --cflags --libs "$1") || return 1
  # shellcheck disable=SC2086
  $2 "$here/$3" -o "$WORK/$4" $flags -lm -Wl,-rpath,"$(dirname "$(libraries)")"
}
manual() { # as man shows it, without complaints of its own
  MANPATH=$prefix/share/man MANWIDTH=80 man --warnings footfall >"$WORK/manual" 2>"$WORK/complaints" &&
    [ ! -s "$WORK/complaints" ] && grep -q 'footfall run SCENE.yaml' "$WORK/manual"
}
without_xml() { ! ldd "$1" | grep -q libxml2; }

check "install" cmake --install "$BUILD" --prefix "$prefix"
check "headers, command and models are installed" has_files
if command -v man >/dev/null; then check "man footfall" manual; fi
check "find_package configures" cmake -S "$here" -B "$WORK/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC"
check "find_package builds" cmake --build "$WORK/build"
check "C program by find_package" prints "$mass 18" "$WORK/build/consumer_c" "$robot"
check "C++ program by find_package" prints "$mass 18" "$WORK/build/consumer_cxx" "$robot"
check "core alone by find_package" "$WORK/build/core_only"
check "core alone needs no libxml2" without_xml "$WORK/build/core_only"
check "C builds by pkg-config" with_pkg_config footfall_io "$CC -std=c17" consumer.c c
check "C program by pkg-config" prints "$mass 18" "$WORK/c" "$robot"
check "C++ builds by pkg-config" with_pkg_config footfall_io "$CXX -std=c++17" consumer.cc cxx
check "C++ program by pkg-config" prints "$mass 18" "$WORK/cxx" "$robot"
check "core builds by pkg-config" with_pkg_config footfall "$CC -std=c17" core_only.c core
check "core program by pkg-config" "$WORK/core"
finish
