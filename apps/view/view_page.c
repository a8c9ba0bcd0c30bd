// The page: the viewer's own text, with the recordings in front of its program. Nothing in a recording can end the element that it stands in: the only
// places of JSON where '<' can be are strings, and there it may be written as \u003c.
#define _POSIX_C_SOURCE 200809L
#include "cli/complain.h"
#include "cli/put_file.h"
#include "view/view.h"

#include <errno.h>
#include <string.h>

static const char marker[] = "<!-- runs -->";

static const char *find(const char *text, size_t length, const char *word)
{
  const size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; ++i)
    if (memcmp(text + i, word, size) == 0)
      return text + i;
  return NULL;
}

static void write_header(const char *json, FILE *out)
{
  for (; *json; ++json) {
    if (*json == '<')
      fputs("\\u003c", out);
    else
      fputc(*json, out);
  }
}

static void write_run(const ffi_view_data *run, FILE *out)
{
  fputs("<script type=\"application/json\" class=\"run-header\">\n", out);
  write_header(run->header, out);
  fputs("</script>\n", out);
}

static void write_bytes(const ffi_bytes *bytes, const char *name, FILE *out)
{
  ffi_bytes small = {0};
  ffi_bytes_deflate(bytes, &small);
  fprintf(out, "<script type=\"text/plain\" class=\"%s\">", name);
  ffi_bytes_base64(&small, out);
  fputs("</script>\n", out);
  ffi_bytes_free(&small);
}

// A page that is served may speak to whom it came from, and to nobody else.
static const char policy[] = "default-src 'none';", live_policy[] = "default-src 'none'; connect-src 'self';";

void ffi_view_write_text(FILE *out, const ffi_view_data *runs, int count, int is_live)
{
  size_t length = 0;
  const char *text = ffi_view_text(&length), *end = text + length;
  const char *rule = is_live ? find(text, length, policy) : NULL, *place = find(text, length, marker);
  if (rule) {
    fwrite(text, 1, (size_t)(rule - text), out);
    fputs(live_policy, out);
    text = rule + strlen(policy);
  }
  fwrite(text, 1, (size_t)(place - text), out);
  for (int i = 0; i < count; ++i) {
    write_run(&runs[i], out);
    write_bytes(&runs[i].arrays, "run-arrays", out);
  }
  for (int i = 0; i < count; ++i) // behind all that is drawn: the page reads them last
    write_bytes(&runs[i].rows, "run-rows", out);
  if (is_live)
    fputs("<script type=\"application/json\" id=\"live\">{}</script>\n", out);
  place += strlen(marker);
  fwrite(place, 1, (size_t)(end - place), out);
}

int ffi_view_is_built(void)
{
  size_t length = 0;
  const char *text = ffi_view_text(&length);
  if (text && find(text, length, marker))
    return 1;
  ffi_complain(
      "this footfall was built without its viewer, which needs Node.js and npm; install both and build again with './dev build'");
  return 0;
}

int ffi_view_write_page(const char *path, const ffi_view_data *runs, int count)
{
  ffi_put put;
  if (!ffi_put_open(&put, path)) {
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    return 0;
  }
  ffi_view_write_text(put.file, runs, count, 0);
  if (ffi_put_close(&put, 1))
    return 1;
  ffi_complain("%s: could not be written: %s", path, strerror(errno));
  return 0;
}
