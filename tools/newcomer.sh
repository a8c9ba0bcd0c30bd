#!/usr/bin/env bash
# newcomer.sh [FOLDER]: the whole way of somebody new, in a clean folder (default: a temporary one, removed afterwards):
# clone what is committed, ./dev demo, then a scene, a run and a page for every robot, as tests/new_user has it. Some
# two minutes. ./dev test does all but the first build.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-}
if [ -z "$folder" ]; then
  folder=$(mktemp -d "${TMPDIR:-/tmp}/footfall-newcomer.XXXXXX")
  trap 'rm -rf "$folder"' EXIT
elif [ -e "$folder" ]; then
  echo "newcomer.sh: $folder already exists; name a new folder" >&2
  exit 1
fi
git clone -q "$here" "$folder"
cd "$folder"
begin=$SECONDS
./dev demo
[ -s out/demo.html ] || { echo "newcomer.sh: ./dev demo made no out/demo.html" >&2; exit 1; }
echo "newcomer.sh: ./dev demo took $((SECONDS - begin)) s"
bash tests/new_user/run.sh
