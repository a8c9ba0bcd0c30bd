# shellcheck shell=bash
# words.sh: the guide knows every command, option and stepper of the command, and no others. Sourced by run.sh.
# shellcheck disable=SC2046  # words



options() { grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u; }

# helps: the help of all commands and benchmarks. The tables that options are read by make it.
helps() {
  local name
  for name in $(commands); do "$BUILD/footfall" help "$name"; done
  for name in $(benches); do "$BUILD/footfall" bench "$name" --help; done
}
commands() { "$BUILD/footfall" help | awk '/^  [a-z]+ +[a-z]/ { print $1 } /^Exit|^.footfall/ { exit }'; }
benches() { if [ -e "$BUILD/footfall-bench" ]; then "$BUILD/footfall" bench --help | awk '/^  [a-z0-9-]+  *[a-z]/ && !/footfall/ { print $1 } /^Exit|^Examples/ { exit }'; fi; }

all_are_in_the_guide() { # WORDS...
  local word missing=0
  [ $# -ge 5 ] || { echo "only $# words"; return 1; }
  for word in "$@"; do
    grep -qE -- "(^|[^a-z-])$word([^a-z-]|\$)" "$ROOT"/docs/guide/*.md || { echo "the guide does not know $word"; missing=1; }
  done
  return $missing
}
commands_are_known() { all_are_in_the_guide $(commands | sed 's/^/footfall /'); }
options_are_known() { all_are_in_the_guide $(helps | options); }
steppers_are_known() {
  all_are_in_the_guide $("$BUILD/footfall" run x.urdf --stepper none 2>&1 | sed -n 's/.*choose //p' | sed 's/, / /g; s/ or / /')
}
options_exist() {
  local option unknown=0
  helps | options >"$WORK/known-options"
  for option in $(grep -ohE '`--[a-z-]+' "$ROOT"/docs/guide/*.md "$ROOT/README.md" | tr -d '`' | sort -u); do
    grep -qxF -- "$option" "$WORK/known-options" || { echo "the guide has an option $option, the command has none"; unknown=1; }
  done
  return $unknown
}

check_words() {
  check "the guide knows every command" commands_are_known
  check "the guide knows every option" options_are_known
  check "the guide knows every stepper" steppers_are_known
  [ ! -e "$BUILD/footfall-bench" ] || check "options that the guide knows are there" options_exist
}
