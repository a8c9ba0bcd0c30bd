// URDF: visual and collision shapes, colours, contact materials, meshes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ff_shape_info shape_at(const ff_model *model, int index)
{
  ff_shape_info info = {0};
  assert_int_equal(ff_model_shape(model, index, &info), FF_OK);
  return info;
}

// One link with something inside.
static ff_model *load_link(const char *inside)
{
  char text[3000];
  snprintf(text, sizeof text, "<robot name='r'><link name='a'>" INERTIAL "%s</link></robot>", inside);
  return load_text(text, NULL);
}

static void every_shape_is_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    ff_shape_type type;
    double size[3];
  } rows[] = {{"<box size='1 2 3'/>", FF_SHAPE_BOX, {1, 2, 3}},
              {"<sphere radius='0.5'/>", FF_SHAPE_SPHERE, {0.5}},
              {"<cylinder length='2' radius='0.25'/>", FF_SHAPE_CYLINDER, {0.25, 2}},
              {"<capsule radius='0.25' length='2'/>", FF_SHAPE_CAPSULE, {0.25, 2}},
              {"<disk radius='0.125'/>", FF_SHAPE_DISK, {0.125}},
              {"<ellipsoid radii='0.125 0.25 0.5'/>", FF_SHAPE_ELLIPSOID, {0.125, 0.25, 0.5}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    char inside[400];
    snprintf(inside, sizeof inside,
             "<collision name='c'><geometry>%s</geometry><origin xyz='1 2 3' rpy='0 0 3'/></collision>"
             "<visual><geometry>%s</geometry></visual>",
             rows[i].text, rows[i].text);
    ff_model *model = load_link(inside);
    assert_int_equal(ff_model_get_size(model).shapes, 2);
    for (int k = 0; k < 2; ++k) { // visuals come first
      const ff_shape_info shape = shape_at(model, k);
      assert_int_equal(shape.def.type, rows[i].type);
      assert_close(shape.def.size, rows[i].size, 3, 0, rows[i].text);
      assert_int_equal(shape.link, ff_model_find_link(model, "a"));
      assert_int_equal(shape.frame, ff_model_find_frame(model, "a"));
      assert_int_equal(shape.def.purpose, k ? FF_SHAPE_COLLISION : FF_SHAPE_VISUAL);
    }
    const ff_shape_def collision = shape_at(model, 1).def;
    assert_null(shape_at(model, 0).def.name);
    assert_string_equal(collision.name, "c");
    assert_close(collision.pose.position, (double[]){1, 2, 3}, 3, 0, "position");
    assert_close(collision.pose.quaternion, (double[]){0, 0, sin(1.5), cos(1.5)}, 4, 2 * DBL_EPSILON, "turn");
    ff_model_destroy(model);
  }
}

static void planes_are_turned_to_their_normal(void **state)
{
  (void)state;
  static const double normals[][3] = {{0, 0, 1},  {0, 0, -2}, {3, 0, 0},
                                      {0, -1, 0}, {1, -2, 2}, {1e-9, 0, -1}};
  for (size_t i = 0; i < sizeof normals / sizeof normals[0]; ++i) {
    char inside[300];
    double R[9];
    const double *n = normals[i];
    snprintf(inside, sizeof inside,
             "<collision><geometry><plane normal='%.17g %.17g %.17g'/></geometry></collision>", n[0], n[1],
             n[2]);
    ff_model *model = load_link(inside);
    const ff_shape_def plane = shape_at(model, 0).def;
    assert_int_equal(plane.type, FF_SHAPE_PLANE);
    ff_pose_rotation(&plane.pose, R);
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double expected[3] = {n[0] / length, n[1] / length, n[2] / length};
    // A half angle near pi/2 is known to eps, so the direction to a few eps.
    assert_close((double[]){R[2], R[5], R[8]}, expected, 3, 8 * DBL_EPSILON, inside);
    ff_model_destroy(model);
  }
}

static void what_cannot_be_kept_is_a_warning(void **state)
{
  (void)state;
  ff_model *model = load_link("<visual><geometry><box size='0 1 1'/></geometry></visual>"
                              "<visual><geometry><cone radius='1'/></geometry></visual>"
                              "<collision><geometry><sphere radius='0'/></geometry></collision>"
                              "<collision><geometry><sphere radius='1'/></geometry></collision>");
  assert_int_equal(ff_model_get_size(model).shapes, 1);
  assert_int_equal(warnings_with(model, "<box> in <link> 'a': a size is zero"), 1);
  assert_int_equal(warnings_with(model, "<sphere> in <link> 'a': a size is zero"), 1);
  assert_int_equal(warnings_with(model, "unknown kind <cone>"), 1);
  ff_model_destroy(model);
}

// ---- Colours ----------------------------------------------------------------------------------------------

#define BALL "<geometry><sphere radius='1'/></geometry>"

