// Models as text and back: every shipped model, in both formats, has the same mass matrix, bias and poses at random
// states to 1e-12; limits, postures, actuators and elements are the same; what a format cannot say is told.
#include <footfall/dynamics.h>
#include <footfall/load.h>
#include <footfall/save.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MODELS FFI_TEST_SOURCE_DIR "/models/"

static const char *const files[] = {
    "ball.urdf",       "hopper.urdf",     "links.urdf",         "painleve_rod.urdf", "passive_walker.urdf",
    "pendulum.urdf",   "plate.urdf",      "romeo.urdf",         "simple_biped.urdf", "sliding_block.urdf",
    "solo12.urdf",     "starleth.urdf",   "arm_and_boxes.xml",  "box.xml",           "bullet_paper.xml",
    "chain.xml",       "four_bar.xml",    "gripper.xml",        "hammer.xml",        "mass_on_spring.xml",
    "piles/stack.xml", "piles/books.xml", "piles/dominoes.xml",
};
enum { FILE_COUNT = sizeof files / sizeof files[0] };

static ff_model *load(const char *name)
{
  char path[512];
  ff_error error;
  ff_model *model;
  snprintf(path, sizeof path, MODELS "%s", name);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

static ff_model *read_back(const ff_saved *saved, const char *name)
{
  ff_error error;
  ff_model *model;
  if (ff_model_load_memory(saved->text, saved->length, name, NULL, &model, &error) != FF_OK)
    fail_msg("%s: %s\n%s", name, error.message, saved->text);
  return model;
}

static double random_number(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void close_to(const double *a, const double *b, size_t count, double scale, const char *name,
                     const char *what)
{
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(a[i] - b[i]) <= 1e-12 * scale))
      fail_msg("%s: %s [%zu] is %.17g, was %.17g", name, what, i, b[i], a[i]);
}

static double largest(const double *x, size_t count)
{
  double most = 1;
  for (size_t i = 0; i < count; ++i)
    most = fmax(most, fabs(x[i]));
  return most;
}

// What a state gives: M [nv x nv], bias [nv], and of every link of the first model, by name, position and rotation.
typedef struct picture {
  double *M, *bias, *poses;
} picture;

static picture take_picture(const ff_model *model, const ff_model *names, const double *q, const double *v)
{
  const ff_model_size size = ff_model_get_size(names);
  const size_t nv = (size_t)size.nv;
  ff_dynamics *dynamics;
  ff_error error;
  ff_link_info link;
  picture p = {.M = calloc(nv * nv + 1, sizeof(double)),
               .bias = calloc(nv + 1, sizeof(double)),
               .poses = calloc(12 * (size_t)size.links + 1, sizeof(double))};
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, &error), FF_OK);
  ff_dynamics_kinematics(dynamics, q, v, NULL);
  for (int i = 0; ff_model_link(names, i, &link) == FF_OK; ++i) {
    const int frame = ff_model_find_frame(model, link.name);
    if (frame < 0 && link.inertia.mass == 0) // MJCF puts its joint into the next body
      continue;
    if (frame < 0)
      fail_msg("there is no link '%s'", link.name);
    ff_dynamics_frame_pose(dynamics, frame, p.poses + 12 * i, p.poses + 12 * i + 3);
  }
  ff_dynamics_crba(dynamics, q);
  ff_dynamics_mass_matrix(dynamics, p.M);
  ff_dynamics_bias(dynamics, q, v, p.bias);
  ff_dynamics_destroy(dynamics);
  return p;
}

static void free_picture(picture *p)
{
  free(p->M);
  free(p->bias);
  free(p->poses);
}

// MJCF has no planar joints: a planar one has rates in its own axes there, which turn by its angle.
static int has_planar(const ff_model *model)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (joint.type == FF_JOINT_PLANAR)
      return 1;
  return 0;
}

static void turn_rates(const ff_model *model, const double *q, const double *v, double *out)
{
  ff_joint_info joint;
  memcpy(out, v, (size_t)ff_model_get_size(model).nv * sizeof *v);
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j) {
    if (joint.type != FF_JOINT_PLANAR)
      continue;
    const double c = cos(q[joint.q + 2]), s = sin(q[joint.q + 2]), *x = v + joint.v;
    out[joint.v] = c * x[0] - s * x[1];
    out[joint.v + 1] = s * x[0] + c * x[1];
  }
}

