// A text of MJCF, read by both programs.
#include "mjcf_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

ffi_mjcf_text ffi_mjcf_text_load_with(const char *text, const ff_load_def *def)
{
  char message[1000] = "";
  ffi_mjcf_text t;
  ff_error error;
  mjVFS *vfs = malloc(sizeof *vfs);
  assert_non_null(vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "robot.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  t.mj = mj_loadXML("robot.xml", vfs, message, sizeof message);
  if (!t.mj)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  t.data = mj_makeData(t.mj);
  if (ff_model_load_memory(text, strlen(text), "robot.xml", def, &t.ff, &error) != FF_OK)
    fail_msg("%s", error.message);
  return t;
}

ffi_mjcf_text ffi_mjcf_text_load(const char *text)
{
  return ffi_mjcf_text_load_with(text, NULL);
}

void ffi_mjcf_text_free(const ffi_mjcf_text *text)
{
  mj_deleteData(text->data);
  mj_deleteModel(text->mj);
  ff_model_destroy(text->ff);
}
