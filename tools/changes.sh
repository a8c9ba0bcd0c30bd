#!/usr/bin/env bash
# changes.sh [WORDS]: makes the code wrong, one change of tests/docs/changes.txt after the other, and tells whether the
# test that is named there fails. With WORDS only those with these words in their headline, such as "contact.md (5a)".
# It works in a copy of what is committed, build/changes, and takes a quarter of an hour. The exit status is 1 if a
# change was not noticed.
set -u
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." || exit 1
list=$PWD/tests/docs/changes.txt copy=$PWD/build/changes words=${1:-}
[ -d "$copy/.git" ] || git clone -q . "$copy" || exit 1
cd "$copy" || exit 1
git fetch -q origin && git checkout -q --force --detach FETCH_HEAD || exit 1
cmake --preset release -G Ninja -DFF_TESTS=ON -DFF_BENCH=OFF -DFF_ISAS=base -DFF_WERROR=OFF >changes.log || exit 1

# apply FILE BLOCK: put the lines that begin with + in the place of those that begin with -, or say that they are not
# there.
apply() {
  perl -0 -e '
    my ($file, $block) = @ARGV;
    open(my $in, "<", $file) or exit 1;
    my $text = <$in>;
    my ($old, $new) = map { my $sign = $_; join("\n", map { substr($_, 1) } grep { substr($_, 0, 1) eq $sign }
      split(/\n/, $block)) } ("-", "+");
    my $at = index($text, $old);
    exit 1 if $at < 0 || $old eq "";
    substr($text, $at, length $old) = $new;
    open(my $out, ">", $file) or exit 1;
    print $out $text;' "$1" "$2"
}

# sound TEST: does it pass without a change? Else it would notice all of them.
declare -A passes
sound() {
  if [ -z "${passes[$1]:-}" ]; then
    ninja -C build "$1" >changes.log 2>&1 && timeout 300 "build/$1" >changes.log 2>&1
    passes[$1]=$?
  fi
  [ "${passes[$1]}" = 0 ]
}

# try HEADLINE FILE BLOCK: "noticed" and the tests that fail, or what else came of it.
try() {
  local test=${1##*: }
  apply "$2" "$3" || { echo "the text is not in $2"; return 1; }
  if ! ninja -C build "$test" >changes.log 2>&1; then
    echo "does not build"
    git checkout -q -- "$2"
    return 1
  fi
  timeout 300 "build/$test" >changes.log 2>&1
  local status=$?
  git checkout -q -- "$2"
  [ $status != 0 ] || { echo "NOT NOTICED"; return 1; }
  echo "noticed: $(sed -nE 's/^\[  FAILED  \] ([a-z][a-z_0-9]*)$/\1/p' changes.log | sort -u | tr '\n' ' ')"
}

count=0 missed=0 headline='' file='' block=''
finish() {
  [ -n "$headline" ] || return
  if [[ $headline == *"$words"* ]]; then
    count=$((count + 1))
    if sound "${headline##*: }"; then
      said=$(try "$headline" "$file" "$block") || missed=$((missed + 1))
    else
      said="the test fails without a change" missed=$((missed + 1))
    fi
    printf '%-70s %s\n' "$headline" "$said"
  fi
  headline='' file='' block=''
}
while IFS= read -r line <&3; do
  case $line in
    '#'*) ;;
    '== '*) finish; headline=${line#== } ;;
    -* | +*) block+=$line$'\n' ;;
    ?*) file=$line ;;
  esac
done 3<<<"$(cat "$list")"
finish
echo "$count changes, $missed not noticed"
[ $missed = 0 ]