static void colours_are_found_by_name(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<robot name='r'>"
      "<link name='a'>" INERTIAL "<visual>" BALL "<material name='red'/></visual>"           // global
      "<visual>" BALL "<material name='late'/></visual>"                                     // in link b
      "<visual>" BALL "<material name='red'><color rgba='0.5 0 0 0.5'/></material></visual>" // its own
      "<visual>" BALL "<material><color rgba='0 0 1 1'/></material></visual>"                // unnamed
      "<visual>" BALL "</visual>"                                                            // none
      "<visual>" BALL "<material name=''><color rgba='0 1 0'/></material></visual></link>"   // no alpha
      "<link name='b'><visual>" BALL
      "<material name='late'><color rgba='0 1 1 1'/></material></visual></link>"
      "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
      "<material name='red'><color rgba='1 0 0 1'/></material><material name='wood'><texture "
      "filename='w.png'/></material>"
      "</robot>",
      NULL);
  static const double expected[][4] = {{1, 0, 0, 1},       {0, 1, 1, 1}, {0.5, 0, 0, 0.5}, {0, 0, 1, 1},
                                       {0.7, 0.7, 0.7, 1}, {0, 1, 0, 1}, {0, 1, 1, 1}};
  assert_int_equal(ff_model_get_size(model).shapes, 7);
  for (int i = 0; i < 7; ++i)
    assert_close(shape_at(model, i).def.rgba, expected[i], 4, 0, "colour");
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
}

static void odd_colours_are_warnings(void **state)
{
  (void)state;
  ff_model *model =
      load_link("<visual>" BALL "<material name='gone'/></visual>"
                "<visual>" BALL "<material name='loud'><color rgba='255 0 -1 1'/></material></visual>");
  assert_close(shape_at(model, 0).def.rgba, (double[]){0.7, 0.7, 0.7, 1}, 4, 0, "default colour");
  assert_close(shape_at(model, 1).def.rgba, (double[]){1, 0, 0, 1}, 4, 0, "cut colour");
  assert_int_equal(warnings_with(model, "<material> 'gone': no material of this name has a colour"), 1);
  assert_int_equal(warnings_with(model, "<material> 'loud': its colour 255 0 -1 1 is not within 0..1"), 1);
  ff_model_destroy(model);
}

// ---- Contact ----------------------------------------------------------------------------------------------

static void contact_becomes_the_material_of_collisions(void **state)
{
  (void)state;
  ff_model *model =
      load_link("<visual>" BALL "</visual><collision>" BALL "</collision><collision>" BALL "</collision>"
                "<contact><lateral_friction value='0.8'/><stiffness value='30000'/><damping value='1000'/>"
                "<restitution value='0.25'/><tangential_restitution value='0.5'/><contact_cfm value='x'/>"
                "<inertia_scaling value='3'/></contact>");
  const ff_material usual = ff_material_default();
  const ff_material visual = shape_at(model, 0).def.material;
  assert_true(visual.stiffness == usual.stiffness && visual.friction == usual.friction);
  for (int i = 1; i < 3; ++i) {
    const ff_material m = shape_at(model, i).def.material;
    assert_true(m.friction == 0.8 && m.stiffness == 30000 && m.damping == 1000 && m.restitution == 0.25);
    assert_true(m.tangential_restitution == 0.5);
  }
  ff_model_destroy(model);
}

static void contact_keeps_defaults_for_what_it_leaves_out(void **state)
{
  (void)state;
  ff_model *model =
      load_link("<collision>" BALL "</collision><contact><lateral_friction value='0.3'/></contact>");
  const ff_material m = shape_at(model, 0).def.material;
  const ff_material usual = ff_material_default();
  assert_true(m.friction == 0.3 && m.stiffness == usual.stiffness && m.damping == usual.damping);
  assert_true(m.restitution == usual.restitution && m.tangential_restitution == usual.tangential_restitution);
  ff_model_destroy(model);
}

// ---- Meshes -----------------------------------------------------------------------------------------------

static void meshes_are_kept_by_name(void **state)
{
  (void)state;
  ff_model *model = load_link(
      "<visual><geometry><mesh filename='package://nowhere/a.dae' scale='0.001 -0.001 0.002'/></geometry></visual>"
      "<collision><geometry><mesh filename='nowhere/b.stl' scale='2'/></geometry></collision>"
      "<collision><geometry><mesh filename='http://example.org/c.stl'/></geometry></collision>");
  static const char *const files[] = {"package://nowhere/a.dae", "nowhere/b.stl", "http://example.org/c.stl"};
  static const double scales[][3] = {{0.001, -0.001, 0.002}, {2, 2, 2}, {1, 1, 1}};
  for (int i = 0; i < 3; ++i) {
    const ff_shape_def mesh = shape_at(model, i).def;
    assert_int_equal(mesh.type, FF_SHAPE_MESH);
    assert_string_equal(mesh.mesh_file, files[i]);
    assert_close(mesh.scale, scales[i], 3, 0, files[i]);
  }
  assert_int_equal(ff_model_get_size(model).warnings, 1); // one for all of them
  assert_int_equal(warnings_with(model, "not found: 3, the first is 'package://nowhere/a.dae'"), 1);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_is_read),
      cmocka_unit_test(planes_are_turned_to_their_normal),
      cmocka_unit_test(what_cannot_be_kept_is_a_warning),
      cmocka_unit_test(colours_are_found_by_name),
      cmocka_unit_test(odd_colours_are_warnings),
      cmocka_unit_test(contact_becomes_the_material_of_collisions),
      cmocka_unit_test(contact_keeps_defaults_for_what_it_leaves_out),
      cmocka_unit_test(meshes_are_kept_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
