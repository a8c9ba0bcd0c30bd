#ifndef _GNU_SOURCE
#define _GNU_SOURCE // memmem
#endif

#include "io/xml/xml_guard.h"

#include "base/fail.h"
#include "io/text_file.h"

#include <string.h>

typedef struct cursor {
  const char *at, *end;
  int line; // of `at`, from 1
} cursor;

static void advance(cursor *c, const char *to)
{
  for (; c->at < to; ++c->at)
    c->line += *c->at == '\n';
}

static int starts(const cursor *c, const char *word)
{
  size_t n = strlen(word);
  return (size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0;
}

// Behind the next `word`, or to the end.
static void skip_past(cursor *c, const char *word)
{
  size_t n = strlen(word);
  const char *found = memmem(c->at, (size_t)(c->end - c->at), word, n);
  advance(c, found ? found + n : c->end);
}

static int is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// From '<' to behind '>'; '>' inside a quoted value does not count. One '=' outside quotes is one attribute.
static ff_status check_tag(cursor *c, const char *file, ff_error *error)
{
  const char *start = c->at;
  const int line = c->line;
  char quote = 0;
  int attributes = 0;
  for (; c->at < c->end; ++c->at) {
    const char x = *c->at;
    c->line += x == '\n';
    if (c->at - start > FFI_XML_MAX_TAG)
      return ffi_fail(error, FF_ERROR_LIMIT, file, line, NULL, "a tag longer than %d MiB",
                      FFI_XML_MAX_TAG >> 20);
    if (quote) {
      quote = x == quote ? 0 : quote;
    } else if (x == '"' || x == '\'') {
      quote = x;
    } else if (x == '>') {
      ++c->at;
      return FF_OK;
    } else if (x == '=' && ++attributes > FFI_XML_MAX_ATTRIBUTES) {
      return ffi_fail(error, FF_ERROR_LIMIT, file, line, NULL, "a tag with more than %d attributes",
                      FFI_XML_MAX_ATTRIBUTES);
    }
  }
  return FF_OK;
}

static ff_status check_start(cursor *c, const char *file, ff_error *error)
{
  const char *zero = memchr(c->at, 0, (size_t)(c->end - c->at));
  if (starts(c, "\xEF\xBB\xBF")) // UTF-8's byte order mark
    c->at += 3;
  while (c->at < c->end && is_space(*c->at))
    advance(c, c->at + 1);
  if (c->at == c->end)
    return ffi_fail(error, FF_ERROR_PARSE, file, 0, NULL, "the file is empty");
  const char *guess = *c->at != '<' ? ffi_text_file_guess(c->at, (size_t)(c->end - c->at)) : NULL;
  if (guess)
    return ffi_fail(error, FF_ERROR_PARSE, file, 0, NULL, "is %s, not XML", guess);
  if (zero) {
    advance(c, zero);
    return ffi_fail(error, FF_ERROR_PARSE, file, c->line, NULL,
                    "a zero byte: this is a binary file or UTF-16, not XML text in UTF-8");
  }
  if (*c->at != '<')
    return ffi_fail(error, FF_ERROR_PARSE, file, c->line, NULL, "not XML: it does not start with '<'");
  return FF_OK;
}

ff_status ffi_xml_guard(const char *file, const char *text, size_t length, ff_error *error)
{
  cursor c = {text, text + length, 1};
  ff_status status = check_start(&c, file, error);
  while (status == FF_OK && c.at < c.end) {
    if (starts(&c, "<!--"))
      skip_past(&c, "-->");
    else if (starts(&c, "<![CDATA["))
      skip_past(&c, "]]>");
    else if (starts(&c, "<?"))
      skip_past(&c, "?>");
    else if (starts(&c, "<!"))
      advance(&c, c.at + 2); // a DOCTYPE; what it declares is refused later
    else if (*c.at == '<')
      status = check_tag(&c, file, error);
    else
      advance(&c, c.at + 1);
  }
  return status;
}
