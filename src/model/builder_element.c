// Elements in the builder: checks, limits from the joint, and the call that adds one.
#include "base/fail.h"
#include "base/grow.h"
#include "model/check.h"
#include "model/element_flaw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Source and subject of an error.
typedef struct subject {
  const ffi_source *source;
  const char *thing;
  ff_error *error;
} subject;

#define REFUSE(at, ...)                                                                                      \
  ffi_fail((at)->error, FF_ERROR_MODEL, (at)->source->file, (at)->source->line, (at)->thing, __VA_ARGS__)

// ---- Checks -----------------------------------------------------------------------------------------------

// Limits that are not given are the joint's own.
static void fill_limits(const ff_joint_def *joint, ff_element_def *def)
{
  if (joint->has_limits && def->lower == -(double)INFINITY && def->upper == (double)INFINITY) {
    def->lower = joint->lower;
    def->upper = joint->upper;
  }
}

// A joint has one stop.
static ff_status check_stop(const ff_builder *b, const subject *at, const char *joint, int link)
{
  for (int i = 0; i < b->element_count; ++i) {
    const ffi_build_element *other = &b->elements[i];
    if (other->def.type != FF_ELEMENT_JOINT_LIMIT || other->link != link || other->def.tendon >= 0)
      continue;
    char number[32];
    snprintf(number, sizeof number, "number %d", i);
    return REFUSE(
        at,
        "element '%.80s' is already the stop of joint '%.80s'; a joint has one stop, with a lower and an upper end",
        other->def.name ? other->def.name : number, joint);
  }
  return FF_OK;
}

// The link of a named joint; the joint has one coordinate unless its dry friction is meant.
static ff_status find_joint(const ff_builder *b, const subject *at, const ff_element_def *def,
                            const char *name, int *link)
{
  *link = ffi_names_find(&b->joint_names, name);
  if (*link < 0)
    return REFUSE(at, "there is no joint '%.80s'", name);
  const ff_joint_def *joint = &b->links[*link].def.joint;
  const int is_friction = def->type == FF_ELEMENT_JOINT_FRICTION, nv = ffi_joint_type_nv(joint->type);
  if (!is_friction && ffi_joint_type_nq(joint->type) != 1)
    return REFUSE(at, "joint '%.80s' is %s; only joints with one coordinate can have a %s", name,
                  ff_joint_type_name(joint->type), ff_element_type_name(def->type));
  if (is_friction && !(def->component >= 0 && def->component < nv))
    return REFUSE(at, "joint '%.80s' has %d velocities; component %d does not exist", name, nv,
                  def->component);
  return FF_OK;
}

// What a joint element, or one side of a coupling, acts on: a tendon, or the joint of that name.
static ff_status check_side(const ff_builder *b, const subject *at, const ff_element_def *def,
                            const char *name, int tendon, int *link)
{
  *link = FF_WORLD;
  if (tendon < 0)
    return name ? find_joint(b, at, def, name, link) : REFUSE(at, "it is on no joint and no tendon");
  if (name)
    return REFUSE(at, "it is on tendon %d and on joint '%.80s'; name one of them", tendon, name);
  return tendon < b->tendon_count ? FF_OK : REFUSE(at, "there is no tendon %d", tendon);
}

static ff_status check_joint(const ff_builder *b, const subject *at, const char *on, const char *to,
                             ffi_build_element *element)
{
  ff_element_def *def = &element->def;
  if (to)
    return REFUSE(at, "an element on a joint has one end; remove the second, '%.80s'", to);
  const ff_status status = check_side(b, at, def, on, def->tendon, &element->link);
  if (status != FF_OK || def->type != FF_ELEMENT_JOINT_LIMIT || element->link == FF_WORLD)
    return status;
  fill_limits(&b->links[element->link].def.joint, def);
  return check_stop(b, at, on, element->link);
}

static ff_status check_coupling(const ff_builder *b, const subject *at, const char *on, const char *to,
                                ffi_build_element *element)
{
  const ff_element_def *def = &element->def;
  ff_status status = check_side(b, at, def, on, def->tendon, &element->link);
  if (status == FF_OK && (to || def->leader_tendon >= 0))
    status = check_side(b, at, def, to, def->leader_tendon, &element->leader);
  if (status == FF_OK && element->link != FF_WORLD && element->link == element->leader)
    return REFUSE(at, "joint '%.80s' cannot follow itself", on);
  if (status == FF_OK && def->tendon >= 0 && def->tendon == def->leader_tendon)
    return REFUSE(at, "a tendon cannot follow itself");
  return status;
}