static double kinetic(const double *M, const double *v, size_t nv)
{
  double sum = 0;
  for (size_t i = 0; i < nv; ++i)
    for (size_t j = 0; j < nv; ++j)
      sum += 0.5 * M[i * nv + j] * v[i] * v[j];
  return sum;
}

static void move_alike(const ff_model *a, const ff_model *b, int compares_rates, const char *name)
{
  const ff_model_size size = ff_model_get_size(a), other = ff_model_get_size(b);
  const size_t nq = (size_t)size.nq, nv = (size_t)size.nv;
  double *q = malloc((nq + 1) * sizeof *q), *v = malloc((nv + 1) * sizeof *v);
  uint64_t seed = 7;
  assert_int_equal(size.nq, other.nq);
  assert_int_equal(size.nv, other.nv);
  for (int trial = 0; trial < 5; ++trial) {
    ff_model_neutral(a, q);
    for (size_t i = 0; i < nv; ++i)
      v[i] = 2 * random_number(&seed);
    ff_model_integrate(a, q, v, q);
    for (size_t i = 0; i < nv; ++i)
      v[i] = 2 * random_number(&seed);
    picture one = take_picture(a, a, q, v), two = take_picture(b, a, q, v);
    for (size_t i = 0; i < (size_t)size.links; ++i) // what was not there cannot be compared
      if (two.poses[12 * i + 3] == 0 && two.poses[12 * i + 4] == 0 && two.poses[12 * i + 5] == 0)
        memset(one.poses + 12 * i, 0, 12 * sizeof(double));
    close_to(one.poses, two.poses, 12 * (size_t)size.links, largest(one.poses, 12 * (size_t)size.links), name,
             "pose");
    if (compares_rates) {
      close_to(one.M, two.M, nv * nv, largest(one.M, nv * nv), name, "mass matrix");
      close_to(one.bias, two.bias, nv, largest(one.bias, nv), name, "bias");
    } else {
      double *turned = malloc((nv + 1) * sizeof *turned);
      turn_rates(a, q, v, turned);
      const double before = kinetic(one.M, v, nv), after = kinetic(two.M, turned, nv);
      close_to(&before, &after, 1, fmax(1, before), name, "kinetic energy");
      free(turned);
    }
    free_picture(&one);
    free_picture(&two);
  }
  free(q);
  free(v);
}

static void same_numbers(double a, double b, const char *name, const char *what)
{
  if (!(a == b || fabs(a - b) <= 1e-14 * fabs(a)))
    fail_msg("%s: %s is %.17g, was %.17g", name, what, b, a);
}

static void say_alike(const ff_model *a, const ff_model *b, const char *name)
{
  ff_joint_info one, two;
  for (int j = 0; ff_model_joint(a, j, &one) == FF_OK; ++j) {
    ff_model_joint(b, j, &two);
    assert_string_equal(one.name, two.name);
    same_numbers(one.lower, two.lower, name, "lower limit");
    same_numbers(one.upper, two.upper, name, "upper limit");
    same_numbers(one.damping, two.damping, name, "damping");
    same_numbers(one.friction, two.friction, name, "friction");
    same_numbers(one.armature, two.armature, name, "armature");
    if (one.effort > 0)
      same_numbers(one.effort, two.effort, name, "effort");
  }
  const ff_model_size size = ff_model_get_size(a);
  for (int i = 0; i < size.postures; ++i) {
    const int there = ff_model_find_posture(b, ff_model_posture_name(a, i));
    assert_true(there >= 0);
    close_to(ff_model_posture(a, i), ff_model_posture(b, there), (size_t)size.nq, 10, name, "posture");
  }
  assert_int_equal(size.actuators, ff_model_get_size(b).actuators);
  for (int i = 0; i < size.actuators; ++i) {
    ff_actuator_info x, y;
    ff_model_actuator(a, i, &x);
    ff_model_actuator(b, i, &y);
    assert_int_equal(x.type, y.type);
    assert_int_equal(x.joint, y.joint);
    same_numbers(x.gear, y.gear, name, "gear");
    same_numbers(x.kp, y.kp, name, "kp");
    same_numbers(x.kv, y.kv, name, "kv");
    for (int k = 0; k < 2; ++k) {
      same_numbers(x.control_range[k], y.control_range[k], name, "control range");
      same_numbers(x.force_range[k], y.force_range[k], name, "force range");
    }
  }
}

static ff_model *turn_over(const ff_model *model, ff_model_format format, const char *name)
{
  ff_saved saved;
  ff_error error;
  assert_int_equal(ff_model_save_text(model, format, "robot", &saved, &error), FF_OK);
  ff_model *back = read_back(&saved, name);
  ff_saved_free(&saved);
  return back;
}

