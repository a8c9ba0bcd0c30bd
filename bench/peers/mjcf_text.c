// Writes a model as MJCF, joint by joint.
#include "peers/mjcf_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pose of a link in one of its ancestors at q = 0; `below` may be -1, the world.
static ff_pose pose_below(const ff_model *model, int link, int below)
{
  ff_pose pose = ff_pose_identity();
  while (link != below && link >= 0) {
    ff_link_info info;
    ff_model_link(model, link, &info);
    pose = ff_pose_compose(&info.pose, &pose);
    link = info.parent;
  }
  return pose;
}

// The inertia of all links that move with joint j, in the frame of the joint's child link.
static ff_inertia merged_inertia(const ff_model *model, int j, int top)
{
  ff_inertia sum = ff_inertia_zero();
  for (int l = 0; l < ff_model_get_size(model).links; ++l) {
    ff_link_info link;
    ff_model_link(model, l, &link);
    if (link.joint != j)
      continue;
    const ff_pose pose = pose_below(model, l, top);
    const ff_inertia part = ff_inertia_transform(&pose, &link.inertia);
    sum = ff_inertia_add(&sum, &part);
  }
  return sum;
}

static void write_inertia(FILE *out, const ff_inertia *x)
{
  const double *I = x->matrix; // ours: xx xy xz yy yz zz; MuJoCo's: xx yy zz xy xz yz
  fprintf(out, "<inertial mass=\"%.17g\" pos=\"%.17g %.17g %.17g\"", x->mass, x->com[0], x->com[1],
          x->com[2]);
  fprintf(out, " fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n", I[0], I[3], I[5], I[1], I[2],
          I[4]);
}

static int write_joint(FILE *out, const ff_joint_info *j)
{
  const char *type = j->type == FF_JOINT_FREE        ? "free"
                     : j->type == FF_JOINT_SPHERICAL ? "ball"
                     : j->type == FF_JOINT_PRISMATIC ? "slide"
                     : j->type == FF_JOINT_PLANAR    ? NULL
                                                     : "hinge";
  if (!type)
    return 0;
  fprintf(out, "<joint type=\"%s\" armature=\"%.17g\" damping=\"%.17g\"", type, j->armature, j->damping);
  if (j->nv == 1)
    fprintf(out, " axis=\"%.17g %.17g %.17g\"", j->axis[0], j->axis[1], j->axis[2]);
  fputs("/>\n", out);
  return 1;
}

// The contact points of all links that move with joint j.
static void write_points(FILE *out, const ff_model *model, int j, int top)
{
  for (int s = 0; s < ff_model_get_size(model).shapes; ++s) {
    ff_shape_info shape;
    ff_link_info link;
    ff_model_shape(model, s, &shape);
    if (shape.def.type != FF_SHAPE_POINT || ff_model_link(model, shape.link, &link) != FF_OK ||
        link.joint != j)
      continue;
    const ff_pose below = pose_below(model, shape.link, top), pose = ff_pose_compose(&below, &shape.def.pose);
    fprintf(out, "<geom type=\"sphere\" size=\"%g\" pos=\"%.17g %.17g %.17g\" friction=\"%.17g 0 0\"/>\n",
            BENCH_MJCF_TEXT_POINT_RADIUS, pose.position[0], pose.position[1], pose.position[2],
            shape.def.material.friction);
  }
}

static int write_body(FILE *out, const ff_model *model, int j, int has_contacts)
{
  ff_joint_info joint, up;
  ff_model_joint(model, j, &joint);
  const int below = ff_model_joint(model, joint.parent, &up) == FF_OK ? up.link : -1;
  const ff_pose pose = pose_below(model, joint.link, below);
  const double *p = pose.position, *r = pose.quaternion;
  fprintf(out, "<body pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\">\n", p[0], p[1], p[2], r[3],
          r[0], r[1], r[2]);
  const ff_inertia inertia = merged_inertia(model, j, joint.link);
  write_inertia(out, &inertia);
  if (!write_joint(out, &joint))
    return 0;
  if (has_contacts)
    write_points(out, model, j, joint.link);
  for (int child = j + 1; child < ff_model_get_size(model).joints; ++child) {
    ff_joint_info info;
    ff_model_joint(model, child, &info);
    if (info.parent == j && !write_body(out, model, child, has_contacts))
      return 0;
  }
  fputs("</body>\n", out);
  return 1;
}

static int write_model(FILE *out, const ff_model *model, int balance, int has_contacts)
{
  double g[3];
  ff_model_gravity(model, g);
  fputs("<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"", out);
  fprintf(out, "%s/>\n", balance ? " balanceinertia=\"true\"" : "");
  if (has_contacts) // points collide with the floor only
    fputs("<default><geom contype=\"1\" conaffinity=\"0\" condim=\"3\"/></default>\n", out);
  fprintf(out, "<option gravity=\"%.17g %.17g %.17g\" cone=\"elliptic\"/>\n<worldbody>\n", g[0], g[1], g[2]);
  if (has_contacts) // MuJoCo takes the larger friction of a pair
    fprintf(
        out,
        "<geom type=\"plane\" size=\"0 0 1\" pos=\"0 0 %g\" contype=\"0\" conaffinity=\"1\" friction=\"0 0 0\"/>\n",
        -BENCH_MJCF_TEXT_POINT_RADIUS);
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.parent < 0 && !write_body(out, model, j, has_contacts))
      return 0;
  }
  fputs("</worldbody>\n</mujoco>\n", out);
  return 1;
}

char *bench_mjcf_text(const ff_model *model, int balance, int has_contacts)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  const int is_written = write_model(out, model, balance, has_contacts) && !ferror(out);
  if (fclose(out) == 0 && is_written)
    return text;
  free(text);
  return NULL;
}
