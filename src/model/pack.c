// A model as bytes: its block, with offsets in place of pointers, behind a header that tells whether it fits here.
#include <footfall/version.h>

#include "base/block.h"
#include "base/fail.h"
#include "model/model.h"

#include <stdlib.h>

typedef struct header {
  char magic[8];
  uint64_t layout;   // of the structs in a block
  uint64_t bytes;    // of the block
  uint64_t checksum; // of the block
} header;

static const char magic[8] = "ffmodel";

// FNV-1a.
static uint64_t hash(uint64_t from, const void *data, size_t size)
{
  const unsigned char *at = data;
  for (size_t i = 0; i < size; ++i)
    from = (from ^ at[i]) * 1099511628211u;
  return from;
}

// Other versions and other machines have other structs: their sizes, the order of bytes, the version's name.
static uint64_t layout(void)
{
  const uint64_t sizes[] = {sizeof(void *),           sizeof(ff_model),         sizeof(ffi_body),
                            sizeof(ff_joint_info),    sizeof(ff_link_info),     sizeof(ffi_frame),
                            sizeof(ff_shape_info),    sizeof(ff_shape_pair),    sizeof(ff_actuator_info),
                            sizeof(ff_element_def),   sizeof(ff_tendon_info),   sizeof(ffi_posture),
                            offsetof(ff_model, size), offsetof(ff_model, bytes)};
  return hash(hash(14695981039346656037u, sizes, sizeof sizes), FF_VERSION, sizeof FF_VERSION);
}

// One way over all pointers of a block: to offsets + 1 from `base`, or back to addresses in `image`.
typedef struct walk {
  char *image;
  size_t bytes;
  const char *base; // pointers are into this block; NULL: they are offsets
  int is_bad;
} walk;

// Change a pointer; the return value is where it leads to in the image. NULL stays NULL.
static void *turn(walk *w, void *field, size_t count, size_t size)
{
  char *value;
  memcpy(&value, field, sizeof value);
  if (!value || w->is_bad)
    return NULL;
  const size_t at = w->base ? (size_t)(value - w->base) : (size_t)(uintptr_t)value - 1;
  if (at > w->bytes || count * size > w->bytes - at ||
      (size % sizeof(int) == 0 && at % sizeof(double) != 0)) {
    w->is_bad = 1;
    return NULL;
  }
  char *turned = w->base ? (char *)(uintptr_t)(at + 1) : w->image + at;
  memcpy(field, &turned, sizeof turned);
  return w->image + at;
}

static void turn_text(walk *w, void *field)
{
  const char *text = turn(w, field, 1, 1);
  if (text && !memchr(text, 0, w->bytes - (size_t)(text - w->image)))
    w->is_bad = 1;
}

static void turn_shapes(walk *w, ff_model *m)
{
  ff_shape_info *shapes = turn(w, &m->shapes, (size_t)m->size.shapes, sizeof *shapes);
  for (int i = 0; shapes && i < m->size.shapes; ++i) {
    ff_shape_def *def = &shapes[i].def;
    turn_text(w, &def->name);
    turn_text(w, &def->mesh_file);
    turn(w, &def->vertices, 3 * (size_t)def->vertex_count, sizeof(double));
    turn(w, &def->heights, (size_t)def->rows * (size_t)def->columns, sizeof(double));
  }
}

static void turn_tendons(walk *w, ff_model *m)
{
  ff_tendon_info *tendons = turn(w, &m->tendons, (size_t)m->size.tendons, sizeof *tendons);
  for (int i = 0; tendons && i < m->size.tendons; ++i) {
    turn_text(w, &tendons[i].name);
    turn(w, &tendons[i].joints, (size_t)tendons[i].count, sizeof(int));
    turn(w, &tendons[i].coefficients, (size_t)tendons[i].count, sizeof(double));
  }
}

static void turn_postures(walk *w, ff_model *m)
{
  ffi_posture *postures = turn(w, &m->postures, (size_t)m->size.postures, sizeof *postures);
  for (int i = 0; postures && i < m->size.postures; ++i) {
    turn_text(w, &postures[i].name);
    turn(w, &postures[i].q, (size_t)m->size.nq, sizeof(double));
  }
}

static void turn_warnings(walk *w, ff_model *m)
{
  const char **warnings = turn(w, &m->warnings, (size_t)m->size.warnings, sizeof *warnings);
  for (int i = 0; warnings && i < m->size.warnings; ++i)
    turn_text(w, &warnings[i]);
}

// Lists whose items have names and no other pointers.
static void turn_named(walk *w, ff_model *m)
{
  ff_joint_info *joints = turn(w, &m->joints, (size_t)m->size.joints, sizeof *joints);
  for (int i = 0; joints && i < m->size.joints; ++i)
    turn_text(w, &joints[i].name);
  ff_link_info *links = turn(w, &m->links, (size_t)m->size.links, sizeof *links);
  for (int i = 0; links && i < m->size.links; ++i) {
    turn_text(w, &links[i].name);
    turn_text(w, &links[i].joint_name);
  }
  ffi_frame *frames = turn(w, &m->frames, (size_t)m->size.frames, sizeof *frames);
  for (int i = 0; frames && i < m->size.frames; ++i)
    turn_text(w, &frames[i].name);
  ff_actuator_info *actuators = turn(w, &m->actuators, (size_t)m->size.actuators, sizeof *actuators);
  for (int i = 0; actuators && i < m->size.actuators; ++i)
    turn_text(w, &actuators[i].name);
  ff_element_def *elements = turn(w, &m->elements, (size_t)m->size.elements, sizeof *elements);
  for (int i = 0; elements && i < m->size.elements; ++i)
    turn_text(w, &elements[i].name);
}

