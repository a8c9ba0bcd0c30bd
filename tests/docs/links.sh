# shellcheck shell=bash
# links.sh: links of all pages lead to files that are there, and to headings that are there. Sourced by run.sh.

all_pages() {
  find "$ROOT" \( -name node_modules -o -name 'build*' -o -name .git -o -name out \) -prune -o -name '*.md' -print
}

# anchors PAGE: what its headings can be linked by: small letters, digits, - and _, blanks as -; the second of a name
# has -1 behind it.
anchors() {
  awk '/^```/ { inside = !inside } !inside && /^#+ / { sub(/^#+ +/, ""); print }' "$1" |
    sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g' | LC_ALL=C.UTF-8 sed -E 's/[^[:alnum:] _-]//g; s/ /-/g; s/.*/\L&/' |
    awk '{ n = seen[$0]++; print n ? $0 "-" n : $0 }'
}

# links PAGE: what its links and pictures lead to, but for other machines; not those in blocks of code.
links() {
  awk '/^```/ { inside = !inside; next } !inside && !/^    / { gsub(/`[^`]*`/, ""); print }' "$1" |
    grep -oE '\]\([^) ]+|(src|href)="[^"]+' | sed -E 's/^(\]\(|src="|href=")//' | grep -vE '^[a-z]+:'
}

links_lead_somewhere() {
  local page link file bad=0
  local -A headings=()
  while read -r page; do
    while read -r link; do
      file=$page
      [ "${link%%#*}" = "" ] || file=${page%/*}/${link%%#*}
      if [ ! -e "$file" ]; then
        echo "${page#"$ROOT"/}: no $link"
        bad=1
        continue
      fi
      [[ $link == *#* ]] || continue
      [ -n "${headings[$file]:-}" ] || headings[$file]=$'\n'$(anchors "$file")$'\n'
      if [[ ${headings[$file]} != *$'\n'"${link#*#}"$'\n'* ]]; then
        echo "${page#"$ROOT"/}: no heading for $link"
        bad=1
      fi
    done < <(links "$page")
  done < <(all_pages)
  return $bad
}

# The check itself: a file and a heading that are not there are told, those that are there are not.
links_are_told() {
  local ROOT=$WORK/linked
  mkdir -p "$ROOT"
  # shellcheck disable=SC2016  # no command
  printf '%s\n' '# One `two` (three), K = 5 N/m' '[a](#one-two-three-k--5-nm) [b](page.md#again-1) `[c](nowhere)`' \
    '## Again' '## Again' >"$ROOT/page.md"
  links_lead_somewhere || return 1
  printf '[a](#on) [b](gone.md) <img src="gone.png">\n' >>"$ROOT/page.md"
  ! links_lead_somewhere >"$WORK/said" && [ "$(grep -c 'no ' "$WORK/said")" = 3 ]
}

# Each folder's first page leads to every page beside it.
pages_are_listed() {
  local folder page missing=0
  for folder in docs docs/guide docs/theory docs/decisions; do
    for page in "$ROOT/$folder"/*.md; do
      page=${page##*/}
      [ "$page" = README.md ] || grep -qF "]($page)" "$ROOT/$folder/README.md" ||
        { echo "$folder/README.md does not know $page"; missing=1; }
    done
  done
  return $missing
}

check_links() {
  check "links in all pages lead somewhere" links_lead_somewhere
  check "links that lead nowhere would be told" links_are_told
  check "every page is listed" pages_are_listed
}
