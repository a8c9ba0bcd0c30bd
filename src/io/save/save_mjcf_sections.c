// The sections of an MJCF around the bodies: meshes before them, sites in them, loops, actuators and keyframes after
// them.
#include "io/save/save.h"

#include <footfall/builder.h>
#include <footfall/files.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Meshes ---------------------------------------------------------------------------------------------------------

// Is a hull that of a file that MuJoCo reads? Else it is given by its corners.
static int is_of_file(const ff_shape_def *shape)
{
  const char *dot = shape->mesh_file ? strrchr(shape->mesh_file, '.') : NULL;
  return dot && (strcmp(dot, ".stl") == 0 || strcmp(dot, ".obj") == 0 || strcmp(dot, ".STL") == 0);
}

static void put_mesh(ffi_save *s, int id, const ff_shape_def *shape)
{
  char name[32];
  snprintf(name, sizeof name, "mesh%d", id);
  fputs("    <mesh", s->out);
  ffi_save_text(s, "name", name);
  if (shape->type == FF_SHAPE_HULL && !is_of_file(shape)) {
    ffi_save_numbers(s, "vertex", shape->vertices, 3 * shape->vertex_count);
  } else {
    char *file = ff_path_between(s->path, shape->mesh_file);
    ffi_save_text(s, "file", file ? file : shape->mesh_file);
    ffi_save_numbers(s, "scale", shape->scale, 3);
    free(file);
  }
  fputs("/>\n", s->out);
}

void ffi_save_mjcf_sections_meshes(ffi_save *s)
{
  ff_shape_info shape;
  int count = 0;
  for (int i = 0; ff_model_shape(s->model, i, &shape) == FF_OK; ++i) {
    if (shape.def.type != FF_SHAPE_HULL && shape.def.type != FF_SHAPE_MESH)
      continue;
    if (count++ == 0)
      fputs("  <asset>\n", s->out);
    put_mesh(s, i, &shape.def);
  }
  if (count > 0)
    fputs("  </asset>\n", s->out);
}

// ---- Sites and loops ------------------------------------------------------------------------------------------------

static void put_site(ffi_save *s, const char *name, const ff_pose *pose)
{
  const double *q = pose->quaternion, wxyz[4] = {q[3], q[0], q[1], q[2]};
  fputs("      <site", s->out);
  ffi_save_text(s, "name", name);
  ffi_save_numbers(s, "pos", pose->position, 3);
  ffi_save_numbers(s, "quat", wxyz, 4);
  fputs("/>\n", s->out);
}

static int is_loop(const ff_element_def *e)
{
  return (e->type == FF_ELEMENT_POINT || e->type == FF_ELEMENT_WELD) && !e->is_rigid && e->stiffness > 0;
}

static void name_end(int element, char end, char name[32])
{
  snprintf(name, 32, "loop%d:%c", element, end);
}

static void put_end(ffi_save *s, int link, int element, char end, const ff_point *point)
{
  ff_frame_info frame;
  char name[32];
  ff_model_frame(s->model, point->frame, &frame);
  if (frame.link != link)
    return;
  ff_pose at = ffi_save_frame(s, point->frame), offset = ff_pose_identity();
  memcpy(offset.position, point->offset, sizeof offset.position);
  at = ff_pose_compose(&at, &offset);
  name_end(element, end, name);
  put_site(s, name, &at);
}

static void name_seat(int actuator, char name[32])
{
  snprintf(name, 32, "seat:%d", actuator);
}

// Sites for motors that push a link's own frame.
static void put_seats(ffi_save *s, int link)
{
  ff_actuator_info a;
  ff_frame_info frame;
  for (int i = 0; ff_model_actuator(s->model, i, &a) == FF_OK; ++i) {
    char name[32];
    if (ff_model_frame(s->model, a.frame, &frame) != FF_OK || frame.link != link ||
        ffi_save_is_frame(s, a.frame))
      continue;
    const ff_pose pose = ffi_save_frame(s, a.frame);
    name_seat(i, name);
    put_site(s, name, &pose);
  }
}

