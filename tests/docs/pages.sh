# shellcheck shell=bash
# pages.sh: what the fenced blocks of a page are for. Sourced by run.sh; readers see the first word only, as the
# language.
#
#   ```c             a program if it has a main, which compiles without warnings and runs; else lines for inside a
#                    function, or functions, which compile
#   ```yaml          a scene, which runs for 50 ms; it lies in a folder beside models/, as those of scenes/ do
#   ```yaml NAME     the same, and a file for the commands of this page
#   ```xml NAME      a robot, which footfall info reads, and a file too
#   ```cmake NAME    a project with the files of this page, which builds; its programs run
#   ```sh            commands, one a line, run one after the other; "# exit status 3" behind one says what it ends
#                    with, "# exit status 1: WORDS" also what it says. support/lines.sh: which of them run to their end
#   ```... fragment  a part of something, not tried; ```yaml NAME fragment: a file, but not tried by itself

# blocks PAGE FOLDER: writes FOLDER/01.c, 02.yaml, 03.sh, ... and NAME where a block has one.
blocks() {
  mkdir -p "$2"
  awk -v folder="$2" '
    function open(path) { out = path; printf "" >out }
    /^```/ && inside { inside = 0; if (out != "") close(out); if (copy != "") close(copy); out = copy = ""; next }
    /^```/ {
      inside = 1; language = substr($1, 4); ++count
      if (language == "" || $2 == "fragment") next
      if ($3 != "fragment") open(sprintf("%s/%02d.%s", folder, count, language))
      if ($2 != "") { copy = folder "/" $2; printf "" >copy }
      next
    }
    inside && out != "" { print >out }
    inside && copy != "" { print >copy }' "$1"
}

# wrap FILE: a program around lines that are none, with what pages say about their names.
wrap() {
  grep -q '^int main' "$1" && { cat "$1"; return; }
  printf '#include <footfall/footfall.h>\n#include <stdio.h>\n#include <stdlib.h>\n'
  if grep -q '^static' "$1"; then
    cat "$1"
    return
  fi
  printf 'int page(ff_model *model, ff_sim *sim, ff_sim_def def, ff_error error);\n'
  printf 'int page(ff_model *model, ff_sim *sim, ff_sim_def def, ff_error error) {\n{\n'
  cat "$1"
  printf '}\n  (void)model, (void)sim, (void)def, (void)error;\n  return 0;\n}\n'
}
