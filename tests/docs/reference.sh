# shellcheck shell=bash
# reference.sh: the reference of the headers is whole: Doxygen warns of nothing, and would warn. Sourced by run.sh.

# reference FOLDER: what `./dev docs` does, with the headers and pages of FOLDER.
reference() { (cd "$1" && { cat "$ROOT/Doxyfile"; echo "OUTPUT_DIRECTORY = $WORK/reference"; } | doxygen -); }

# A public function, a field and a type without a comment: each is refused by name.
reference_is_strict() {
  local tree=$WORK/silent
  mkdir -p "$tree/docs/guide"
  cp -r "$ROOT/include" "$tree"
  cp "$ROOT/docs/reference-layout.xml" "$tree/docs"
  cp "$ROOT/docs/guide/reference.md" "$tree/docs/guide"
  local silent='int ff_silent_function(void);\ntypedef struct ff_silent_type { int silent_field; } ff_silent_type;'
  sed -i "s|^const char \*ff_version(void);|&\n$silent|" "$tree/include/footfall/version.h"
  ! reference "$tree" >"$WORK/said" 2>&1 || { echo "it went through"; return 1; }
  for word in ff_silent_function ff_silent_type silent_field; do
    grep -q ": .*$word.* is not documented" "$WORK/said" ||
      { cat "$WORK/said"; echo "nothing is said of $word"; return 1; }
  done
}

# Doxygen 1.9 takes a value of an enumeration without a comment for one that has one.
values_have_comments() {
  awk '/^(typedef )?enum/ { inside = 1 }
    inside && /(^|\{) *FF_[A-Z0-9_]+/ && !/\/\/\/</ && before !~ /\/\/\// { print FILENAME ": " $0; bad = 1 }
    /\}/ { inside = 0 } { before = $0 } END { exit bad }' "$ROOT"/include/footfall/*.h "$ROOT"/include/footfall/*/*.h
}

# The front page has a place for every header.
headers_have_a_place() {
  local header name missing=0
  for header in "$ROOT"/include/footfall/*.h "$ROOT"/include/footfall/*/*.h; do
    name=${header#"$ROOT"/include/footfall/}
    grep -q "include/footfall/$name)" "$ROOT/docs/guide/reference.md" ||
      { echo "no $name in docs/guide/reference.md"; missing=1; }
    head -1 "$header" | grep -qE "^/// ($name|$(basename "$name")): [a-z]" ||
      { echo "$name does not begin with what it is"; missing=1; }
  done
  return $missing
}

check_reference() {
  if command -v doxygen >/dev/null; then
    check "the reference of the headers has no warnings" reference "$ROOT"
    check "a symbol without a comment would be a warning" reference_is_strict
  else
    echo "doxygen is not here: the reference was not built"
  fi
  check "values of enumerations have comments" values_have_comments
  check "the reference's front page knows every header" headers_have_a_place
}