void ffi_save_mjcf_sections_sites(ffi_save *s, int link)
{
  ff_element_def element;
  for (int i = 0; i < s->size.frames; ++i) {
    ff_frame_info frame;
    ff_model_frame(s->model, i, &frame);
    if (frame.link != link || !ffi_save_is_frame(s, i))
      continue;
    const ff_pose pose = ffi_save_frame(s, i);
    put_site(s, frame.name, &pose);
  }
  for (int i = 0; ff_model_element(s->model, i, &element) == FF_OK; ++i) {
    if (!is_loop(&element))
      continue;
    put_end(s, link, i, 'a', &element.a);
    put_end(s, link, i, 'b', &element.b);
  }
  put_seats(s, link);
}

static void put_loop(ffi_save *s, int id, const ff_element_def *e)
{
  const double solref[2] = {-e->stiffness, -e->damping}, scale = sqrt(e->angular_stiffness / e->stiffness);
  const int is_weld = e->type == FF_ELEMENT_WELD;
  char a[32], b[32];
  name_end(id, 'a', a);
  name_end(id, 'b', b);
  fprintf(s->out, "    <%s", is_weld ? "weld" : "connect");
  ffi_save_text(s, "name", e->name && *e->name ? e->name : NULL);
  ffi_save_text(s, "site1", a);
  ffi_save_text(s, "site2", b);
  ffi_save_numbers(s, "solref", solref, 2);
  if (is_weld)
    ffi_save_number(s, "torquescale", scale);
  fputs("/>\n", s->out);
  if (is_weld && fabs(e->angular_damping - scale * scale * e->damping) > 1e-12 * e->angular_damping)
    ffi_save_note(s, "weld '%s': its angular damping is in proportion to its stiffness in MJCF",
                  e->name ? e->name : "");
}

static void put_equality(ffi_save *s)
{
  ff_element_def e;
  int count = 0;
  for (int i = 0; ff_model_element(s->model, i, &e) == FF_OK; ++i) {
    const int is_coupling = e.type == FF_ELEMENT_COUPLING && e.stiffness == 0 && e.damping == 0;
    if (ff_element_type_is_joint(e.type) && e.tendon >= 0)
      continue; // with its tendon
    if (!is_loop(&e) && !is_coupling) {
      ffi_save_note(s, "element '%s' of type %s is left out; MJCF cannot express it", e.name ? e.name : "",
                    ff_element_type_name(e.type));
      continue;
    }
    if (count++ == 0)
      fputs("  <equality>\n", s->out);
    if (is_coupling)
      ffi_save_mjcf_tendons_coupling(s, &e);
    else
      put_loop(s, i, &e);
  }
  if (count > 0)
    fputs("  </equality>\n", s->out);
}

// ---- Actuators ------------------------------------------------------------------------------------------------------

static void put_range(ffi_save *s, const char *name, const double range[2], double gear)
{
  const double a = fmax(range[0], -1e10) / gear, b = fmin(range[1], 1e10) / gear;
  const double bounds[2] = {fmin(a, b), fmax(a, b)};
  if (!isinf(range[0]) || !isinf(range[1]))
    ffi_save_numbers(s, name, bounds, 2);
}

// A motor on a frame: on its site, of which links have none of their own.
static void put_pushed(ffi_save *s, const ff_actuator_info *a, int id)
{
  char name[32];
  ff_frame_info frame;
  ff_model_frame(s->model, a->frame, &frame);
  name_seat(id, name);
  ffi_save_text(s, "site", ffi_save_is_frame(s, a->frame) ? frame.name : name);
  ffi_save_numbers(s, "gear", a->wrench, 6);
}

