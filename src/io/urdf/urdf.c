// urdf.c: from a <robot> document to a model.
//
// How elements are read (docs/guide/urdf.md explains it to users):
//
// - The root link floats: its free joint is called "root_joint". It is fixed if the caller says so. If it is
//   called "world" it is the world itself; then a `floating` joint below it is a free joint under its own
//   name.
// - Joints revolute, continuous, prismatic, fixed, floating, planar and (an extension) spherical, with origin,
//   axis, limit, dynamics (damping, friction, and as an extension armature) and mimic.
// - Inertials, visual and collision shapes, materials' colours, and a link's Bullet-style <contact>.
// - Everything else is ignored; urdf_ignored.c says what, with its count.
//
// Our own element, anywhere at the top, as often as wanted:
//
//     <footfall>
//       <point link="foot" xyz="0 0 -0.02" name="heel"/>   a contact point, a collision shape of its link
//       <frame link="hand" name="grip" xyz="0 0 0.1"/>     a named frame; rpy as in <origin>
//       <posture name="standing">                          joints that it leaves out are at zero
//         <root xyz="0 0 0.5" rpy="0 0 0"/>                or quaternion="x y z w"
//         <joint name="knee" value="-0.8"/>                as many numbers as it has coordinates
//       </posture>
//       <gravity xyz="0 0 -1.62"/>
//       <actuator joint="knee" type="motor" gear="9" force_range="-2.7 2.7"/>
//       <exclude link1="hip" link2="foot"/>                who collides, see urdf_collision.c
//       <element type="point" a="rod" b="rocker" a_xyz="0.3 0 0" stiffness="1e6"/>   a closed loop, see urdf_element.c
//     </footfall>
//
// Actuators are of type motor, position (kp, kv) or velocity (kv).
#include "io/urdf/urdf.h"

#include "io/points/load_points.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Failures and warnings ------------------------------------------------------------------------------------------

void ffi_urdf_at(ffi_urdf *u, const xmlNode *node)
{
  ff_builder_set_source(u->builder, u->xml->file, ffi_xml_line(node));
}

ff_status ffi_urdf_take(ffi_urdf *u, ff_status status)
{
  if (u->xml->status == FF_OK)
    u->xml->status = status;
  return u->xml->status;
}

ff_status ffi_urdf_no_memory(ffi_urdf *u)
{
  return ffi_xml_fail(u->xml, FF_ERROR_MEMORY, NULL, "there is not enough memory");
}

void ffi_urdf_warn(ffi_urdf *u, const xmlNode *node, const char *format, ...)
{
  char text[600];
  if (u->xml->status != FF_OK)
    return;
  ffi_xml_describe(node, text, 128);
  size_t used = strlen(text);
  used += (size_t)snprintf(text + used, sizeof text - used, ": ");
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - used, format, arguments);
  va_end(arguments);
  ffi_urdf_at(u, node);
  ffi_urdf_take(u, ff_builder_add_warning(u->builder, text, u->xml->error));
}

// ---- Reading --------------------------------------------------------------------------------------------------------

static const char *root_joint_name(const ffi_urdf *u)
{
  const char *usual = "root_joint";
  return ffi_names_find(&u->joint_names, usual) < 0 ? usual : "footfall_root_joint";
}

// The joint of the root, which has none in the file.
static void make_root_joint(const ffi_urdf *u, ff_joint_def *out)
{
  *out = ff_joint_def_default();
  out->name = root_joint_name(u);
  out->type = u->def->fixed_base ? FF_JOINT_FIXED : FF_JOINT_FREE;
}

// A body may float in the world or in what is fixed to it, not on something that moves.
static void check_free(ffi_urdf *u, const ffi_urdf_joint *joint)
{
  const ffi_urdf_link *parent = &u->links[joint->parent];
  if (joint->type == FF_JOINT_FREE && !parent->is_anchored)
    ffi_xml_fail(u->xml, FF_ERROR_UNSUPPORTED, joint->node,
                 "a floating joint is supported only where its parent does not move, and link '%.80s' %s",
                 parent->name,
                 joint->parent == u->root ? "floats itself: call it 'world', or load with a fixed base"
                                          : "moves");
}