static void urdf_moves_alike(void **state)
{
  (void)state;
  for (int i = 0; i < FILE_COUNT; ++i) {
    ff_model *model = load(files[i]), *back = turn_over(model, FF_MODEL_URDF, files[i]);
    move_alike(model, back, 1, files[i]);
    say_alike(model, back, files[i]);
    ff_model_destroy(model);
    ff_model_destroy(back);
  }
}

static void mjcf_moves_alike(void **state)
{
  (void)state;
  for (int i = 0; i < FILE_COUNT; ++i) {
    ff_model *model = load(files[i]), *back = turn_over(model, FF_MODEL_MJCF, files[i]);
    const int is_planar = has_planar(model);
    move_alike(model, back, !is_planar, files[i]);
    if (!is_planar)
      say_alike(model, back, files[i]);
    ff_model_destroy(model);
    ff_model_destroy(back);
  }
}

// There and back again, through the other format.
static void both_ways_together_move_alike(void **state)
{
  (void)state;
  for (int i = 0; i < FILE_COUNT; ++i) {
    ff_model *model = load(files[i]);
    if (!has_planar(model)) {
      ff_model *there = turn_over(model, FF_MODEL_MJCF, files[i]),
               *back = turn_over(there, FF_MODEL_URDF, files[i]);
      move_alike(model, back, 1, files[i]);
      ff_model_destroy(there);
      ff_model_destroy(back);
    }
    ff_model_destroy(model);
  }
}

// A closed loop is held between the same points by the same springs: the ends are where they were.
static void loops_stay_closed(void **state)
{
  (void)state;
  ff_model *model = load("four_bar.xml");
  for (int format = 0; format < 2; ++format) {
    ff_model *back = turn_over(model, (ff_model_format)format, "four_bar");
    const ff_model *const models[2] = {model, back};
    ff_element_def first = ff_element_def_default();
    double q[16], gap[2][3];
    for (int k = 0; k < 2; ++k) {
      ff_dynamics *dynamics;
      ff_element_def e;
      double end[2][3];
      assert_int_equal(ff_model_get_size(models[k]).elements, 1);
      ff_model_element(models[k], 0, &e);
      assert_int_equal(e.type, FF_ELEMENT_POINT);
      if (k == 0)
        first = e;
      same_numbers(first.stiffness, e.stiffness, "four_bar", "stiffness");
      same_numbers(first.damping, e.damping, "four_bar", "damping");
      assert_int_equal(ff_dynamics_create(models[k], NULL, &dynamics, NULL), FF_OK);
      for (int i = 0; i < ff_model_get_size(models[k]).nq; ++i)
        q[i] = 0.3 + 0.2 * i;
      ff_dynamics_kinematics(dynamics, q, NULL, NULL);
      const ff_point *const points[2] = {&e.a, &e.b};
      for (int side = 0; side < 2; ++side) {
        double R[9];
        ff_dynamics_frame_pose(dynamics, points[side]->frame, end[side], R);
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            end[side][r] += R[3 * r + c] * points[side]->offset[c];
      }
      for (int c = 0; c < 3; ++c)
        gap[k][c] = end[0][c] - end[1][c];
      ff_dynamics_destroy(dynamics);
    }
    close_to(gap[0], gap[1], 3, 1, "four_bar", "gap");
    assert_true(fabs(gap[0][0]) + fabs(gap[0][2]) > 0.01); // it is open here, or nothing is compared
    ff_model_destroy(back);
  }
  ff_model_destroy(model);
}