// <position> had no kv before MuJoCo 2.3.4, so one with damping is written in the general form, which all versions
// read.
static void put_actuator(ffi_save *s, int id, const ff_actuator_info *a)
{
  const double bias[3] = {0, -a->kp, -a->kv};
  const int is_damped = a->type == FF_ACTUATOR_POSITION && a->kv != 0;
  ff_joint_info joint;
  ff_tendon_info tendon;
  fprintf(s->out, "    <%s",
          is_damped                         ? "general"
          : a->type == FF_ACTUATOR_POSITION ? "position"
          : a->type == FF_ACTUATOR_VELOCITY ? "velocity"
                                            : "motor");
  ffi_save_text(s, "name", a->name && *a->name ? a->name : NULL);
  if (ff_model_tendon(s->model, a->tendon, &tendon) == FF_OK)
    ffi_save_text(s, "tendon", tendon.name);
  else if (a->frame >= 0)
    put_pushed(s, a, id);
  else if (ff_model_joint(s->model, a->joint, &joint) == FF_OK)
    ffi_save_text(s, "joint", joint.name);
  if (a->frame < 0)
    ffi_save_unless(s, "gear", a->gear, 1);
  if (is_damped) {
    ffi_save_text(s, "biastype", "affine");
    ffi_save_number(s, "gainprm", a->kp);
    ffi_save_numbers(s, "biasprm", bias, 3);
  } else if (a->type == FF_ACTUATOR_POSITION) {
    ffi_save_number(s, "kp", a->kp);
  } else if (a->type == FF_ACTUATOR_VELOCITY) {
    ffi_save_number(s, "kv", a->kv);
  }
  put_range(s, "ctrlrange", a->control_range, 1);
  if (a->gear != 0)
    put_range(s, "forcerange", a->force_range, a->gear);
  fputs("/>\n", s->out);
}

static void put_actuators(ffi_save *s)
{
  ff_actuator_info a;
  if (s->size.actuators == 0)
    return;
  fputs("  <actuator>\n", s->out);
  for (int i = 0; ff_model_actuator(s->model, i, &a) == FF_OK; ++i)
    put_actuator(s, i, &a);
  fputs("  </actuator>\n", s->out);
}

// ---- Keyframes ------------------------------------------------------------------------------------------------------

// Joints in the order in which their bodies are written. Quaternions are w x y z.
static int put_qpos(double *out, const ff_joint_info *joint, const double *q)
{
  const int is_free = joint->type == FF_JOINT_FREE, has_turn = is_free || joint->type == FF_JOINT_SPHERICAL;
  memcpy(out, q + joint->q, (size_t)joint->nq * sizeof *q);
  if (has_turn) {
    const double *x = q + joint->q + (is_free ? 3 : 0), wxyz[4] = {x[3], x[0], x[1], x[2]};
    memcpy(out + (is_free ? 3 : 0), wxyz, sizeof wxyz);
  }
  return joint->nq;
}

static void put_key(ffi_save *s, int posture, double *qpos)
{
  const double *q = ff_model_posture(s->model, posture);
  ff_link_info link;
  ff_joint_info joint;
  int count = 0;
  for (int i = ffi_save_next_link(s, -1); i >= 0; i = ffi_save_next_link(s, i)) {
    ff_model_link(s->model, i, &link);
    if (link.joint_type == FF_JOINT_FIXED)
      continue;
    ff_model_joint(s->model, link.joint, &joint);
    count += put_qpos(qpos + count, &joint, q);
  }
  fputs("    <key", s->out);
  ffi_save_text(s, "name", ff_model_posture_name(s->model, posture));
  ffi_save_numbers(s, "qpos", qpos, count);
  fputs("/>\n", s->out);
}

static void put_keyframes(ffi_save *s)
{
  double *qpos = malloc(((size_t)s->size.nq + 7) * sizeof *qpos);
  if (s->size.postures > 0 && qpos) {
    fputs("  <keyframe>\n", s->out);
    for (int i = 0; i < s->size.postures; ++i)
      put_key(s, i, qpos);
    fputs("  </keyframe>\n", s->out);
  } else if (s->size.postures > 0) {
    ffi_save_note(s, "postures are left out: not enough memory");
  }
  free(qpos);
}

void ffi_save_mjcf_sections(ffi_save *s)
{
  ffi_save_mjcf_tendons(s);
  put_equality(s);
  put_actuators(s);
  put_keyframes(s);
}
