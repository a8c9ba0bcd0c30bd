// The life of a cut, and what can be asked of it.
#include "model/cut.h"

#include "base/fail.h"
#include "base/names.h"

#include <stdlib.h>

ff_cut_def ff_cut_def_default(void)
{
  return (ff_cut_def){.set = FF_CUT_MINIMAL, .place = FF_CUT_AT_JOINTS};
}

static const char *const set_names[] = {"minimal", "extended", "maximal", "listed"};

enum { SET_COUNT = sizeof set_names / sizeof set_names[0] };

const char *ff_cut_set_name(ff_cut_set set)
{
  return (unsigned)set < SET_COUNT ? set_names[set] : "unknown";
}

int ff_cut_set_find(const char *name, ff_cut_set *set)
{
  const int found = ffi_names_index(name, set_names, SET_COUNT);
  if (found >= 0)
    *set = (ff_cut_set)found;
  return found >= 0;
}

ff_status ff_cut_create(const ff_model *model, const ff_cut_def *def, ff_cut **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!model || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_cut_create", "an argument is NULL");
  const ff_cut_def minimal = ff_cut_def_default();
  const size_t joints = (size_t)model->size.joints;
  ff_status status = FF_ERROR_MEMORY;
  ff_cut *cut = calloc(1, sizeof *cut);
  if (!cut || !(cut->joints = calloc(joints + 1, sizeof *cut->joints)) ||
      !(cut->centre = calloc(joints + 1, sizeof *cut->centre))) {
    ffi_fail(error, status, NULL, 0, "ff_cut_create", "there is not enough memory");
    goto fail;
  }
  cut->source = model;
  def = def ? def : &minimal;
  status = ffi_cut_choose(cut, def, error);
  if (status == FF_OK)
    status = ffi_cut_build(cut, def, error);
  if (status != FF_OK)
    goto fail;
  *out = cut;
  return FF_OK;
fail:
  ff_cut_destroy(cut);
  return status;
}

void ff_cut_destroy(ff_cut *cut)
{
  if (!cut)
    return;
  ff_model_destroy(cut->model);
  free(cut->joints);
  free(cut->centre);
  free(cut);
}

const ff_model *ff_cut_model(const ff_cut *cut)
{
  return cut->model;
}

const ff_model *ff_cut_source(const ff_cut *cut)
{
  return cut->source;
}

int ff_cut_count(const ff_cut *cut)
{
  return cut->count;
}

ff_status ff_cut_get_joint(const ff_cut *cut, int joint, ff_cut_joint *out)
{
  if (!cut || !out || joint < 0 || joint >= cut->source->size.joints)
    return FF_ERROR_ARGUMENT;
  *out = cut->joints[joint];
  return FF_OK;
}