// The rigid body of an end: the first link of those that are fixed to each other.
static int rigid_of(const ff_builder *b, int end)
{
  const int link = end >= FFI_FIRST_FRAME ? b->frames[end - FFI_FIRST_FRAME].link : end;
  return link == FF_WORLD ? FF_WORLD : b->links[link].rigid;
}

static ff_status check_ends(const ff_builder *b, const subject *at, const char *on, const char *to,
                            ffi_build_element *element)
{
  const char *names[2] = {on ? on : "world", to ? to : "world"};
  for (int i = 0; i < 2; ++i) {
    const int is_world = strcmp(names[i], "world") == 0;
    element->ends[i] = is_world ? FF_WORLD : ffi_names_find(&b->frame_names, names[i]);
    if (!is_world && element->ends[i] < 0)
      return REFUSE(at, "there is no link or frame '%.80s'", names[i]);
  }
  if (rigid_of(b, element->ends[0]) == rigid_of(b, element->ends[1]))
    return REFUSE(at, "its ends are on '%.80s' and '%.80s', which do not move against each other", names[0],
                  names[1]);
  return FF_OK;
}

static ff_status check_element(const ff_builder *b, const subject *at, const char *on, const char *to,
                               ffi_build_element *element)
{
  const ff_element_def *def = &element->def;
  ff_status status;
  if (def->name && ffi_names_find(&b->element_names, def->name) >= 0)
    return REFUSE(at, "there is already an element of this name");
  switch (def->type) {
  case FF_ELEMENT_JOINT_PD:
  case FF_ELEMENT_JOINT_LIMIT:
  case FF_ELEMENT_JOINT_FRICTION: status = check_joint(b, at, on, to, element); break;
  case FF_ELEMENT_COUPLING: status = check_coupling(b, at, on, to, element); break;
  case FF_ELEMENT_POINT:
  case FF_ELEMENT_WELD:
  case FF_ELEMENT_HINGE:
  case FF_ELEMENT_SLIDER:
  case FF_ELEMENT_PLANAR: status = check_ends(b, at, on, to, element); break;
  default:
    return ffi_fail(at->error, FF_ERROR_ARGUMENT, at->source->file, at->source->line, at->thing,
                    "there is no element type %d", (int)def->type);
  }
  const ffi_element_flaw flaw = ffi_element_flaw_find(def);
  return status != FF_OK || !flaw.text[0] ? status : REFUSE(at, "%s", flaw.text);
}

// ---- The builder's call -----------------------------------------------------------------------------------

// Room for one more, and a copy of its name.
static int reserve(ff_builder *b, ff_element_def *def)
{
  void *items = ffi_grow(b->elements, b->element_count, &b->element_capacity, sizeof *b->elements);
  if (items)
    b->elements = items;
  if (!items || !ffi_names_reserve(&b->element_names))
    return 0;
  return !def->name || (def->name = ffi_arena_string(&b->arena, def->name));
}

ff_status ff_builder_add_element(ff_builder *builder, const ff_element_def *def, const char *on,
                                 const char *to, ff_error *error)
{
  if (!builder || !def)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_builder_add_element", "an argument is NULL");
  ff_builder *b = builder;
  ffi_build_element element = {
      .def = *def, .link = FF_WORLD, .leader = FF_WORLD, .ends = {FF_WORLD, FF_WORLD}};
  const ffi_check_label thing = ffi_check_make_label("element", def->name);
  const subject at = {&b->source, thing.text, error};
  ff_status status = def->name ? ffi_check_name(b, "element", def->name, error) : FF_OK;
  if (status == FF_OK)
    status = check_element(b, &at, on, to, &element);
  if (status != FF_OK)
    return status;
  if (b->element_count >= FF_MAX_LINKS)
    return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, "",
                    "there are more than %d elements", (int)FF_MAX_LINKS);
  if (!reserve(b, &element.def))
    return ffi_fail(error, FF_ERROR_MEMORY, b->source.file, b->source.line, "", "there is not enough memory");
  if (element.def.name)
    ffi_names_put(&b->element_names, element.def.name, b->element_count);
  b->elements[b->element_count++] = element;
  return FF_OK;
}
