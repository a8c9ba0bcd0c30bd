// <footfall> in URDF, our own element: points, frames, postures, gravity, actuators.
#include "io/urdf/urdf.h"

#include <string.h>

// It is read after all links are in the builder. Unlike elsewhere in URDF, an unknown name in it is an error.

// The builder's id of the link that an attribute names; the world may always be named.
static int find_link(ffi_urdf *u, const xmlNode *node, const ffi_urdf_link **link)
{
  const char *name = ffi_urdf_value_name(u, node, "link");
  const int index = name ? ffi_names_find(&u->link_names, name) : -1;
  *link = index >= 0 ? &u->links[index] : NULL;
  if (name && index < 0 && strcmp(name, "world") != 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no link '%.80s'", name);
  return index >= 0 ? u->links[index].id : FF_WORLD;
}

static const ffi_urdf_joint *find_joint(ffi_urdf *u, const xmlNode *node, const char *attribute)
{
  const char *name = ffi_urdf_value_name(u, node, attribute);
  const int index = name ? ffi_names_find(&u->joint_names, name) : -1;
  if (name && index < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no joint '%.80s'", name);
  return index >= 0 ? &u->joints[index] : NULL;
}

static const char *optional_name(ffi_urdf *u, const xmlNode *node)
{
  return ffi_xml_get(node, "name") ? ffi_urdf_value_name(u, node, "name") : NULL;
}

static void read_point(ffi_urdf *u, const xmlNode *node)
{
  ff_shape_def point = ff_shape_def_default();
  const ffi_urdf_link *link;
  const int id = find_link(u, node, &link);
  point.type = FF_SHAPE_POINT;
  point.purpose = FF_SHAPE_COLLISION;
  point.name = optional_name(u, node);
  point.pose = ffi_urdf_value_pose(u, node);
  if (link)
    point.material = link->contact;
  if (u->xml->status == FF_OK)
    ffi_urdf_collision_add_shape(u, id, ffi_xml_get(node, "link"), &point);
}

static void read_frame(ffi_urdf *u, const xmlNode *node)
{
  const ffi_urdf_link *link;
  const int id = find_link(u, node, &link);
  const char *name = ffi_urdf_value_name(u, node, "name");
  const ff_pose pose = ffi_urdf_value_pose(u, node);
  if (u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_add_frame(u->builder, id, name, &pose, u->xml->error));
  if (u->xml->status != FF_OK)
    return;
  if (!ffi_names_reserve(&u->frame_links))
    ffi_urdf_no_memory(u);
  else
    ffi_names_put(&u->frame_links, name, link ? 1 + (int)(link - u->links) : 0);
}

static void read_gravity(ffi_urdf *u, const xmlNode *node)
{
  double gravity[3];
  if (ffi_xml_require(u->xml, node, "xyz") && ffi_xml_numbers(u->xml, node, "xyz", 3, 3, gravity))
    ffi_urdf_take(u, ff_builder_set_gravity(u->builder, gravity, u->xml->error));
}

// What an actuator drives: one of a joint, a tendon and a frame. Returns whether there is one.
static int read_driven(ffi_urdf *u, const xmlNode *node, ff_actuator_def *actuator)
{
  const int is_on_tendon = ffi_xml_get(node, "tendon") != NULL,
            is_on_frame = ffi_xml_get(node, "frame") != NULL;
  if (is_on_tendon + is_on_frame + (ffi_xml_get(node, "joint") != NULL) > 1) {
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, node,
                 "it has two of 'joint', 'tendon' and 'frame'; keep one of them");
    return 0;
  }
  if (is_on_tendon) {
    actuator->tendon = ffi_urdf_tendon_find(u, node, "tendon");
    return actuator->tendon >= 0;
  }
  if (is_on_frame) {
    actuator->frame = ffi_urdf_value_name(u, node, "frame");
    if (ffi_xml_require(u->xml, node, "wrench"))
      ffi_xml_numbers(u->xml, node, "wrench", 6, 6, actuator->wrench);
    return actuator->frame != NULL;
  }
  const ffi_urdf_joint *joint = find_joint(u, node, "joint");
  if (joint)
    actuator->link = u->links[joint->child].id;
  return joint && !joint->is_fixed_by_caller;
}

static void read_actuator(ffi_urdf *u, const xmlNode *node)
{
  ff_actuator_def actuator = ff_actuator_def_default();
  const char *type = ffi_xml_get(node, "type");
  if (!type || !strcmp(type, "motor"))
    actuator.type = FF_ACTUATOR_MOTOR;
  else if (!strcmp(type, "position"))
    actuator.type = FF_ACTUATOR_POSITION;
  else if (!strcmp(type, "velocity"))
    actuator.type = FF_ACTUATOR_VELOCITY;
  else
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "unknown type '%.40s'; known are motor, position, velocity",
                 type);
  const int drives = read_driven(u, node, &actuator);
  actuator.name = optional_name(u, node);
  ffi_xml_number(u->xml, node, "gear", &actuator.gear);
  ffi_urdf_value_amount(u, node, "kp", &actuator.kp);
  ffi_urdf_value_amount(u, node, "kv", &actuator.kv);
  ffi_xml_numbers(u->xml, node, "control_range", 2, 2, actuator.control_range);
  ffi_xml_numbers(u->xml, node, "force_range", 2, 2, actuator.force_range);
  if (drives && u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_add_actuator(u->builder, &actuator, u->xml->error));
}

