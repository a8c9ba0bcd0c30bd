// The files to start from: what the repository ships and tests with, small meshes, and logs of short runs.
#include "mutate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SEEDS = 600 };

static struct {
  bytes list[MOST_SEEDS];
  int count, is_taken;
  int good; // of them the first ones, which can be read as they are; 0: all
} seeds[MUTATE_FORMATS];

static void add(mutate_format format, bytes b)
{
  assert_in_range(seeds[format].count, 0, MOST_SEEDS - 1);
  seeds[format].list[seeds[format].count++] = b;
}

static void add_text(mutate_format format, const char *text)
{
  add(format, bytes_of(text, strlen(text)));
}

static void add_files(mutate_format format, const char *pattern)
{
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0)
    fail_msg("no file is called %s", pattern);
  for (size_t i = 0; i < found.gl_pathc; ++i)
    add(format, bytes_read(found.gl_pathv[i]));
  globfree(&found);
}

// ---- Trajectories ---------------------------------------------------------------------------------------------------

// The first states of a long trajectory, as a file of its own.
static void add_beginning(const char *path, int states)
{
  bytes whole = bytes_read(path), b = bytes_of("", 0);
  int left = states;
  for (char *line = whole.at, *end; left > 0 && (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    left -= strncmp(line, "x ", 2) == 0;
    if (strncmp(line, "states ", 7) == 0)
      bytes_append(&b, "states %d\n", states);
    else if (strncmp(line, "repeat-from ", 12) == 0)
      bytes_append(&b, "repeat-from %d\n", states - 2);
    else
      bytes_append(&b, "%s\n", line);
  }
  bytes_free(&whole);
  add(MUTATE_TRAJECTORY, b);
}

// ---- Meshes ---------------------------------------------------------------------------------------------------------

static const double cube[12][3][3] = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
    {{1, 1, 1}, {1, 0, 1}, {0, 1, 1}}, {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{1, 0, 1}, {1, 0, 0}, {0, 0, 1}},
    {{0, 1, 0}, {1, 1, 0}, {0, 1, 1}}, {{1, 1, 1}, {1, 1, 0}, {0, 1, 1}}, {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0, 1, 1}, {0, 1, 0}, {0, 0, 1}}, {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}}, {{1, 1, 1}, {1, 1, 0}, {1, 0, 1}}};

static void add_stl(void)
{
  bytes text = bytes_of("", 0);
  char binary[84 + 12 * 50] = {[80] = 12};
  bytes_append(&text, "solid cube\n");
  for (int i = 0; i < 12; ++i) {
    bytes_append(&text, " facet normal 0 0 0\n  outer loop\n");
    for (int k = 0; k < 3; ++k) {
      bytes_append(&text, "   vertex %g %g %g\n", cube[i][k][0], cube[i][k][1], cube[i][k][2]);
      for (int a = 0; a < 3; ++a) {
        const float value = (float)cube[i][k][a];
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        for (int s = 0; s < 4; ++s)
          binary[84 + 50 * i + 12 + 12 * k + 4 * a + s] = (char)(word >> 8 * s & 0xff);
      }
    }
    bytes_append(&text, "  endloop\n endfacet\n");
  }
  bytes_append(&text, "endsolid cube\n");
  add(MUTATE_STL, text);
  add(MUTATE_STL, bytes_of(binary, sizeof binary));
  add_files(MUTATE_STL, FFI_TEST_SOURCE_DIR "/tests/new_user/robots/meshes/*.stl");
}

static const char obj[] =
    "# a cube\no cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1 1.0\nv 1 0 1\nv 0 1 1\n"
    "v 1 1 1\nvn 0 0 1\nvt 0 0\nusemtl none\nf 1 2 3\nf 1//1 2//1 3//1\nf 5/1/1 6/1/1 7/1/1\n"
    "f -1 -3 -4 -2\nf 1 2 6 5\n";