static void turn_numbers(walk *w, ff_model *m)
{
  const size_t bodies = (size_t)m->body_count, nv = (size_t)m->size.nv;
  turn(w, &m->bodies, bodies, sizeof *m->bodies);
  turn(w, &m->lift, 4 * bodies, sizeof *m->lift);
  turn(w, &m->dof_body, nv, sizeof *m->dof_body);
  turn(w, &m->dof_parent, nv, sizeof *m->dof_parent);
  turn(w, &m->dof_depth, nv, sizeof *m->dof_depth);
  turn(w, &m->dof_row, nv + 1, sizeof *m->dof_row);
  turn(w, &m->dof_armature, nv, sizeof *m->dof_armature);
  turn(w, &m->dof_damping, nv, sizeof *m->dof_damping);
  turn(w, &m->link_carrier, (size_t)m->size.links, sizeof *m->link_carrier);
  turn(w, &m->body_holder, bodies, sizeof *m->body_holder);
  turn(w, &m->exclusions, (size_t)m->size.exclusions, sizeof *m->exclusions);
  turn(w, &m->pairs, (size_t)m->size.pairs, sizeof *m->pairs);
  turn(w, &m->shape_is_paired, (size_t)m->size.shapes, sizeof *m->shape_is_paired);
  turn(w, &m->joints_by_name, (size_t)m->size.joints, sizeof *m->joints_by_name);
  turn(w, &m->frames_by_name, (size_t)m->size.frames, sizeof *m->frames_by_name);
}

static void turn_all(walk *w)
{
  ff_model *m = (ff_model *)w->image;
  turn_text(w, &m->name);
  turn_named(w, m);
  turn_shapes(w, m);
  turn_tendons(w, m);
  turn_postures(w, m);
  turn_warnings(w, m);
  turn_numbers(w, m);
}

ff_status ff_model_pack(const ff_model *model, void **bytes, size_t *size, ff_error *error)
{
  if (bytes)
    *bytes = NULL;
  if (!model || !bytes || !size)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_model_pack", "an argument is NULL");
  // The image is aligned as the block is; then the header moves in front of it.
  char *image = aligned_alloc(FFI_BLOCK_ALIGN, FFI_BLOCK_ALIGN + model->bytes);
  if (!image)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_model_pack", "there is not enough memory");
  memset(image, 0, FFI_BLOCK_ALIGN);
  memcpy(image + FFI_BLOCK_ALIGN, model, model->bytes);
  walk w = {.image = image + FFI_BLOCK_ALIGN, .bytes = model->bytes, .base = (const char *)model};
  turn_all(&w);
  header head = {.layout = layout(), .bytes = model->bytes};
  memcpy(head.magic, magic, sizeof magic);
  head.checksum = hash(14695981039346656037u, w.image, w.bytes);
  memcpy(image, &head, sizeof head);
  *bytes = image;
  *size = FFI_BLOCK_ALIGN + model->bytes;
  return FF_OK;
}

static ff_status damaged(ff_error *error, const char *why)
{
  return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, "packed model", "%s", why);
}

ff_status ff_model_unpack(const void *bytes, size_t size, ff_model **out, ff_error *error)
{
  header head;
  if (out)
    *out = NULL;
  if (!bytes || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_model_unpack", "an argument is NULL");
  if (size < FFI_BLOCK_ALIGN)
    return damaged(error, "too short to be a model");
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic) != 0)
    return damaged(error, "it is no model that ff_model_pack() wrote");
  if (head.layout != layout())
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "packed model",
                    "another version of Footfall than " FF_VERSION " packed it, or another kind of machine");
  const char *block = (const char *)bytes + FFI_BLOCK_ALIGN;
  if (head.bytes != size - FFI_BLOCK_ALIGN || head.bytes % FFI_BLOCK_ALIGN != 0 ||
      head.bytes < sizeof(ff_model) ||
      hash(14695981039346656037u, block, (size_t)head.bytes) != head.checksum)
    return damaged(error, "it is damaged: its checksum is another");
  walk w = {.image = aligned_alloc(FFI_BLOCK_ALIGN, (size_t)head.bytes), .bytes = (size_t)head.bytes};
  if (!w.image)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_model_unpack", "there is not enough memory");
  memcpy(w.image, block, w.bytes);
  turn_all(&w);
  if (w.is_bad || ((ff_model *)w.image)->bytes != w.bytes) {
    free(w.image);
    return damaged(error, "it is damaged: a part is outside of it");
  }
  *out = (ff_model *)w.image;
  return FF_OK;
}
