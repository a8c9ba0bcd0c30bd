#!/usr/bin/env bash
# What the desktop's opener does is not our business: a browser that it becomes is neither waited for, nor given our
# port, nor ended by our Ctrl-C.
set -u
. "$(dirname "$0")/../support/script.sh"

footfall=$BUILD/footfall
[ -e "$BUILD/viewer/view_text.c" ] || {
  echo "the command was built without its viewer"
  echo "[  SKIPPED ] 1 test(s)"
  exit 0
}
# An opener that becomes a browser: it stays. What it was given is kept.
mkdir "$WORK/bin"
cat >"$WORK/bin/xdg-open" <<'END'
#!/bin/sh
ls -l "/proc/$$/fd" >"$OPENED.fd"
printf '%s' "$1" >"$OPENED.what"
echo $$ >"$OPENED.pid"
exec sleep 300
END
chmod +x "$WORK/bin/xdg-open"
export PATH=$WORK/bin:$PATH DISPLAY=:99 OPENED=$WORK/opened
trap 'kill $(cat "$OPENED".*pid) 2>/dev/null; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

until_there() { # FILE
  for _ in $(seq 600); do
    [ -s "$1" ] && return
    sleep 0.05
  done
  echo "there is no $1"
  return 1
}

a_page_is_shown() {
  timeout 60 "$footfall" view "$ROOT/models/ball.urdf" --duration 0 "--out=$1" >"$WORK/said" || return 1
  cat "$WORK/said"
  ! grep -q 'no browser' "$WORK/said" && [ "$(cat "$OPENED.what")" = "$2" ]
}
check "a page is shown by who stays" a_page_is_shown ball.html ball.html
mv "$OPENED.pid" "$OPENED.1pid"
check "its name is no option" a_page_is_shown -x.html ./-x.html
mv "$OPENED.pid" "$OPENED.2pid"

setsid "$footfall" view --live "$ROOT/scenes/solo-stand.yaml" >"$WORK/live" &
live=$!
until_there "$WORK/live"
address=$(cut -d ' ' -f 1 "$WORK/live")
port=${address##*:} port=${port%/}
answers() { # in time, while the opener stays
  exec 5<>"/dev/tcp/127.0.0.1/$port" || return 1
  printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" >&5
  timeout 30 head -c 15 <&5 | grep -q '^HTTP/1.1 200 OK'
}
first_line() { # FIELD OF THE HEAD, PATH: what the server says first
  exec 6<>"/dev/tcp/127.0.0.1/$port" || return 1
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n%s\r\n\r\n' "$2" "$port" "$1" >&6
  timeout 30 head -c 12 <&6
  exec 6<&-
}
others_may_link_only() { # a picture or a frame in somebody else's page says where it is from
  [ "$(first_line 'Sec-Fetch-Site: cross-site' /events)" = 'HTTP/1.1 403' ] &&
    [ "$(first_line 'Sec-Fetch-Site: cross-site' /)" = 'HTTP/1.1 200' ] &&
    [ "$(first_line 'Sec-Fetch-Site: same-origin' /events)" = 'HTTP/1.1 200' ]
}
has_no_socket() { until_there "$OPENED.fd" && cat "$OPENED.fd" && ! grep -q socket "$OPENED.fd"; }
ends_alone() {
  until_there "$OPENED.pid" || return 1
  kill -INT -- "-$live" && wait "$live" || return 1
  kill -0 "$(cat "$OPENED.pid")"
}
check "a live scene answers while the opener stays" answers
check "pages of others may link to it, and no more" others_may_link_only
check "the opener does not hold its port" has_no_socket
check "Ctrl-C ends the scene and not the browser" ends_alone

says_json() {
  "$footfall" view --live --json --no-open "$ROOT/scenes/solo-stand.yaml" >"$WORK/json" &
  live=$!
  until_there "$WORK/json"
  kill -INT "$live"
  wait "$live" && tr -d '\n ' <"$WORK/json" | grep -q '^{"address":"http://127.0.0.1:[0-9]*/","port":[0-9]*}$'
}
is_silent() {
  "$footfall" view --live --quiet --no-open --port "$port" "$ROOT/scenes/solo-stand.yaml" >"$WORK/quiet" &
  live=$!
  for _ in $(seq 600); do (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break || sleep 0.05; done
  kill -INT "$live"
  wait "$live" && [ ! -s "$WORK/quiet" ]
}
check "where it is can be had as JSON" says_json
check "or not at all" is_silent
finish
