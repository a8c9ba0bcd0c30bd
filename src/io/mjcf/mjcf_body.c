// <worldbody> of MJCF: bodies, frames and what they contain, in document order.
#include "io/mjcf/mjcf.h"

#include "base/grow.h"
#include "math/mat3.h"

#include <string.h>

static const ffi_mjcf_word body_words[] = {
    {"name", FFI_MJCF_READ, NULL},     {"childclass", FFI_MJCF_READ, NULL}, {"pos", FFI_MJCF_READ, NULL},
    {"quat", FFI_MJCF_READ, NULL},     {"axisangle", FFI_MJCF_READ, NULL},  {"xyaxes", FFI_MJCF_READ, NULL},
    {"zaxis", FFI_MJCF_READ, NULL},    {"euler", FFI_MJCF_READ, NULL},      {"mocap", FFI_MJCF_READ, NULL},
    {"gravcomp", FFI_MJCF_READ, NULL}, {"sleep", FFI_MJCF_SETTING, NULL},   {"user", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

static const ffi_mjcf_word frame_words[] = {
    {"name", FFI_MJCF_QUIET, NULL}, {"childclass", FFI_MJCF_READ, NULL}, {"pos", FFI_MJCF_READ, NULL},
    {"quat", FFI_MJCF_READ, NULL},  {"axisangle", FFI_MJCF_READ, NULL},  {"xyaxes", FFI_MJCF_READ, NULL},
    {"zaxis", FFI_MJCF_READ, NULL}, {"euler", FFI_MJCF_READ, NULL},      {NULL, FFI_MJCF_READ, NULL},
};

// ---- What a body or a frame contains ------------------------------------------------------------------------

// A place in the tree while walking it.
typedef struct spot {
  int body;
  int class_id;  // what elements start from
  int is_framed; // inside a <frame> of the body
  ff_pose frame; // in the body
} spot;

static void read_frame_pose(ffi_mjcf *m, const xmlNode *node, const spot *outer, spot *inner)
{
  ff_pose pose = ff_pose_identity();
  ffi_mjcf_value_pose(m, node, &pose);
  *inner = *outer;
  inner->is_framed = 1;
  inner->frame = ff_pose_compose(&outer->frame, &pose);
  inner->class_id = ffi_mjcf_class_of(m, node, "childclass", outer->class_id);
}

static void refuse(ffi_mjcf *m, const xmlNode *node)
{
  static const char *const makers[] = {"composite", "flexcomp", NULL};
  for (int i = 0; makers[i]; ++i) {
    if (ffi_xml_is(node, makers[i])) {
      ffi_mjcf_fail(
          m, FF_ERROR_UNSUPPORTED, node,
          "makes bodies that this reader does not make: save the compiled model from MuJoCo and load that");
      return;
    }
  }
  ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <%s>", (const char *)node->parent->name);
}

static void read_contents(ffi_mjcf *m, const xmlNode *parent, const spot *at);

// Joints and inertials say how the body itself moves: the world has none, and a <frame> is no body.
static void read_motion(ffi_mjcf *m, const xmlNode *node, const spot *at)
{
  if (at->body == 0)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the world cannot have one: put it into a <body>");
  else if (at->is_framed)
    ffi_mjcf_fail(m, FF_ERROR_UNSUPPORTED, node,
                  "inside a <frame> is not supported: put it directly into the body");
  else if (ffi_xml_is(node, "inertial"))
    ffi_mjcf_inertia_read(m, node, at->body);
  else
    ffi_mjcf_joint_read(m, node, at->body, at->class_id);
}

static void read_content(ffi_mjcf *m, const xmlNode *node, const spot *at)
{
  if (ffi_xml_is(node, "geom")) {
    ffi_mjcf_geom_read(m, node, at->body, at->class_id, &at->frame);
  } else if (ffi_xml_is(node, "joint") || ffi_xml_is(node, "freejoint") || ffi_xml_is(node, "inertial")) {
    read_motion(m, node, at);
  } else if (ffi_xml_is(node, "site")) {
    ffi_mjcf_site_read(m, node, at->body, at->class_id, &at->frame);
  } else if (ffi_xml_is(node, "camera") || ffi_xml_is(node, "light")) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_LOOKS, "<%s>", (const char *)node->name);
  } else if (ffi_xml_is(node, "plugin")) {
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "<plugin>");
  } else if (ffi_xml_is(node, "frame")) {
    spot inner;
    ffi_mjcf_ignored_check(m, node, frame_words);
    read_frame_pose(m, node, at, &inner);
    read_contents(m, node, &inner);
  } else if (!ffi_xml_is(node, "body")) {
    refuse(m, node);
  }
}

