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

# install_list PACKAGES...: 0 if they could be installed.
install_list() {
  local log=$LOGS/packages.log
  command -v apt-get >/dev/null || return 1
  apt_get update >"$log" 2>&1 || true # perhaps the lists we have are enough
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
      tail -n 8 "$LOGS/packages.log" 2>/dev/null
      die "could not install ${needed[*]}; please install them (or what your system calls them) and try again"
    fi
  fi
  if [ ${#welcome[@]} -gt 0 ]; then
    say "installing ${welcome[*]} with apt-get"
    install_list "${welcome[@]}" || say "could not install ${welcome[*]}; going on without"
  fi
}

# need_viewer: what viewer/package-lock.json lists is in viewer/node_modules, or the build goes on without the viewer.
need_viewer() {
  local fetched=viewer/node_modules/.fetched
  cmp -s viewer/package-lock.json "$fetched" && return 0
  command -v npm >/dev/null || return 0
  run viewer-packages "fetching the viewer's packages from npm" fetch_viewer || say "going on without: 'footfall view' will say so"
}

fetch_viewer() {
  (cd viewer && npm ci --ignore-scripts --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000) &&
    cp viewer/package-lock.json viewer/node_modules/.fetched
}
