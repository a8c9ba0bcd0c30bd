# packages.sh: install what is missing for a group of tools/packages.txt. Sourced by ./dev.

# has_package PACKAGE PROBE: is it there, from whatever source?
has_package() {
  case $2 in
    -) ;;
    *.h) [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] && return 0 ;;
    *) command -v "$2" >/dev/null && return 0 ;;
  esac
  command -v dpkg-query >/dev/null &&
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# apt_get ARGS...: as root, without questions.
apt_get() {
  local sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null
}

# add_architectures PACKAGES...: dpkg knows the architecture of every NAME:ARCHITECTURE.
add_architectures() {
  local package sudo=()
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  for package in "$@"; do
    case $package in *:*) ;; *) continue ;; esac
    dpkg --print-foreign-architectures | grep -qx "${package#*:}" && continue
    say "dpkg --add-architecture ${package#*:}"
    "${sudo[@]}" dpkg --add-architecture "${package#*:}" || return 1
  done
}

# install_list PACKAGES...: 0 if they could be installed; else the log's last lines say why not.
install_list() {
  local log=$LOGS/packages.log
  if ! command -v apt-get >/dev/null; then
    echo "there is no apt-get on this system" >"$log"
    return 1
  fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "only root can install packages, and there is no sudo" >"$log"
    return 1
  fi
  add_architectures "$@" >"$log" 2>&1 || return 1
  apt_get update >>"$log" 2>&1 || true # perhaps the lists we have are enough
  apt_get install -y --no-install-recommends "$@" >>"$log" 2>&1
}

# need GROUP...: every package of the groups is there, or the reader knows what to do.
need() {
  local group package probe why needed=() welcome=()
  while read -r group package probe why; do
    case " $* " in *" ${group%\?} "*) ;; *) continue ;; esac
    has_package "$package" "$probe" && continue
    say "missing: $package ($why)"
    if [ "$group" = "${group%\?}" ]; then needed+=("$package"); else welcome+=("$package"); fi
  done < <(grep -v '^#' tools/packages.txt | grep .)

  if [ ${#needed[@]} -gt 0 ]; then
    say "installing ${needed[*]} with apt-get"
    if ! install_list "${needed[@]}"; then
      tail -n 3 "$LOGS/packages.log" 2>/dev/null
      if grep -qs -e 'Temporary failure resolving' -e 'Could not resolve' -e 'Could not connect' \
        -e 'Cannot initiate the connection' "$LOGS/packages.log"; then
        say "the package server cannot be reached: is there a network?"
      fi
      die "could not install them; nothing was built. Please do, as root, and try again:

  apt-get install ${needed[*]} ${welcome[*]}

(or what your system calls them; log: $LOGS/packages.log)"
    fi
  fi
  if [ ${#welcome[@]} -gt 0 ]; then
    say "installing ${welcome[*]} with apt-get"
    install_list "${welcome[@]}" ||
      say "could not install ${welcome[*]} ($(tail -n 1 "$LOGS/packages.log")); going on without"
  fi
}

# need_viewer: what viewer/package-lock.json lists is in viewer/node_modules, or the build goes on without the viewer.
need_viewer() {
  local fetched=viewer/node_modules/.fetched
  cmp -s viewer/package-lock.json "$fetched" && return 0
  command -v npm >/dev/null || return 0
  run viewer-packages "fetching the viewer's packages from npm" fetch_viewer ||
    say "going on without: 'footfall view' will say so"
}

fetch_viewer() {
  (cd viewer && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000) &&
    cp viewer/package-lock.json viewer/node_modules/.fetched
}
