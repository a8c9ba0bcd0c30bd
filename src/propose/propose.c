// A scene for a robot: from a model's path to a proposal.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // strdup
#endif

#include "propose/propose.h"

#include "base/def.h"
#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ff_proposal_def defaults = {.size = sizeof defaults};
static const ffi_def_kind kind = {"ff_proposal_def", sizeof defaults, &defaults};

void ff_proposal_def_init(ff_proposal_def *def, size_t size)
{
  ffi_def_init(def, size, &kind);
}

ff_status ffi_propose_no_memory(const ffi_propose *p, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, p->path, 0, NULL, "no memory to find a scene for it");
}

// ---- Names ----------------------------------------------------------------------------------------------------------

// PATH with another ending, in its own folder or in the working folder.
static char *with_ending(const char *path, int keeps_folder, const char *ending)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const char *from = keeps_folder ? path : name;
  const size_t length = dot && dot != name ? (size_t)(dot - from) : strlen(from);
  char *out = malloc(length + strlen(ending) + 1);
  if (!out)
    return NULL;
  memcpy(out, from, length);
  strcpy(out + length, ending);
  return out;
}

// Bytes of the UTF-8 character that starts here, 0 if these are none, with its number.
static int decode(const unsigned char *text, unsigned *c)
{
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000}; // what needs that many bytes
  const unsigned first = text[0];
  const int length = first < 0x80   ? 1
                     : first < 0xc0 ? 0
                     : first < 0xe0 ? 2
                     : first < 0xf0 ? 3
                     : first < 0xf8 ? 4
                                    : 0;
  *c = length > 1 ? first & (0x7fu >> length) : first;
  for (int i = 1; i < length; ++i) {
    if ((text[i] & 0xc0u) != 0x80) // the end of the text too
      return 0;
    *c = *c << 6 | (text[i] & 0x3fu);
  }
  return *c < least[length] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? 0 : length;
}

// A name that YAML can hold: UTF-8 without control characters, line separators, and what turns the direction
// of writing around.
static ff_status check_name(const char *path, ff_error *error)
{
  for (const unsigned char *at = (const unsigned char *)path; *at;) {
    unsigned c = 0;
    const int length = decode(at, &c);
    const int is_wild =
        c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    if (length == 0 || is_wild)
      return ffi_fail(error, FF_ERROR_ARGUMENT, path, 0, NULL,
                      "its name holds bytes that a scene cannot name");
    at += length;
  }
  return FF_OK;
}

// ---- What is asked for ----------------------------------------------------------------------------------------------

static ff_status take_def(ffi_propose *p, const char *model, const ff_proposal_def *def, ff_error *error)
{
  ff_status status = ffi_def_take(def, &kind, &p->def, error);
  if (status != FF_OK)
    return status;
  const ff_load_def usual = ff_load_def_default();
  const ffi_def_kind load_kind = {"ff_load_def", sizeof usual, &usual};
  status = ffi_def_take(p->def.load, &load_kind, &p->load, error);
  if (status != FF_OK)
    return status;
  if (p->load.contact_point_count || p->load.keep || p->load.from)
    return ffi_fail(error, FF_ERROR_ARGUMENT, model, 0, "load",
                    "contact points and files must be as by default: they are found here");
  while (p->load.mesh_paths && p->load.mesh_paths[p->mesh_path_count])
    ++p->mesh_path_count;
  p->path = strdup(model);
  p->scene = p->def.scene ? strdup(p->def.scene) : with_ending(model, 0, ".yaml");
  p->files = ff_files_create();
  return p->path && p->scene && p->files ? FF_OK : ffi_propose_no_memory(p, error);
}

static ff_status find_posture(ffi_propose *p, ff_error *error)
{
  const char *name = p->def.posture;
  const int count = ff_model_get_size(p->model).postures;
  ff_nearest nearest = {.word = name};
  p->asked_posture = name ? ff_model_find_posture(p->model, name) : -1;
  if (!name || p->asked_posture >= 0)
    return FF_OK;
  for (int i = 0; i < count; ++i)
    ff_nearest_try(&nearest, ff_model_posture_name(p->model, i));
  if (nearest.meant)
    return ffi_fail(error, FF_ERROR_ARGUMENT, p->path, 0, "posture", "there is no '%s'; did you mean '%s'?",
                    name, nearest.meant);
  return ffi_fail(error, FF_ERROR_ARGUMENT, p->path, 0, "posture", "there is no '%s' among its %d", name,
                  count);
}

// Default stiffness of the ground grows with the weight of the robot: it gives way by at most 1 cm, with the same time
// constant.
static void stiffen(const ff_model *model, ff_material *m)
{
  const ff_material usual = ff_material_default();
  double g[3];
  ff_model_gravity(model, g);
  const double weight = ff_model_mass(model) * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  const double times = ceil(weight / (0.01 * usual.stiffness));
  if (m->stiffness != usual.stiffness || m->damping != usual.damping || !(times > 1))
    return;
  m->stiffness *= times;
  m->damping *= times;
}

