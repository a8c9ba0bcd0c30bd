// Damage to XML: elements and attributes are doubled, removed, moved, renamed, nested and confused with each other.
#include "mutate.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is_of_name(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '-';
}

// ---- Parts of the text ----------------------------------------------------------------------------------------------

typedef struct element {
  span whole; // from its '<' to behind its end
  span name;
  int is_found;
} element;

static size_t end_of_tag(const bytes *b, size_t at)
{
  char quote = 0;
  for (; at < b->count; ++at) {
    const char c = b->at[at];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
  }
  return b->count;
}

// Behind the end tag of the element whose start tag ends at `at`.
static size_t end_of_element(const bytes *b, size_t at)
{
  int depth = 1;
  while (at < b->count && depth > 0) {
    if (b->at[at] != '<') {
      ++at;
      continue;
    }
    const size_t end = end_of_tag(b, at);
    if (b->at[at + 1] == '/')
      --depth;
    else if (b->at[at + 1] != '!' && b->at[at + 1] != '?' && b->at[end - 2] != '/')
      ++depth;
    at = end;
  }
  return at;
}

// An element that begins after a random place.
static element any_element(ffi_random *random, const bytes *b)
{
  element e = {0};
  size_t at = mutate_bytes_place(random, b->count);
  for (int turn = 0; turn < 2; ++turn, at = 0)
    for (; at + 2 < b->count; ++at)
      if (b->at[at] == '<' && isalpha((unsigned char)b->at[at + 1])) {
        const size_t end = end_of_tag(b, at);
        e.is_found = 1;
        e.name.from = e.whole.from = at;
        ++e.name.from;
        while (is_of_name(b->at[e.name.from + e.name.length]))
          ++e.name.length;
        e.whole.length = (end >= 2 && b->at[end - 2] == '/' ? end : end_of_element(b, end)) - at;
        return e;
      }
  return e;
}

typedef struct attribute {
  span whole, name, value; // the value without its quotes
  int is_found;
} attribute;

static attribute any_attribute(ffi_random *random, const bytes *b)
{
  attribute a = {0};
  size_t at = mutate_bytes_place(random, b->count);
  for (int turn = 0; turn < 2; ++turn, at = 0)
    for (; at + 2 < b->count; ++at) {
      if (b->at[at] != '=' || (b->at[at + 1] != '"' && b->at[at + 1] != '\'') || at == 0)
        continue;
      const char *end = memchr(b->at + at + 2, b->at[at + 1], b->count - at - 2);
      if (!end)
        continue;
      a.name.from = at;
      while (a.name.from > 0 && is_of_name(b->at[a.name.from - 1]))
        --a.name.from;
      a.name.length = at - a.name.from;
      a.value = (span){at + 2, (size_t)(end - b->at) - at - 2};
      a.whole = (span){a.name.from, (size_t)(end - b->at) + 1 - a.name.from};
      a.is_found = 1;
      return a;
    }
  return a;
}

// ---- Damage ---------------------------------------------------------------------------------------------------------

static void nest(ffi_random *random, bytes *b, element e)
{
  char open[80], close[80];
  const int depth = ffi_random_below(random, ffi_random_chance(random, 0.2) ? 2000 : 12);
  const int length = (int)(e.name.length < 60 ? e.name.length : 60);
  snprintf(open, sizeof open, "<%.*s>", length, b->at + e.name.from);
  snprintf(close, sizeof close, "</%.*s>", length, b->at + e.name.from);
  for (int i = 0; i < depth; ++i) {
    bytes_insert(b, e.whole.from + e.whole.length, close);
    bytes_insert(b, e.whole.from, open);
    e.whole.length += strlen(open);
  }
}

// Copies of an element, whose names get numbers.
static void multiply(ffi_random *random, bytes *b, element e)
{
  const int count = 2 + ffi_random_below(random, 60);
  bytes one = bytes_of(b->at + e.whole.from, e.whole.length), all = bytes_of("", 0);
  if (one.count * (size_t)count < 1 << 18)
    for (int i = 0; i < count; ++i) {
      const char *name = strstr(one.at, "name=\"");
      const size_t cut = name ? (size_t)(name - one.at) + 6 : 0;
      char number[16];
      snprintf(number, sizeof number, "n%d_", i);
      bytes_replace(&all, all.count, 0, one.at, cut);
      if (name)
        bytes_append(&all, "%s", number);
      bytes_replace(&all, all.count, 0, one.at + cut, one.count - cut);
    }
  bytes_replace(b, e.whole.from, 0, all.at, all.count);
  bytes_free(&one);
  bytes_free(&all);
}