static void what_cannot_be_said_is_told(void **state)
{
  (void)state;
  static const struct {
    const char *file;
    ff_model_format format;
    const char *words;
  } cases[] = {
      {"solo12.urdf", FF_MODEL_MJCF, "4 contact points are spheres of 1 mm"},
      {"solo12.urdf", FF_MODEL_MJCF, "largest speeds of 12 joints are left out"},
      {"passive_walker.urdf", FF_MODEL_MJCF, "2 disks are cylinders"},
      {"mass_on_spring.xml", FF_MODEL_URDF, "its spring is an element of type joint_pd"},
      {"chain.xml", FF_MODEL_URDF, "type \"spherical\" is read by few programs"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_model *model = load(cases[i].file);
    ff_saved saved;
    assert_int_equal(ff_model_save_text(model, cases[i].format, "robot", &saved, NULL), FF_OK);
    if (!strstr(saved.notes, cases[i].words))
      fail_msg("%s: '%s' is not in: %s", cases[i].file, cases[i].words, saved.notes);
    int lines = 0;
    for (const char *at = saved.notes; *at; ++at)
      lines += *at == '\n';
    assert_int_equal(lines, saved.note_count);
    ff_saved_free(&saved);
    ff_model_destroy(model);
  }
}

// What shipped models do not have: planar joints, an oblique one among them, a pitch of a right angle, names that XML
// must escape, one-sided limits, several roots.
static void odd_robots_move_alike(void **state)
{
  (void)state;
#define MASS "<inertial><origin xyz='0.1 0.02 0.3'/><mass value='2'/><inertia ixx='1' iyy='1.1' izz='1.2' "
  "ixy='0.1' ixz='0.02' iyz='0.03'/></inertial>" static const char text[] =
      "<robot name='a &amp; &quot;b&quot;'><link name='world'/>"
      "<joint name='p &lt;1&gt;' type='planar'><parent link='world'/><child link='a'/><axis xyz='0.3 "
      "-0.5 0.8'/><origin xyz='1 2 3' rpy='0.3 0.2 0.1'/></joint>"
      "<link name='a'>" MASS "</link>"
      "<joint name='q' type='planar'><parent link='a'/><child link='b \xc3\xbc'/><axis xyz='0 -1 0'/>"
      "<origin rpy='0.7 1.5707963267948966 -0.4'/></joint>"
      "<link name='b \xc3\xbc'>" MASS "</link>"
      "<joint name='r' type='revolute'><parent link='b \xc3\xbc'/><child link='c'/><axis xyz='1 1 0'/>"
      "<limit lower='-inf' upper='2'/></joint>"
      "<link name='c'>" MASS "</link>"
      "<joint name='f' type='floating'><parent link='world'/><child link='d'/><origin xyz='0 0 5' "
      "rpy='0.1 -1.5707963267948966 0.2'/></joint>"
      "<link name='d'>" MASS "</link></robot>";
  ff_model *model;
  ff_error error;
  if (ff_model_load_memory(text, sizeof text - 1, "odd", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_model *urdf = turn_over(model, FF_MODEL_URDF, "odd"), *mjcf = turn_over(model, FF_MODEL_MJCF, "odd");
  assert_string_equal(ff_model_name(urdf), "a & \"b\"");
  assert_string_equal(ff_model_name(mjcf), "a & \"b\"");
  move_alike(model, urdf, 1, "odd as URDF");
  move_alike(model, mjcf, 0, "odd as MJCF");
  ff_model_destroy(model);
  ff_model_destroy(urdf);
  ff_model_destroy(mjcf);
}

// ---- What touches ---------------------------------------------------------------------------------------------------

// Where a shape is in the world, position and rotation [12], with all joints at zero.
static void place(const ff_dynamics *dynamics, const ff_shape_info *shape, double out[12])
{
  double p[3], R[9], own[9];
  ff_dynamics_frame_pose(dynamics, shape->frame, p, R);
  ff_pose_rotation(&shape->def.pose, own);
  for (int r = 0; r < 3; ++r) {
    out[r] = p[r];
    for (int c = 0; c < 3; ++c) {
      out[r] += R[3 * r + c] * shape->def.pose.position[c];
      out[3 + 3 * r + c] = 0;
      for (int k = 0; k < 3; ++k)
        out[3 + 3 * r + c] += R[3 * r + k] * own[3 * k + c];
    }
  }
}

static ff_dynamics *at_rest(const ff_model *model)
{
  ff_dynamics *dynamics;
  double *q = calloc((size_t)ff_model_get_size(model).nq + 1, sizeof *q);
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, NULL), FF_OK);
  ff_model_neutral(model, q);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  free(q);
  return dynamics;
}

// MJCF has no points and no disks: a tiny sphere and a thin cylinder stand for them, and notes tell so.
static int is_alike(const ff_shape_def *a, const ff_shape_def *b, ff_model_format format)
{
  static const int sizes[] = {
      [FF_SHAPE_SPHERE] = 1, [FF_SHAPE_CAPSULE] = 2, [FF_SHAPE_CYLINDER] = 2, [FF_SHAPE_BOX] = 3};
  if (format == FF_MODEL_MJCF && a->type == FF_SHAPE_POINT)
    return b->type == FF_SHAPE_SPHERE && b->size[0] == 1e-3;
  if (format == FF_MODEL_MJCF && a->type == FF_SHAPE_DISK)
    return b->type == FF_SHAPE_CYLINDER && fabs(b->size[0] - a->size[0]) <= 1e-12;
  if (a->type != b->type)
    return 0;
  for (int i = 0; (size_t)a->type < sizeof sizes / sizeof sizes[0] && i < sizes[a->type]; ++i)
    if (!(fabs(a->size[i] - b->size[i]) <= 1e-12))
      return 0;
  return a->type == FF_SHAPE_PLANE || fabs(a->material.friction - b->material.friction) <= 1e-12;
}

// However often a robot goes to and fro, it does not get more to draw.
static int count_drawn(const ff_model *model)
{
  ff_shape_info shape;
  int count = 0;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    count += (shape.def.purpose & FF_SHAPE_VISUAL) != 0;
  return count;
}

static void what_is_drawn_grows_not(void **state)
{
  (void)state;
  ff_model *model = load("solo12.urdf");
  const int want = count_drawn(model);
  assert_true(want > 0);
  for (int i = 0; i < 4; ++i) {
    ff_model *back = turn_over(model, i % 2 ? FF_MODEL_URDF : FF_MODEL_MJCF, "solo12.urdf");
    assert_int_equal(count_drawn(back), want);
    ff_model_destroy(model);
    model = back;
  }
  ff_model_destroy(model);
}

// Every shape that touches is there again, in its place, of its size, with its friction; and none is there that was
// not.
static void touch_alike(const ff_model *a, const ff_model *b, ff_model_format format, const char *name)
{
  ff_dynamics *one = at_rest(a), *two = at_rest(b);
  ff_shape_info x, y;
  int count = 0, other = 0;
  for (int i = 0; ff_model_shape(b, i, &y) == FF_OK; ++i)
    other += (y.def.purpose & FF_SHAPE_COLLISION) != 0;
  for (int i = 0; ff_model_shape(a, i, &x) == FF_OK; ++i) {
    double from[12], to[12];
    int is_found = 0;
    if (!(x.def.purpose & FF_SHAPE_COLLISION))
      continue;
    ++count;
    place(one, &x, from);
    for (int k = 0; !is_found && ff_model_shape(b, k, &y) == FF_OK; ++k) {
      double away = 0;
      if (!(y.def.purpose & FF_SHAPE_COLLISION) || !is_alike(&x.def, &y.def, format))
        continue;
      place(two, &y, to);
      for (int c = 0; c < (x.def.type == FF_SHAPE_POINT || x.def.type == FF_SHAPE_SPHERE ? 3 : 12); ++c)
        away = fmax(away, fabs(from[c] - to[c]));
      is_found = away < 1e-11;
    }
    if (!is_found)
      fail_msg("%s, format %d: shape %d, a %s at %g %g %g, is not there again", name, (int)format, i,
               ff_shape_type_name(x.def.type), from[0], from[1], from[2]);
  }
  if (count != other)
    fail_msg("%s, format %d: %d shapes that touch, there were %d", name, (int)format, other, count);
  ff_dynamics_destroy(one);
  ff_dynamics_destroy(two);
}

static void what_touches_is_there_again(void **state)
{
  (void)state;
  for (int i = 0; i < FILE_COUNT; ++i) {
    ff_model *model = load(files[i]);
    for (int format = 0; format < 2; ++format) {
      ff_model *back = turn_over(model, (ff_model_format)format, files[i]);
      touch_alike(model, back, (ff_model_format)format, files[i]);
      ff_model_destroy(back);
    }
    ff_model_destroy(model);
  }
}

static void wrong_arguments_are_refused(void **state)
{
  (void)state;
  ff_model *model = load("ball.urdf");
  ff_saved saved;
  ff_error error;
  assert_int_equal(ff_model_save_text(NULL, FF_MODEL_URDF, "x", &saved, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_save_text(model, FF_MODEL_URDF, NULL, &saved, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_save_text(model, (ff_model_format)7, "x", &saved, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_save_text(model, FF_MODEL_URDF, "x", NULL, &error), FF_ERROR_ARGUMENT);
  ff_saved_free(NULL);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(urdf_moves_alike),
      cmocka_unit_test(mjcf_moves_alike),
      cmocka_unit_test(both_ways_together_move_alike),
      cmocka_unit_test(loops_stay_closed),
      cmocka_unit_test(what_touches_is_there_again),
      cmocka_unit_test(what_is_drawn_grows_not),
      cmocka_unit_test(what_cannot_be_said_is_told),
      cmocka_unit_test(odd_robots_move_alike),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