// A joint that moves nothing would be accelerated without bound.
static void take_inertia(ffi_urdf *u, const ffi_urdf_link *link, ff_link_def *def)
{
  def->inertia = link->inertia;
  const int moves = def->joint.type != FF_JOINT_FIXED && def->joint.type != FF_JOINT_FREE;
  if (link->has_weight || link->joint < 0 || !moves || def->joint.armature > 0 ||
      u->def->massless == FF_MASSLESS_REFUSE)
    return;
  if (u->def->massless == FF_MASSLESS_FIX) {
    ffi_urdf_joint *joint = &u->joints[link->joint];
    joint->type = def->joint.type = FF_JOINT_FIXED;
    joint->is_fixed_by_caller = 1;
    joint->is_mimic = 0; // follows nothing
    def->joint.has_limits = 0;
  } else {
    def->inertia = ffi_urdf_link_least_inertia();
  }
  const char *name = u->def->massless == FF_MASSLESS_FIX ? u->joints[link->joint].name : link->name;
  const size_t used = strlen(u->light_names);
  if (used + strlen(name) + 8 < sizeof u->light_names)
    snprintf(u->light_names + used, sizeof u->light_names - used, "%s'%s'", used ? ", " : "", name);
  u->light = u->light_count++ ? u->light : link;
}

static void warn_of_light(ffi_urdf *u)
{
  if (u->light_count && u->def->massless == FF_MASSLESS_FIX)
    ffi_urdf_warn(
        u, u->joints[u->light->joint].node,
        "joints whose links neither have nor carry mass: %d, fixed now: %s; give the links an <inertial> to let "
        "them move",
        u->light_count, u->light_names);
  else if (u->light_count)
    ffi_urdf_warn(
        u, u->light->node,
        "moving links without mass, that carry none either: %d, with 1 g and 1e-6 kg m^2 each now: %s; "
        "give them an <inertial>, or make their joints fixed",
        u->light_count, u->light_names);
}

static ff_status add_link(ffi_urdf *u, ffi_urdf_link *link)
{
  ff_link_def def = ff_link_def_default();
  def.name = link->name;
  if (link->joint < 0) {
    make_root_joint(u, &def.joint);
    link->is_anchored = def.joint.type == FF_JOINT_FIXED;
  } else {
    ffi_urdf_joint *joint = &u->joints[link->joint];
    ffi_urdf_joint_read(u, joint, &def.joint);
    check_free(u, joint);
    def.parent = u->links[joint->parent].id;
    link->is_anchored = joint->type == FF_JOINT_FIXED && u->links[joint->parent].is_anchored;
  }
  take_inertia(u, link, &def);
  if (u->xml->status != FF_OK)
    return u->xml->status;
  ffi_urdf_at(u, link->node);
  return ffi_urdf_take(u, ff_builder_add_link(u->builder, &def, &link->id, u->xml->error));
}

static void warn_of_excess(ffi_urdf *u)
{
  char text[512];
  if (!ffi_mesh_excess_text(&u->excess, text, sizeof text))
    return;
  ffi_urdf_at(u, u->excess.where[0]);
  ffi_urdf_take(u, ff_builder_add_warning(u->builder, text, u->xml->error));
}

