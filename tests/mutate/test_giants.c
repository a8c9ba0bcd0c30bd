// Large files that once took too long or too much: each is read or refused within the limits of judge.h.
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static int set_up(void **state)
{
  (void)state;
  return judge_open() ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  judge_close();
  return 0;
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

// A verdict, and words that the message has. A busy machine may make one reading slow, three it may not.
static void expect(mutate_format format, bytes *b, judge_verdict verdict, const char *words)
{
  judge_report report = judge_library(format, b);
  for (int i = 0; i < 2 && report.verdict == JUDGE_SLOW; ++i)
    report = judge_library(format, b);
  print_message("%zu bytes: %.2f s, %.0f MB\n", b->count, report.seconds, (double)report.peak / 1e6);
  bytes_free(b);
  if (report.verdict != verdict || !strstr(report.words, words))
    fail_msg("verdict %d: %s", (int)report.verdict, report.words);
}

// ---- COLLADA --------------------------------------------------------------------------------------------------------

static bytes collada(int numbers, int points, int instances)
{
  bytes b = bytes_of("", 0);
  bytes_append(&b,
               "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array>0 0 0\n");
  repeat(&b, numbers / 9, "1 0 0 0 1 0 0 0 1 ");
  bytes_append(
      &b,
      "</float_array><technique_common><accessor count=\"%d\"/></technique_common></source><vertices>"
      "<input semantic=\"POSITION\" source=\"#p\"/></vertices></mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene id=\"s\"><node>\n",
      points);
  repeat(&b, instances, "<instance_geometry url=\"#g\"/>\n");
  bytes_append(
      &b, "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
          "</COLLADA>");
  return b;
}

static void an_array_is_read_once(void **state)
{
  (void)state;
  bytes b = collada(180000, 4, 3000);
  expect(MUTATE_DAE, &b, JUDGE_LOADED, "");
}

static void copies_of_points_are_bounded(void **state)
{
  (void)state;
  bytes b = collada(9000, 3000, 3000);
  expect(MUTATE_DAE, &b, JUDGE_REFUSED, "its nodes repeat more than 1000000 points");
}

// Every node refers to one at the end of a long list.
static void references_are_found_at_once(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0), nodes = bytes_of("", 0);
  bytes_append(&b, "<COLLADA><library_nodes>\n");
  for (int i = 0; i < 20000; ++i)
    bytes_append(&nodes, "<node id=\"n%d\"/>\n", i);
  bytes_replace(&b, b.count, 0, nodes.at, nodes.count);
  bytes_append(&b, "</library_nodes><library_visual_scenes><visual_scene id=\"s\">\n");
  repeat(&b, 20000, "<instance_node url=\"#n19999\"/>\n");
  bytes_append(
      &b,
      "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
  bytes_free(&nodes);
  expect(MUTATE_DAE, &b, JUDGE_REFUSED, "there are no points in it");
}

// ---- Robots ---------------------------------------------------------------------------------------------------------

static void many_bodies_fit_into_memory(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0);
  bytes_append(&b, "<mujoco><worldbody>");
  repeat(&b, 100000, "<body><joint/><geom size=\"1\"/></body>");
  bytes_append(&b, "</worldbody></mujoco>");
  expect(MUTATE_MJCF, &b, JUDGE_LOADED, "");
}

// Shapes that cannot touch each other cost no time when a sim is made.
static void many_fixed_shapes_make_no_pairs(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0);
  bytes_append(&b, "<mujoco><worldbody>");
  repeat(&b, 99000, "<body><geom size=\"1\"/></body>");
  bytes_append(&b, "</worldbody></mujoco>");
  expect(MUTATE_MJCF, &b, JUDGE_LOADED, "");
}

// ---- Scenes ---------------------------------------------------------------------------------------------------------

static void large_maps_take_linear_time(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0), keys = bytes_of("", 0);
  for (int i = 0; i < 9999; ++i)
    bytes_append(&keys, "    k%d: 1\n", i);
  bytes_append(&b, "ground:\n");
  for (int i = 0; i < 40; ++i) {
    bytes_append(&b, "  - a:\n");
    for (char *line = keys.at, *end; (end = strchr(line, '\n')); line = end + 1)
      bytes_append(&b, "  %.*s\n", (int)(end - line), line);
  }
  bytes_free(&keys);
  expect(MUTATE_SCENE, &b, JUDGE_REFUSED, "model: is missing");
}

static void bytes_that_are_no_text_have_a_line(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0);
  bytes_append(&b, "# a scene\nmodel: ../models/ball.urdf\ntitle: \xff\n");
  expect(MUTATE_SCENE, &b, JUDGE_REFUSED, ".yaml:3: ");
  b = bytes_of("", 0);
  bytes_append(&b, "v 0 0 0\nv 1 0 0\nv 1 \xc3 0\n");
  expect(MUTATE_OBJ, &b, JUDGE_REFUSED, ".obj:3: '?' is not a number");
  b = bytes_of("v 0 0 0\nv\0", 10);
  expect(MUTATE_OBJ, &b, JUDGE_REFUSED, ".obj:2: ");
}

static void a_start_that_runs_away_has_a_line(void **state)
{
  (void)state;
  bytes b = bytes_of("", 0);
  bytes_append(&b, "model: ../models/ball.urdf\nstart:\n  velocity: [1e200, 0, 0, 0, 0, 0]\n");
  expect(MUTATE_SCENE, &b, JUDGE_REFUSED, ".yaml:2: ");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_array_is_read_once),
      cmocka_unit_test(copies_of_points_are_bounded),
      cmocka_unit_test(references_are_found_at_once),
      cmocka_unit_test(many_bodies_fit_into_memory),
      cmocka_unit_test(many_fixed_shapes_make_no_pairs),
      cmocka_unit_test(large_maps_take_linear_time),
      cmocka_unit_test(bytes_that_are_no_text_have_a_line),
      cmocka_unit_test(a_start_that_runs_away_has_a_line),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
