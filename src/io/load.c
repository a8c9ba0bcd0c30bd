// Robots from files: the root element decides whether it is URDF or MJCF.
#include "io/load.h"
#include "base/def.h"
#include "base/fail.h"
#include "io/file/files.h"
#include "io/mjcf/mjcf.h"
#include "io/urdf/urdf.h"
#include "io/xml/xml.h"

#include <footfall/load.h>

#include <stdlib.h>
#include <string.h>

static const ff_load_def defaults = {.size = sizeof defaults, .fixed_base = 0, .mimic = FF_MIMIC_COUPLE};
static const ffi_def_kind kind = {"ff_load_def", sizeof defaults, &defaults};

void ff_load_def_init(ff_load_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

ff_status ffi_load_def_take(const ff_load_def *def, ff_load_def *out, ff_error *error)
{
  return ffi_def_take(def, &kind, out, error);
}

// The reader that the root element asks for.
static ff_status dispatch(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error)
{
  const xmlNode *root = xmlDocGetRootElement(xml->doc);
  if (ffi_xml_is(root, "robot"))
    return ffi_urdf_read(xml, def, out, error);
  if (ffi_xml_is(root, "mujoco") && def->srdf && *def->srdf)
    return ffi_xml_fail(xml, FF_ERROR_ARGUMENT, root,
                        "an SRDF belongs to a URDF; in MJCF <contact> and <keyframe> say what it says");
  if (ffi_xml_is(root, "mujoco"))
    return ffi_mjcf_read(xml, def, out, error);
  return ffi_xml_fail(xml, FF_ERROR_UNSUPPORTED, root,
                      "neither URDF nor MJCF: the root element must be <robot> or <mujoco>");
}

// Errors of the builder about the whole model name no file: add it.
static void add_file(ff_error *error, const char *name)
{
  if (!error || error->file[0])
    return;
  const ff_error old = *error;
  ffi_fail(error, old.status, name, 0, NULL, "%s", old.message);
  memcpy(error->thing, old.thing, sizeof old.thing);
}

static ff_status keep_memory(const char *name, const char *text, size_t length, ff_files *keep,
                             ff_error *error)
{
  const ff_file file = {.kind = FF_FILE_MODEL, .name = name, .path = name, .data = text, .size = length};
  return keep ? ff_files_add(keep, &file, error) : FF_OK;
}

static ff_status load(const char *name, const char *text, size_t length, const ff_load_def *def,
                      ff_model **out, ff_error *error)
{
  ff_load_def given;
  const int is_memory = text != NULL;
  char *own = NULL;
  ff_model *model = NULL;
  ffi_xml xml = {0};
  ff_status status = ffi_load_def_take(def, &given, error);
  if (status != FF_OK)
    return status;
  const ffi_files_request request = {given.keep, given.from, FF_FILE_MODEL, given.from ? NULL : name, name};
  if (given.mimic < FF_MIMIC_REFUSE || given.mimic > FF_MIMIC_COUPLE)
    return ffi_fail(error, FF_ERROR_ARGUMENT, name, 0, NULL, "there is no mimic policy %d", (int)given.mimic);
  if (given.contact_parameters < FF_CONTACT_PARAMETERS_STATED ||
      given.contact_parameters > FF_CONTACT_PARAMETERS_FOOTFALL)
    return ffi_fail(error, FF_ERROR_ARGUMENT, name, 0, NULL, "there are no contact parameters %d",
                    (int)given.contact_parameters);
  if (given.massless < FF_MASSLESS_LEAST || given.massless > FF_MASSLESS_REFUSE)
    return ffi_fail(error, FF_ERROR_ARGUMENT, name, 0, NULL, "there is no policy %d for massless links",
                    (int)given.massless);
  status = is_memory ? keep_memory(name, text, length, given.keep, error)
                     : ffi_files_read(&request, &own, &length, error);
  if (status == FF_OK)
    status = ffi_xml_open(name, is_memory ? text : own, length, error, &xml);
  free(own);
  xml.is_memory = is_memory;
  if (status == FF_OK)
    status = dispatch(&xml, &given, &model, error);
  ffi_xml_close(&xml);
  if (status == FF_OK)
    *out = model;
  else
    add_file(error, name);
  return status;
}

ff_status ff_model_load(const char *path, const ff_load_def *def, ff_model **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!path || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_model_load", "an argument is NULL");
  return load(path, NULL, 0, def, out, error);
}

ff_status ff_model_load_memory(const char *text, size_t length, const char *name, const ff_load_def *def,
                               ff_model **out, ff_error *error)
{
  if (out)
    *out = NULL;
  if (!text || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_model_load_memory", "an argument is NULL");
  return load(name ? name : "memory", text, length, def, out, error);
}
