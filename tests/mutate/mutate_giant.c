// Files that are large in one respect: long, wide, deep or circular.
#include "mutate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// How many of something: from some to a hundred thousand, small ones as often as large ones.
static int any_count(ffi_random *random, int most)
{
  return (int)(8 * pow(most / 8.0, ffi_random_between(random, 0, 1)));
}

static void repeat(bytes *b, int count, const char *text)
{
  const size_t length = strlen(text);
  bytes all = bytes_of("", 0);
  for (int i = 0; i < count; ++i)
    bytes_replace(&all, all.count, 0, text, length);
  bytes_replace(b, b->count, 0, all.at, all.count);
  bytes_free(&all);
}

// ---- URDF -----------------------------------------------------------------------------------------------------------

static void add_link(bytes *b, int number)
{
  bytes_append(
      b,
      "<link name=\"l%d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"
      "</link>\n",
      number);
}

static void add_joint(bytes *b, int parent, int child)
{
  bytes_append(b,
               "<joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
               "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n",
               child, parent, child);
}

// Links in a chain, around one, backwards, or in a circle.
static void make_tree(bytes *b, int count, int kind)
{
  bytes_append(b, "<robot name=\"giant\">\n");
  for (int i = 0; i < count; ++i)
    add_link(b, kind == 2 ? count - 1 - i : i);
  for (int i = 1; i < count; ++i)
    add_joint(b, kind == 1 ? 0 : i - 1, i);
  if (kind == 3)
    add_joint(b, count - 1, 0);
  bytes_append(b, "</robot>\n");
}

static void make_urdf(ffi_random *random, bytes *b)
{
  const int count = any_count(random, 30000), kind = ffi_random_below(random, 9);
  if (kind <= 3) {
    make_tree(b, count / 4 + 2, kind);
    return;
  }
  bytes_append(b, "<robot name=\"giant\">\n");
  add_link(b, 0);
  switch (kind) {
  case 4: // shapes of one link
    bytes_append(b, "<link name=\"many\">");
    repeat(b, count, "<collision><geometry><sphere radius=\"1\"/></geometry></collision>\n");
    bytes_append(b, "</link>");
    break;
  case 5: repeat(b, count, "<link name=\"twice\"/>\n"); break;
  case 6: repeat(b, count, "<material name=\"m\"/><transmission name=\"t\"/>\n"); break;
  case 7: // attributes
    bytes_append(b, "<link name=\"a\"");
    for (int i = 0; i < count; ++i)
      bytes_append(b, " a%d=\"1\"", i);
    bytes_append(b, "/>");
    break;
  default: // one long value
    bytes_append(b, "<link name=\"");
    repeat(b, count, "\xc3\xa9 1 ");
    bytes_append(b, "\"/>");
  }
  bytes_append(b, "</robot>\n");
}

// ---- MJCF -----------------------------------------------------------------------------------------------------------

static void make_mjcf(ffi_random *random, bytes *b)
{
  const int count = any_count(random, 20000);
  static const char body[] = "<body><joint/><geom size=\"1\"/>";
  bytes_append(b, "<mujoco>\n");
  switch (ffi_random_below(random, 8)) {
  case 0: // deep
    bytes_append(b, "<worldbody>");
    repeat(b, count / 10 + 2, body);
    repeat(b, count / 10 + 2, "</body>");
    bytes_append(b, "</worldbody>");
    break;
  case 1: // wide
    bytes_append(b, "<worldbody>");
    repeat(b, count / 4 + 2, "<body><freejoint/><geom size=\"1\"/></body>\n");
    bytes_append(b, "</worldbody>");
    break;
  case 2:
    bytes_append(b, "<worldbody>");
    repeat(b, count, "<geom size=\"1\"/><site/>\n");
    bytes_append(b, "</worldbody>");
    break;
  case 3:
    bytes_append(b, "<default>");
    for (int i = 0; i < count; ++i)
      bytes_append(b, "<default class=\"c%d\"><geom size=\"1\"/>%s", i, i % 2 ? "</default></default>" : "");
    bytes_append(b, "</default><worldbody><geom class=\"c1\"/></worldbody>");
    break;
  case 4:
    bytes_append(b, "<asset>");
    for (int i = 0; i < count; ++i)
      bytes_append(b, "<mesh name=\"m%d\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/>\n", i);
    bytes_append(b, "</asset><worldbody><geom type=\"mesh\" mesh=\"m1\"/></worldbody>");
    break;
  case 5:
    bytes_append(b, "<worldbody><body><joint name=\"j\"/><geom size=\"1\"/></body></worldbody><actuator>");
    repeat(b, count, "<motor joint=\"j\"/>\n");
    bytes_append(b, "</actuator>");
    break;
  case 6:
    bytes_append(b, "<worldbody><body name=\"a\"><freejoint/><geom size=\"1\"/></body></worldbody><contact>");
    repeat(b, count, "<exclude body1=\"a\" body2=\"world\"/>\n");
    bytes_append(b, "</contact>");
    break;
  default:
    bytes_append(b, "<worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody><keyframe>");
    repeat(b, count, "<key qpos=\"0 0 0 1 0 0 0\"/>\n");
    bytes_append(b, "</keyframe>");
  }
  bytes_append(b, "</mujoco>\n");
}