// How the scene names what it reads.
static ff_status name_files(ffi_propose *p, ff_error *error)
{
  p->model_name = ff_path_between(p->scene, p->path);
  p->log = with_ending(p->scene, 1, ".h5");
  p->mesh_names = calloc((size_t)p->mesh_path_count + 1, sizeof *p->mesh_names);
  if (p->load.srdf)
    p->srdf_name = ff_path_between(p->scene, p->load.srdf);
  int is_short = !p->model_name || !p->log || !p->mesh_names || (p->load.srdf && !p->srdf_name);
  for (int i = 0; !is_short && i < p->mesh_path_count; ++i) {
    p->mesh_names[i] = ff_path_between(p->scene, p->load.mesh_paths[i]);
    is_short = !p->mesh_names[i];
  }
  return is_short ? ffi_propose_no_memory(p, error) : FF_OK;
}

// The parts that do not depend on the start.
static ff_status prepare(ffi_propose *p, ff_error *error)
{
  ff_proposal *r = &p->result;
  ff_error why;
  const ff_status status = ff_dynamics_create(p->model, NULL, &p->dynamics, &why);
  if (status != FF_OK)
    return ffi_fail(error, status, p->path, 0, NULL, "%s", why.message);
  for (int j = 0; j < ff_model_get_size(p->model).joints; ++j)
    r->servo_count += ff_model_drive(p->model, j) == FF_DRIVE_SERVO;
  r->has_material = !ff_model_has_ground(p->model) && ff_model_common_material(p->model, &r->material);
  if (r->has_material)
    stiffen(p->model, &r->material);
  return FF_OK;
}

// ---- What comes of it -----------------------------------------------------------------------------------------------

static void finish(ffi_propose *p)
{
  ff_proposal *r = &p->result;
  r->text = p->text;
  r->scene = p->scene;
  r->model_name = p->model_name;
  r->log = p->log;
  r->model = p->model;
  r->mimic = p->load.mimic;
  r->points = p->points;
  r->q = p->q;
  r->motors = p->motors;
  r->feet = p->feet;
  r->stands_on = p->stands_on;
  r->expects_moved = r->is_stable && r->base >= 0 ? p->stray : (double)NAN;
  p->def = (ff_proposal_def){0}; // the caller's
  p->load = (ff_load_def){0};
  ff_files_destroy(p->files);
  p->files = NULL;
}

static ff_status make(ffi_propose *p, ff_error *error)
{
  ff_status status = ffi_propose_model_load(p, error);
  if (status == FF_OK)
    status = ffi_propose_base_decide(p, error);
  if (status == FF_OK)
    status = check_name(p->scene, error);
  if (status == FF_OK)
    status = check_name(p->path, error);
  if (status == FF_OK)
    status = find_posture(p, error);
  if (status == FF_OK)
    status = name_files(p, error);
  if (status == FF_OK)
    status = prepare(p, error);
  if (status == FF_OK)
    status = ffi_propose_search(p, error);
  if (status == FF_OK)
    status = ffi_propose_text(p, error); // it says what the last try found
  return status == FF_OK ? ffi_propose_try_expectations(p, error) : status;
}

ff_status ff_scene_propose(const char *model, const ff_proposal_def *def, ff_proposal **out, ff_error *error)
{
  if (!model || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_propose", "an argument is NULL");
  *out = NULL;
  ffi_propose *p = calloc(1, sizeof *p);
  if (!p)
    return ffi_fail(error, FF_ERROR_MEMORY, model, 0, NULL, "no memory to find a scene for it");
  p->result.base = p->result.posture = -1;
  ff_status status = take_def(p, model, def, error);
  if (status == FF_OK)
    status = make(p, error);
  if (status != FF_OK) {
    ff_proposal_destroy(&p->result);
    return status;
  }
  finish(p);
  *out = &p->result;
  return FF_OK;
}

void ff_proposal_destroy(ff_proposal *proposal)
{
  ffi_propose *p = (ffi_propose *)proposal; // its first member
  if (!p)
    return;
  ff_dynamics_destroy(p->dynamics);
  ff_files_destroy(p->files);
  ff_model_destroy(p->model);
  for (int i = 0; p->mesh_names && i < p->mesh_path_count; ++i)
    free(p->mesh_names[i]);
  free(p->mesh_names);
  free(p->path);
  free(p->text);
  free(p->scene);
  free(p->srdf_name);
  free(p->model_name);
  free(p->log);
  free(p->points);
  free(p->motors);
  free(p->q);
  free(p->end);
  free(p);
}
