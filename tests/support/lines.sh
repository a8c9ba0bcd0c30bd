# shellcheck shell=bash
# lines.sh: commands as pages print them, run one by one. Source it after script.sh.
#
# A line runs to its end, with two exceptions: quick comparisons have 3 s of processor time, and benchmarks, other
# comparisons and served pages run for half a second, in which every error of their arguments is reported. tests/bench,
# tests/cli and tests/viewer test their results. The array `begun` has every line that was cut short; say_begun prints
# it.
begun=()
status=0

# run_line FOLDER LINE [wait]: sets `status`, 0 for one that was cut short; with `wait` none is: it is to be refused.
run_line() {
  local seconds=60 processor=unlimited line=${2/footfall view/footfall view --no-open}
  if [ "${3:-}" != wait ]; then
    case $2 in
      *"footfall compare "*--quick*) processor=3 ;;
      *"footfall compare "* | *"footfall bench "[a-z]* | *"footfall view "*--live*) seconds=0.5 ;;
    esac
  fi
  status=0
  (cd "$1" && ulimit -St "$processor" && timeout "$seconds" bash -c "$line") || status=$?
  if { [ $status = 124 ] && [ $seconds = 0.5 ]; } || { [ $status = 152 ] && [ $processor = 3 ]; }; then
    begun+=("$2")
    status=0
  fi
}

say_begun() {
  [ ${#begun[@]} = 0 ] && return
  echo "begun, not run to their end:"
  printf '  %s\n' "${begun[@]}"
}
