#!/usr/bin/env bash
# slow: pages of `footfall view` in a real browser, which has no graphics card here. Pictures are left in $BUILD/viewer/pages.
set -u
. "$(dirname "$0")/../support/script.sh"

skip() {
  echo "$1"
  echo "[  SKIPPED ] 1 test(s)"
  exit 0
}

footfall=$BUILD/footfall pages=$BUILD/viewer/pages
node=$(command -v node || command -v nodejs) || skip "there is no node"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no chromium"
mkdir -p "$pages"
cd "$ROOT" || exit 1
"$footfall" view models/ball.urdf --duration 0 --no-open -o "$pages/any.html" 2>&1 | grep -q 'without its viewer' && skip "the command was built without its viewer"

check "a page of one run" "$footfall" view scenes/solo-trot.yaml --duration 10s --no-open -o "$pages/one.html"
check "a page of three" "$footfall" view scenes/solo-trot.yaml --steppers expo,implicit,euler --no-open -o "$pages/three.html"
check "a page of a block that slides" "$footfall" view models/sliding_block.urdf --slope 45deg --duration 1s --no-open -o "$pages/slope.html"
[ ${#failed[@]} = 0 ] || finish
"$node" tests/viewer/page.mjs "$browser" "$pages" || failed+=("pages in the browser")
finish
