# shellcheck shell=bash
# tables.sh: the tables of the guide that say what becomes of every section of MJCF and every element of URDF agree with
# the lists that the readers go by. Sourced by run.sh.

# Sections of MJCF as the reader checks them. tests/io/test_mjcf_files.c compares attributes.
mjcf_sections_are_known() {
  local name missing=0 count=0
  for name in $(sed -n '/^static void check_section/,/^}/p' "$ROOT/src/io/mjcf/mjcf.c" |
    grep -oE '"[a-z]+"' | tr -d '"'); do
    count=$((count + 1))
    grep -q "^| \`<$name>\` |" "$ROOT/docs/guide/mjcf.md" || { echo "no row of a table is about <$name>"; missing=1; }
  done
  [ $count -ge 15 ] && return $missing
  echo "only $count sections found"
  return 1
}

# urdf_kinds and urdf_table: "place element fate".
urdf_kinds() {
  tr -s '\n ' '  ' <"$ROOT/src/io/urdf/urdf_ignored.c" |
    grep -oE '\{IN_[A-Z]+, "[a-z_0-9]+", ("-|"|NULL)' |
    sed -E 's/\{IN_([A-Z]+), "([a-z_0-9]+)", NULL/\L\1 \2 read/; s/\{IN_([A-Z]+), "([a-z_0-9]+)", "-/\L\1 \2 harmless/;
            s/\{IN_([A-Z]+), "([a-z_0-9]+)", "/\L\1 \2 ignored/' | sort
}
urdf_table() {
  awk -F'|' '
    /^\| in \| element \|/ { is_table = 1; next }
    !/^\|/ { is_table = 0 }
    is_table && !/^\|-/ {
      match($2, /[a-z]+/); place = substr($2, RSTART, RLENGTH)
      match($3, /[a-z_0-9]+/); element = substr($3, RSTART, RLENGTH)
      fate = $4 ~ /^ ignored, harmless/ ? "harmless" : $4 ~ /^ ignored/ ? "ignored" : "read"
      print place, element, fate }' "$ROOT/docs/guide/urdf.md" | sort
}
urdf_table_is_the_readers() {
  urdf_kinds >"$WORK/urdf-kinds"
  urdf_table >"$WORK/urdf-table"
  [ "$(wc -l <"$WORK/urdf-kinds")" -ge 20 ] || { echo "only $(wc -l <"$WORK/urdf-kinds") elements found"; return 1; }
  diff "$WORK/urdf-kinds" "$WORK/urdf-table"
}

check_tables() {
  check "the guide knows every section of MJCF" mjcf_sections_are_known
  check "the guide's table of URDF is the reader's" urdf_table_is_the_readers
}