static ff_status add_all(ffi_urdf *u)
{
  ff_status status = FF_OK;
  for (int i = 0; i < u->link_count && status == FF_OK; ++i) {
    ffi_urdf_link *link = &u->links[u->order[i]];
    const int is_world = link->joint < 0 && strcmp(link->name, "world") == 0;
    if (is_world)
      link->is_anchored = 1; // its id is FF_WORLD
    else
      status = add_link(u, link);
    if (is_world && u->link_count == 1)
      ffi_xml_fail(u->xml, FF_ERROR_MODEL, u->robot, "there is no link besides the world");
    if (status == FF_OK)
      status = ffi_urdf_link_shapes(u, link);
  }
  if (status == FF_OK && u->missing_meshes > 0)
    ffi_urdf_warn(
        u, u->first_missing,
        "mesh files that were not found: %d, the first is '%.200s'; only their names are kept, so they touch nothing",
        u->missing_meshes, ffi_xml_get(u->first_missing, "filename"));
  if (u->xml->status == FF_OK)
    warn_of_light(u);
  if (u->xml->status == FF_OK)
    warn_of_excess(u);
  return u->xml->status;
}

static int find_link(const void *reader, const char *name, int *is_found)
{
  const ffi_urdf *u = reader;
  const int index = ffi_names_find(&u->link_names, name);
  *is_found = index >= 0;
  return index >= 0 ? u->links[index].id : FF_WORLD;
}

static ff_status add_points(ffi_urdf *u)
{
  ffi_urdf_at(u, u->robot);
  return ffi_urdf_take(u, ffi_load_points(u->builder, u->def, u->xml->file, find_link, u, u->xml->error));
}

static ff_status read_robot(ffi_urdf *u, ff_model **out)
{
  ff_status status = ffi_urdf_xacro_refuse(u);
  const xmlNode *top = ffi_xml_child(u->robot, "footfall");
  for (; top; top = ffi_xml_next(top, "footfall"))
    u->has_filters |= ffi_xml_child(top, "filter") != NULL;
  if (status == FF_OK)
    status = ffi_urdf_tree_read(u);
  if (status == FF_OK)
    status = ffi_urdf_material_read(u);
  if (status == FF_OK)
    status = ffi_urdf_link_inertias(u);
  if (status == FF_OK)
    status = add_all(u);
  if (status == FF_OK)
    status = ffi_urdf_footfall_read(u);
  if (status == FF_OK)
    ffi_urdf_srdf_read(u);
  status = u->xml->status;
  if (status == FF_OK)
    status = add_points(u);
  if (status != FF_OK)
    return status;
  ffi_urdf_ignored_warn(u);
  if (u->xml->status == FF_OK && u->def->massless == FF_MASSLESS_LEAST)
    ffi_urdf_take(u, ff_builder_fill_massless(u->builder, NULL, u->xml->error));
  ffi_urdf_at(u, u->robot);
  if (u->xml->status != FF_OK)
    return u->xml->status;
  return ffi_urdf_take(u, ff_builder_finish(u->builder, out, u->xml->error));
}

static ff_status create_builder(ffi_urdf *u)
{
  const char *name = ffi_xml_get(u->robot, "name");
  const int is_named = name && *name;
  if (is_named && !ffi_urdf_value_name(u, u->robot, "name"))
    return u->xml->status;
  ff_status status = ff_builder_create(is_named ? name : "robot", &u->builder, u->xml->error);
  if (ffi_urdf_take(u, status) == FF_OK && !is_named)
    ffi_urdf_warn(u, u->robot, "the robot has no name; it is called 'robot'");
  return u->xml->status;
}

ff_status ffi_urdf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error)
{
  ffi_urdf u = {.xml = xml, .def = def, .robot = xmlDocGetRootElement(xml->doc), .root = -1};
  xml->error = error;
  ff_status status = create_builder(&u);
  if (status == FF_OK)
    status = read_robot(&u, out);
  ff_builder_destroy(u.builder);
  ffi_arena_free(&u.arena);
  ffi_names_free(&u.link_names);
  ffi_names_free(&u.joint_names);
  ffi_names_free(&u.color_names);
  ffi_names_free(&u.frame_links);
  ffi_names_free(&u.posture_names);
  ffi_names_free(&u.tendon_names);
  free(u.links);
  free(u.joints);
  free(u.colors);
  free(u.shapes);
  return status;
}