static void insert_markup(ffi_random *random, bytes *b, size_t at)
{
  static const char *const texts[] = {
      "<include file=\"case.xml\"/>",
      "<include file=\"missing.xml\"/>",
      "<include file=\".\"/>",
      "<!-- -- -->",
      "<![CDATA[ <link/> ]]>",
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
      "<!DOCTYPE a [<!ENTITY b \"&c;&c;\"><!ENTITY c \"dd\">]>",
      "&b;&#0;&#x110000;",
      "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"a\"/></joint>",
      "<link name=\"\"/>",
      "<body/>",
      "<default class=\"main\"><default class=\"main\"/></default>",
      "<xacro:macro name=\"a\"/>",
      "<replicate count=\"1000000000\"><body/></replicate>",
      "<instance_node url=\"#n\"/><node id=\"n\"><instance_node url=\"#n\"/></node>",
      "<a xmlns:b=\"c\" b:d=\"e\"/>",
      "<mimic joint=\"ja\" multiplier=\"1e300\" offset=\"1e300\"/>",
      "<dynamics friction=\"1e308\" damping=\"1e308\"/>",
      "<equality><joint joint1=\"ja\" joint2=\"jb\" polycoef=\"0 1e200 1e200 1e200 1e200\"/></equality>",
      "<equality><tendon tendon1=\"ta\" tendon2=\"ta\"/></equality>",
      "<tendon><fixed name=\"ta\"><joint joint=\"ja\" coef=\"0\"/></fixed></tendon>",
      "<tendon><fixed frictionloss=\"1e308\" stiffness=\"9e307\"><joint joint=\"ja\" coef=\"-2\"/></fixed></tendon>",
      "<actuator><position tendon=\"ta\" kp=\"1e308\" gear=\"1e308\"/></actuator>",
  };
  bytes_insert(b, at, texts[ffi_random_below(random, (int)(sizeof texts / sizeof texts[0]))]);
}

static void change_elements(ffi_random *random, bytes *b)
{
  const element one = any_element(random, b), other = any_element(random, b);
  if (!one.is_found)
    return;
  switch (ffi_random_below(random, 9)) {
  case 0: bytes_copy(b, one.whole, one.whole.from); break;
  case 1: bytes_replace(b, one.whole.from, one.whole.length, "", 0); break;
  case 2: bytes_copy(b, one.whole, other.whole.from); break;
  case 3: bytes_swap(b, one.whole, other.whole); break;
  case 4: bytes_replace(b, one.name.from, one.name.length, b->at + other.name.from, other.name.length); break;
  case 5: nest(random, b, one); break;
  case 6: multiply(random, b, one); break;
  case 7: // into the other, behind its start tag
    bytes_copy(b, one.whole, end_of_tag(b, other.whole.from));
    break;
  default: insert_markup(random, b, one.whole.from);
  }
}

// One number of several in an attribute, or all.
static void change_value(ffi_random *random, bytes *b, span value)
{
  const char *extreme = mutate_text_extreme(random);
  if (ffi_random_chance(random, 0.3)) {
    bytes_replace(b, value.from, value.length, extreme, strlen(extreme));
    return;
  }
  size_t from = value.from + mutate_bytes_place(random, value.length);
  while (from > value.from && b->at[from - 1] != ' ')
    --from;
  size_t to = from;
  while (to < value.from + value.length && b->at[to] != ' ')
    ++to;
  bytes_replace(b, from, to - from, extreme, strlen(extreme));
}

static void change_attributes(ffi_random *random, bytes *b)
{
  const attribute one = any_attribute(random, b), other = any_attribute(random, b);
  if (!one.is_found)
    return;
  switch (ffi_random_below(random, 10)) {
  case 0: // twice in one tag
    bytes_copy(b, one.whole, one.whole.from);
    bytes_insert(b, one.whole.from + one.whole.length, " ");
    break;
  case 1: bytes_replace(b, one.whole.from, one.whole.length, "", 0); break;
  case 2: bytes_swap(b, one.value, other.value); break;
  case 3:
    bytes_replace(b, one.value.from, one.value.length, b->at + other.value.from, other.value.length);
    break;
  case 4: bytes_replace(b, one.name.from, one.name.length, b->at + other.name.from, other.name.length); break;
  case 5: bytes_insert(b, one.value.from, "missing_"); break;
  case 6: bytes_replace(b, one.value.from, one.value.length, "", 0); break;
  case 7: // an attribute of another element
    bytes_copy(b, other.whole, one.whole.from);
    bytes_insert(b, one.whole.from + other.whole.length, " ");
    break;
  default: change_value(random, b, one.value);
  }
}

void mutate_xml(ffi_random *random, bytes *b)
{
  if (ffi_random_chance(random, 0.45))
    change_elements(random, b);
  else
    change_attributes(random, b);
}
