// The page: the viewer's own text, with the recordings in front of its program. Nothing in a recording can end the element that it stands in: the only
// places of JSON where '<' can be are strings, and there it may be written as \u003c.
#include "complain.h"
#include "view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
  fputs("</script>\n<script type=\"text/plain\" class=\"run-arrays\">", out);
  ffi_bytes_base64(&run->arrays, out);
  fputs("</script>\n", out);
}

static void write_all(const char *text, size_t length, const char *place, const ffi_view_data *runs,
                      int count, FILE *out)
{
  const size_t before = (size_t)(place - text), after = before + strlen(marker);
  fwrite(text, 1, before, out);
  for (int i = 0; i < count; ++i)
    write_run(&runs[i], out);
  fwrite(text + after, 1, length - after, out);
}

int ffi_view_write_page(const char *path, const ffi_view_data *runs, int count)
{
  size_t length = 0;
  const char *text = ffi_view_text(&length), *place = text ? find(text, length, marker) : NULL;
  if (!place) {
    ffi_complain("this footfall was built without its viewer, which needs Node.js and npm; install both and "
                 "build again with './dev build'");
    return 0;
  }
  struct stat status;
  FILE *out = fopen(path, "wb");
  if (!out) {
    ffi_complain("%s: cannot be written: %s", path, strerror(errno));
    return 0;
  }
  write_all(text, length, place, runs, count, out);
  const int is_bad = ferror(out) != 0;
  if (fclose(out) == 0 && !is_bad)
    return 1;
  ffi_complain("%s: could not be written: %s", path, strerror(errno));
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
    remove(path); // half a page shows nothing
  return 0;
}