static const char dae[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
    "<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>\n"
    "<library_geometries>\n<geometry id=\"g\"><mesh>\n"
    "<source id=\"p\"><float_array id=\"a\" count=\"24\">0 0 0 1 0 0 0 1 0 1 1 0\n0 0 1 1 0 1 0 1 1 1 1 1</float_array>"
    "<technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\" offset=\"0\"/></technique_common></source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
    "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<input semantic=\"NORMAL\" source=\"#p\" offset=\"1\"/><p>0 0 2 0 1 0</p></triangles>"
    "<polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><vcount>4 3</vcount>"
    "<p>4 5 7 6 0 1 5</p></polylist><polygons><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<p>1 3 7 5</p></polygons>\n</mesh></geometry>\n"
    "</library_geometries>\n<library_nodes><node id=\"n\"><scale>1 2 3</scale><instance_geometry url=\"#g\"/></node>"
    "</library_nodes>\n<library_visual_scenes><visual_scene id=\"s\">\n<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"
    "</matrix><rotate>0 0 1 90</rotate><translate>1 2 3</translate><instance_node url=\"#n\"/>"
    "<node><instance_geometry url=\"#g\"/></node></node>\n</visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url=\"#s\"/></scene>\n</COLLADA>\n";

// ---- Scenes ---------------------------------------------------------------------------------------------------------

static const char rich_scene[] =
    "title: all kinds of fields\nmodel: ../models/ball.urdf\nmaterial: {stiffness: 2e4, damping: 50, friction: 0.5}\n"
    "ground:\n  - plane\n  - {type: box, size: [1, 1, 1], position: [2, 0, 0], friction: 0.4}\n"
    "  - {type: heightfield, size: [1, 1, 1], rows: 2, columns: 2, heights: [0, 0, 0, -1cm]}\n"
    "start:\n  posture: drop\n  velocity: [0, 0, 1, 0, 0, 0]\n"
    "stepper: {type: expo, order: 1, max_pieces: 9, moreau: {solver: sor}}\ndt: 1ms\nduration: 10ms\n"
    "log: {every: 3}\nexpect: {upright: yes, speed: [0, 1]}\n";

// ---- Sums of joints -------------------------------------------------------------------------------------------------

// Dry friction, joints that follow others, tendons with all that acts on them.
static const char urdf_mimic[] =
    "<robot name=\"gears\">\n<link name=\"base\"/>\n"
    "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
    "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
    "<link name=\"c\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
    "<joint name=\"ja\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/><axis xyz=\"0 0 1\"/>\n"
    "<limit lower=\"-2\" upper=\"2\" effort=\"5\" velocity=\"9\"/>\n"
    "<dynamics damping=\"0.1\" friction=\"0.2\"/></joint>\n"
    "<joint name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 1 0\"/>\n"
    "<mimic joint=\"ja\" multiplier=\"-2.5\" offset=\"0.1\"/></joint>\n"
    "<joint name=\"jc\" type=\"prismatic\"><parent link=\"b\"/><child link=\"c\"/><axis xyz=\"1 0 0\"/>\n"
    "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"9\"/><mimic joint=\"jb\"/>\n"
    "<dynamics friction=\"3\"/></joint>\n</robot>\n";

static const char mjcf_tendons[] =
    "<mujoco model=\"cords\">\n<default><joint frictionloss=\"0.1\" armature=\"0.01\"/></default>\n<worldbody>\n"
    "<body name=\"a\"><joint name=\"ja\" type=\"hinge\" axis=\"0 1 0\" frictionloss=\"0.3\"/><geom size=\"0.1\"/>\n"
    "<body name=\"b\" pos=\"0 0 -1\"><joint name=\"jb\" type=\"slide\" axis=\"0 0 1\" range=\"-1 1\"/>\n"
    "<geom size=\"0.1\"/>\n"
    "<body name=\"c\" pos=\"0 0 -1\"><joint name=\"jc\" axis=\"0 1 0\"/><geom size=\"0.1\"/></body></body></body>\n"
    "<body name=\"d\" pos=\"1 0 0\"><joint name=\"jd\"/><geom size=\"0.1\"/></body>\n</worldbody>\n<tendon>\n"
    "<fixed name=\"ta\" stiffness=\"20\" damping=\"0.5\" springlength=\"0.1\" frictionloss=\"0.2\">"
    "<joint joint=\"ja\" coef=\"1\"/><joint joint=\"jb\" coef=\"-0.5\"/></fixed>\n"
    "<fixed name=\"tb\" limited=\"true\" range=\"-0.5 0.5\"><joint joint=\"jc\" coef=\"2\"/>"
    "<joint joint=\"jd\" coef=\"1\"/></fixed>\n</tendon>\n<equality>\n"
    "<joint joint1=\"jc\" joint2=\"ja\" polycoef=\"0 0.5 0.1 0 0\"/>\n<tendon tendon1=\"tb\" tendon2=\"ta\"/>\n"
    "<joint joint1=\"jd\"/>\n</equality>\n<actuator>\n<motor joint=\"ja\" gear=\"3\"/>\n"
    "<position tendon=\"ta\" kp=\"10\" kv=\"1\" ctrlrange=\"-1 1\"/>\n<velocity tendon=\"tb\" kv=\"2\"/>\n"
    "</actuator>\n</mujoco>\n";

// ---- Logs -----------------------------------------------------------------------------------------------------------

static void add_log(const char *scene)
{
  char path[64] = "/tmp/footfall-seed-XXXXXX", command[1000];
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
  snprintf(command, sizeof command, "'%s' run '%s/scenes/%s' --duration 40ms --out '%s.h5' >/dev/null 2>&1",
           FFI_TEST_COMMAND, FFI_TEST_SOURCE_DIR, scene, path);
  const int status = system(command); // 4: too short for the scene's task
  if (status != 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 4))
    fail_msg("%s: %d", command, status);
  unlink(path);
  strcat(path, ".h5");
  add(MUTATE_LOG, bytes_read(path));
  unlink(path);
}