// ---- Scenes ---------------------------------------------------------------------------------------------------------

static void make_scene(ffi_random *random, bytes *b)
{
  const int count = any_count(random, 60000);
  bytes_append(b, "model: ../models/ball.urdf\n");
  switch (ffi_random_below(random, 7)) {
  case 0:
    for (int i = 0; i < count; ++i)
      bytes_append(b, "k%d: 1\n", i);
    break;
  case 1:
    bytes_append(b, "ground:\n");
    for (int i = 0; i < count; ++i) // maps that are as large as they may be
      bytes_append(b, i % 9999 ? "    k%d: 1\n" : "  - a%d: 1\n", i);
    break;
  case 2:
    bytes_append(b, "ground: ");
    repeat(b, count, "[");
    break;
  case 3:
    bytes_append(b, "ground:\n");
    repeat(b, count / 4 + 2, "  - {type: box, size: [1, 1, 1], position: [0, 0, -3]}\n");
    break;
  case 4:
    bytes_append(b, "ground: {type: heightfield, size: [1, 1, 1], rows: 2, columns: %d, heights: [0", count);
    repeat(b, 2 * count - 1, ",0");
    bytes_append(b, "]}\n");
    break;
  case 5:
    bytes_append(b, "title: ");
    repeat(b, count, "\xc3\xa9");
    bytes_append(b, "\n");
    break;
  default:
    bytes_append(b, "pushes:\n");
    repeat(b, count / 4 + 2, "  - {link: ball, force: [1, 0, 0], from: 0s, to: 1s}\n");
  }
}

// ---- Meshes and trajectories ----------------------------------------------------------------------------------------

// Nodes that use each other: twice each is two to the power of their number.
static void make_dae(ffi_random *random, bytes *b)
{
  const int count = any_count(random, 3000), kind = ffi_random_below(random, 3);
  bytes_append(b,
               "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array>0 0 0 ");
  repeat(b, kind == 2 ? 20 * count : 1, "1 0 0 0 1 0 0 0 1 ");
  bytes_append(
      b,
      "</float_array><technique_common><accessor count=\"%d\"/></technique_common></source><vertices>"
      "<input semantic=\"POSITION\" source=\"#p\"/></vertices></mesh></geometry></library_geometries>"
      "<library_nodes>",
      kind == 2 ? 0 : 4);
  for (int i = 0; i < 20 && kind == 0; ++i)
    bytes_append(b, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i,
                 i + 1, i + 1);
  bytes_append(
      b, "<node id=\"n20\"><instance_geometry url=\"#g\"/></node></library_nodes><library_visual_scenes>"
         "<visual_scene id=\"s\"><node>");
  if (kind == 0)
    bytes_append(b, "<instance_node url=\"#n0\"/>");
  else
    repeat(b, count, kind == 1 ? "<node>" : "<instance_geometry url=\"#g\"/>");
  repeat(b, kind == 1 ? count : 0, "</node>");
  bytes_append(
      b, "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
         "</COLLADA>");
}

static void make_trajectory(ffi_random *random, bytes *b)
{
  const int count = any_count(random, 60000), kind = ffi_random_below(random, 3);
  bytes_append(b, "footfall-trajectory 1\n");
  if (kind == 0)
    repeat(b, count, "# a note\n");
  bytes_append(b, "robot solo\ncoordinates 19\nvelocities 18\ncontrols 12\ninterval 0.01\nstates %d\n",
               kind == 1 ? count / 10 + 2 : 2);
  repeat(b, kind == 1 ? count / 10 + 2 : 1,
         "x 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
  bytes_append(b, "u");
  repeat(b, kind == 2 ? count : 12, " 1");
}

int mutate_giant(ffi_random *random, mutate_format format, bytes *out)
{
  static void (*const makers[MUTATE_FORMATS])(ffi_random *,
                                              bytes *) = {[MUTATE_URDF] = make_urdf,
                                                          [MUTATE_MJCF] = make_mjcf,
                                                          [MUTATE_SCENE] = make_scene,
                                                          [MUTATE_DAE] = make_dae,
                                                          [MUTATE_TRAJECTORY] = make_trajectory};
  if (!makers[format])
    return 0;
  *out = bytes_of("", 0);
  makers[format](random, out);
  return 1;
}