// ---- Postures ---------------------------------------------------------------------------------------------

static void set(ffi_urdf *u, const char *posture, int id, const double *q, int count)
{
  if (u->xml->status == FF_OK)
    ffi_urdf_take(u, ff_builder_set_posture(u->builder, posture, id, q, count, u->xml->error));
}

// Returns whether something was set.
static int read_posture_joint(ffi_urdf *u, const xmlNode *node, const char *posture)
{
  double q[7];
  const ffi_urdf_joint *joint = find_joint(u, node, "name");
  if (!joint)
    return 0;
  const int count = ffi_urdf_value_coordinates(joint->type);
  if (count == 0) {
    if (!joint->is_mimic &&
        !joint->is_fixed_by_caller) // one that was fixed by the caller's wish may stay in postures
      ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "this joint is fixed, so it has no value");
    return 0;
  }
  if (ffi_xml_require(u->xml, node, "value"))
    ffi_xml_numbers(u->xml, node, "value", count, count, q);
  set(u, posture, u->links[joint->child].id, q, count);
  return 1;
}

static int read_posture_root(ffi_urdf *u, const xmlNode *node, const char *posture)
{
  const ffi_urdf_link *root = &u->links[u->root];
  const ff_pose pose = ffi_urdf_value_pose(u, node);
  double q[7];
  if (root->id == FF_WORLD)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "the root is the world, so it has no pose");
  if (root->is_anchored) // fixed by the caller's wish: the same file serves both
    return 0;
  memcpy(q, pose.position, sizeof pose.position);
  memcpy(q + 3, pose.quaternion, sizeof pose.quaternion);
  set(u, posture, root->id, q, 7);
  return 1;
}

// A posture exists once a joint is set in it. One that mentions none, all zero, sets the first joint that
// moves.
static void set_anything(ffi_urdf *u, const char *posture)
{
  static const double zero[7] = {0};
  static const double identity[7] = {0, 0, 0, 0, 0, 0, 1};
  for (int i = 0; i < u->link_count; ++i) {
    const ffi_urdf_link *link = &u->links[u->order[i]];
    const ff_joint_type root_type = link->is_anchored ? FF_JOINT_FIXED : FF_JOINT_FREE;
    const int count = ffi_urdf_value_coordinates(link->joint < 0 ? root_type : u->joints[link->joint].type);
    if (count > 0) {
      set(u, posture, link->id, count == 4 || count == 7 ? identity + 7 - count : zero, count);
      return;
    }
  }
}

static void read_posture(ffi_urdf *u, const xmlNode *posture, ffi_names *names)
{
  const char *name = ffi_urdf_value_name(u, posture, "name");
  int is_set = 0;
  if (!name)
    return;
  if (ffi_names_find(names, name) >= 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, posture, "there is already a posture of this name");
  else if (!ffi_names_reserve(names))
    ffi_urdf_no_memory(u);
  else
    ffi_names_put(names, name, 0);
  for (const xmlNode *node = ffi_xml_child(posture, NULL); node; node = ffi_xml_next(node, NULL)) {
    ffi_urdf_at(u, node);
    if (ffi_xml_is(node, "joint"))
      is_set |= read_posture_joint(u, node, name);
    else if (ffi_xml_is(node, "root"))
      is_set |= read_posture_root(u, node, name);
    else
      ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "unknown in <posture>; known are joint, root");
  }
  if (!is_set)
    set_anything(u, name);
}

// ---- The element ------------------------------------------------------------------------------------------

// All but <tendon>, which is read before, and what may name things that stand behind it: <element> and collisions.
static void read_part(ffi_urdf *u, const xmlNode *node, ffi_names *postures)
{
  if (ffi_xml_is(node, "element") || ffi_xml_is(node, "tendon") || ffi_urdf_collision_is_part(node))
    return;
  ffi_urdf_at(u, node);
  if (ffi_xml_is(node, "point"))
    read_point(u, node);
  else if (ffi_xml_is(node, "frame"))
    read_frame(u, node);
  else if (ffi_xml_is(node, "posture"))
    read_posture(u, node, postures);
  else if (ffi_xml_is(node, "gravity"))
    read_gravity(u, node);
  else if (ffi_xml_is(node, "actuator"))
    read_actuator(u, node);
  else
    ffi_xml_fail(
        u->xml, FF_ERROR_PARSE, node,
        "unknown in <footfall>; known are point, frame, posture, gravity, tendon, actuator, element, exclude, pair, "
        "filter, parents");
}

static void read_elements(ffi_urdf *u)
{
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall")) {
    const xmlNode *node = ffi_xml_child(top, "element");
    for (; node && u->xml->status == FF_OK; node = ffi_xml_next(node, "element")) {
      ffi_urdf_at(u, node);
      ffi_urdf_element_read(u, node);
    }
  }
}

ff_status ffi_urdf_footfall_read(ffi_urdf *u)
{
  ffi_urdf_tendon_read_all(u);
  ffi_urdf_tendon_couple_mimics(u);
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall")) {
    const xmlNode *node = ffi_xml_child(top, NULL);
    for (; node && u->xml->status == FF_OK; node = ffi_xml_next(node, NULL))
      read_part(u, node, &u->posture_names);
  }
  read_elements(u);
  ffi_urdf_collision_read(u);
  return u->xml->status;
}