// ---- All ------------------------------------------------------------------------------------------------------------

static void take(mutate_format format)
{
  static const char *const folder = FFI_TEST_SOURCE_DIR;
  char pattern[1000];
  seeds[format].is_taken = 1;
  switch (format) {
  case MUTATE_URDF:
  case MUTATE_MJCF: {
    static const char *const patterns[][4] = {
        {"models/*.urdf", "models/so*.urdf", "tests/new_user/robots/*.urdf", "tests/bad_input/urdf/*.urdf"},
        {"models/*.xml", "models/piles/*.xml", "tests/oracle/mjcf/*.xml", "tests/bad_input/mjcf/*.xml"}};
    for (int i = 0; i < 3; ++i) // more than once: a part in ten of these formats
      add_text(format, format == MUTATE_MJCF ? mjcf_tendons : urdf_mimic);
    for (int i = 0; i < 4; ++i) {
      snprintf(pattern, sizeof pattern, "%s/%s", folder, patterns[format == MUTATE_MJCF][i]);
      if (i == 3)
        seeds[format].good = seeds[format].count;
      add_files(format, pattern);
    }
    break;
  }
  case MUTATE_SCENE:
    snprintf(pattern, sizeof pattern, "%s/scenes/*.yaml", folder);
    add_files(format, pattern);
    for (int i = 0; i < 6; ++i) // as often as several of the others: it has the most fields
      add_text(format, rich_scene);
    break;
  case MUTATE_TRAJECTORY:
    snprintf(pattern, sizeof pattern, "%s/scenes/data/solo-trot.txt", folder);
    add_beginning(pattern, 2);
    add_beginning(pattern, 5);
    break;
  case MUTATE_STL: add_stl(); break;
  case MUTATE_OBJ: add_text(format, obj); break;
  case MUTATE_DAE: add_text(format, dae); break;
  case MUTATE_LOG:
    add_log("hopper.yaml");
    add_log("stack.yaml");
    break;
  case MUTATE_SRDF:
    snprintf(pattern, sizeof pattern, "%s/tests/io/srdf/*.srdf", folder);
    add_files(format, pattern);
    break;
  case MUTATE_FORMATS: break;
  }
}

bytes mutate_seeds_take(mutate_format format, int number)
{
  if (!seeds[format].is_taken)
    take(format);
  const int good = seeds[format].good, is_bad = good > 0 && number % 7 == 0; // one in seven
  const bytes *b = &seeds[format].list[number / 7 % (is_bad || good == 0 ? seeds[format].count : good)];
  return bytes_of(b->at, b->count);
}

int mutate_seeds_has(mutate_format format, const bytes *b)
{
  for (int i = 0; i < seeds[format].count; ++i)
    if (seeds[format].list[i].count == b->count && memcmp(seeds[format].list[i].at, b->at, b->count) == 0)
      return 1;
  return 0;
}

void mutate_seeds_free(void)
{
  for (int f = 0; f < MUTATE_FORMATS; ++f) {
    for (int i = 0; i < seeds[f].count; ++i)
      bytes_free(&seeds[f].list[i]);
    seeds[f].count = seeds[f].is_taken = 0;
  }
}