// All but the bodies inside.
static void read_contents(ffi_mjcf *m, const xmlNode *parent, const spot *at)
{
  if (ffi_mjcf_include_enter(m, parent)) {
    const xmlNode *node = ffi_mjcf_include_child(m, parent);
    for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node))
      read_content(m, node, at);
  }
  ffi_mjcf_include_leave(m);
}

// ---- Bodies -------------------------------------------------------------------------------------------------

static int add_body(ffi_mjcf *m, const xmlNode *node, int parent)
{
  if (m->body_count > FF_MAX_LINKS)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d bodies", FF_MAX_LINKS);
  if (ffi_mjcf_failed(m))
    return 0;
  ffi_mjcf_body *grown = ffi_grow(m->bodies, m->body_count, &m->body_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return 0;
  }
  m->bodies = grown;
  m->bodies[m->body_count] = (ffi_mjcf_body){.node = node,
                                             .name = ffi_mjcf_value_text(node, "name"),
                                             .parent = parent,
                                             .pose = ff_pose_identity(),
                                             .world = ff_pose_identity(),
                                             .first_joint = m->joint_count,
                                             .first_geom = m->geom_count,
                                             .link = FF_WORLD};
  return m->body_count++;
}

static void read_bodies(ffi_mjcf *m, const xmlNode *parent, const spot *at);

static void read_body(ffi_mjcf *m, const xmlNode *node, const spot *outer)
{
  const int id = add_body(m, node, outer->body);
  if (!id)
    return;
  ff_pose pose = ff_pose_identity();
  spot at = {.body = id, .class_id = ffi_mjcf_class_of(m, node, "childclass", outer->class_id)};
  at.frame = ff_pose_identity();
  ffi_mjcf_ignored_check(m, node, body_words);
  int is_mocap = 0;
  ffi_mjcf_value_number(m, node, "gravcomp", &m->bodies[id].gravcomp);
  ffi_mjcf_value_flag(m, node, "mocap", &is_mocap);
  if (is_mocap)
    ffi_mjcf_ignored_add(m, node, FFI_MJCF_PHYSICS, "attribute 'mocap' of <body>");
  ffi_mjcf_name_remember(m, &m->body_names, node, m->bodies[id].name, id);
  ffi_mjcf_value_pose(m, node, &pose);
  m->bodies[id].pose = ff_pose_compose(&outer->frame, &pose);
  m->bodies[id].world = ff_pose_compose(&m->bodies[outer->body].world, &m->bodies[id].pose);
  read_contents(m, node, &at);
  m->bodies[id].moves = m->bodies[outer->body].moves || m->bodies[id].joint_count > 0;
  read_bodies(m, node, &at);
}

static void read_bodies(ffi_mjcf *m, const xmlNode *parent, const spot *at)
{
  if (ffi_mjcf_include_enter(m, parent)) {
    const xmlNode *node = ffi_mjcf_include_child(m, parent);
    for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
      spot inner;
      if (ffi_xml_is(node, "frame")) {
        read_frame_pose(m, node, at, &inner);
        read_bodies(m, node, &inner);
      } else if (ffi_xml_is(node, "body")) {
        read_body(m, node, at);
      }
    }
  }
  ffi_mjcf_include_leave(m);
}

void ffi_mjcf_body_read_world(ffi_mjcf *m, const xmlNode *section)
{
  spot at = {.body = 0, .class_id = ffi_mjcf_class_of(m, section, "childclass", 0)};
  at.frame = ff_pose_identity();
  if (!m->body_count)
    add_body(m, section, 0);
  if (ffi_mjcf_failed(m))
    return;
  read_contents(m, section, &at);
  read_bodies(m, section, &at);
}
