// Integrate, difference and their Jacobians on random forests.
#include "model/forest.h"
#include "model/model.h"

enum { MAX_Q = 7 * FOREST_MAX, MAX_V = 6 * FOREST_MAX };

static double angle_of(const double *q0, const double *q1) // between two unit quaternions
{
  double d[4], e[4];
  for (int i = 0; i < 4; ++i) {
    d[i] = q0[i] - q1[i];
    e[i] = q0[i] + q1[i];
  }
  double nd = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
  double ne = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  return 4 * atan2(fmin(nd, ne), fmax(nd, ne));
}

// The same place: quaternions up to their sign, planar angles up to whole turns.
static void assert_same_place(const ff_model *model, const double *a, const double *b, double tolerance)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const double *x = a + body->q, *y = b + body->q;
    int plain = body->nq;
    if (body->kind == FFI_KIND_FREE || body->kind == FFI_KIND_SPHERICAL) {
      plain -= 4;
      assert_near(angle_of(x + plain, y + plain), 0, tolerance);
    } else if (body->kind == FFI_KIND_PLANAR) {
      plain -= 1;
      assert_near(remainder(x[2] - y[2], 2 * PI), 0, tolerance);
    }
    for (int k = 0; k < plain; ++k)
      assert_near(x[k], y[k], tolerance);
  }
}

static ff_model *random_model(rng *r)
{
  forest f;
  random_forest(r, 1 + random_below(r, 20), &f);
  return build_forest(&f);
}

static void integrating_the_difference_arrives(void **state)
{
  (void)state;
  rng r = {1};
  for (int t = 0; t < 300; ++t) {
    ff_model *model = random_model(&r);
    double a[MAX_Q], b[MAX_Q], dv[MAX_V], c[MAX_Q];
    random_q(&r, model, a);
    random_q(&r, model, b);
    ff_model_difference(model, a, b, dv);
    ff_model_integrate(model, a, dv, c);
    // Positions up to 4, turned about points up to 4 / sin(angle / 2) away at the worst.
    assert_same_place(model, c, b, 256 * EPS * 4);
    for (int i = 1; i < model->body_count; ++i) {
      const ffi_body *body = &model->bodies[i];
      const double *w = dv + body->v + (body->kind == FFI_KIND_FREE ? 3 : 0);
      if (body->kind == FFI_KIND_FREE || body->kind == FFI_KIND_SPHERICAL)
        assert_true(hypot(hypot(w[0], w[1]), w[2]) <= PI * (1 + 2 * EPS)); // the shortest
      if (body->kind == FFI_KIND_PLANAR)
        assert_true(fabs(w[2]) <= PI * (1 + 2 * EPS));
    }
    ff_model_integrate(model, a, dv, a); // in place
    assert_memory_equal(a, c, (size_t)model->size.nq * sizeof *a);
    ff_model_destroy(model);
  }
}

static void the_difference_of_a_step_is_the_step(void **state)
{
  (void)state;
  rng r = {2};
  const double scales[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1};
  for (int t = 0; t < 300; ++t) {
    ff_model *model = random_model(&r);
    double a[MAX_Q], b[MAX_Q], dv[MAX_V], back[MAX_V];
    random_q(&r, model, a);
    random_vector(&r, model->size.nv, scales[t % 6], dv);
    ff_model_integrate(model, a, dv, b);
    for (int i = 1; i < model->body_count; ++i) { // q and -q are the same
      const ffi_body *body = &model->bodies[i];
      if ((body->kind == FFI_KIND_FREE || body->kind == FFI_KIND_SPHERICAL) && random_below(&r, 2))
        for (int k = 0; k < 4; ++k)
          b[body->q + body->nq - 4 + k] *= -1;
    }
    ff_model_difference(model, a, b, back);
    for (int i = 0; i < model->size.nv; ++i) // what is left of numbers of size 2 after subtracting
      assert_near(back[i], dv[i], 32 * EPS * 4);
    ff_model_destroy(model);
  }
}

static void nothing_moves_without_velocity(void **state)
{
  (void)state;
  rng r = {3};
  for (int t = 0; t < 50; ++t) {
    ff_model *model = random_model(&r);
    double a[MAX_Q], b[MAX_Q], dv[MAX_V] = {0};
    random_q(&r, model, a);
    ff_model_integrate(model, a, dv, b);
    assert_memory_equal(a, b, (size_t)model->size.nq * sizeof *a); // to the bit
    ff_model_difference(model, a, b, dv);
    for (int i = 0; i < model->size.nv; ++i)
      assert_true(fabs(dv[i]) <= 4 * EPS);
    ff_model_destroy(model);
  }
}

// A body at constant body velocity: position by many small steps of the plain rule p += R v h (midpoint).
static void a_free_body_follows_its_velocity(void **state)
{
  enum { STEPS = 4000 };
  (void)state;
  rng r = {4};
  ff_builder *b = new_builder();
  const ff_link_def ball = solid_link("ball", FF_WORLD, NULL, FF_JOINT_FREE);
  add_link(b, &ball);
  ff_model *model = finish(b);
  for (int t = 0; t < 10; ++t) {
    double q[7], dv[6], end[7], p[3], u[4];
    random_vector(&r, 3, 1, q);
    random_unit(&r, 4, q + 3);
    random_vector(&r, 6, 1, dv);
    ff_model_integrate(model, q, dv, end);
    memcpy(p, q, sizeof p);
    memcpy(u, q + 3, sizeof u);
    for (int k = 0; k < STEPS; ++k) {
      const double h = 1.0 / STEPS;
      double half[4], full[4], *out[2] = {half, full};
      for (int s = 0; s < 2; ++s) { // qdot = q (w, 0) / 2, expanded to second order
        const double a = (s ? h : h / 2) / 2, *w = dv + 3,
                     n2 = a * a * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        const double e[4] = {a * w[0] * (1 - n2 / 6), a * w[1] * (1 - n2 / 6), a * w[2] * (1 - n2 / 6),
                             1 - n2 / 2};
        out[s][0] = u[3] * e[0] + u[0] * e[3] + u[1] * e[2] - u[2] * e[1];
        out[s][1] = u[3] * e[1] + u[1] * e[3] + u[2] * e[0] - u[0] * e[2];
        out[s][2] = u[3] * e[2] + u[2] * e[3] + u[0] * e[1] - u[1] * e[0];
        out[s][3] = u[3] * e[3] - u[0] * e[0] - u[1] * e[1] - u[2] * e[2];
      }
      const ff_pose middle = {.quaternion = {half[0], half[1], half[2], half[3]}};
      double R[9];
      ff_pose_rotation(&middle, R);
      for (int i = 0; i < 3; ++i)
        p[i] += h * (R[3 * i] * dv[0] + R[3 * i + 1] * dv[1] + R[3 * i + 2] * dv[2]);
      memcpy(u, full, sizeof u);
    }
    for (int i = 0; i < 3; ++i) // midpoint rule: h^2 / 24 |w|^2 |v|
      assert_near(end[i], p[i], 5.0 / 24 / STEPS / STEPS * 3);
    for (int i = 0; i < 4; ++i)
      assert_near(end[3 + i], u[i], 1e-9);
  }
  ff_model_destroy(model);
}

// d = (f(+h) - f(-h)) 8 / 12 h - (f(2h) - f(-2h)) / 12 h of tangent-valued functions
typedef void (*moved)(const ff_model *model, const double *a, const double *b, const double *step,
                      double *out);

// difference from the unmoved end: integrate(a + step, b) minus integrate(a, b); here b is a velocity
static void move_start(const ff_model *model, const double *q, const double *dv, const double *step,
                       double *out)
{
  double end[MAX_Q], start[MAX_Q], other[MAX_Q];
  ff_model_integrate(model, q, dv, end);
  ff_model_integrate(model, q, step, start);
  ff_model_integrate(model, start, dv, other);
  ff_model_difference(model, end, other, out);
}

static void move_velocity(const ff_model *model, const double *q, const double *dv, const double *step,
                          double *out)
{
  double end[MAX_Q], other[MAX_Q], sum[MAX_V];
  ff_model_integrate(model, q, dv, end);
  for (int i = 0; i < model->size.nv; ++i)
    sum[i] = dv[i] + step[i];
  ff_model_integrate(model, q, sum, other);
  ff_model_difference(model, end, other, out);
}

static void move_q0(const ff_model *model, const double *q0, const double *q1, const double *step,
                    double *out)
{
  double start[MAX_Q];
  ff_model_integrate(model, q0, step, start);
  ff_model_difference(model, start, q1, out);
}

static void move_q1(const ff_model *model, const double *q0, const double *q1, const double *step,
                    double *out)
{
  double end[MAX_Q];
  ff_model_integrate(model, q1, step, end);
  ff_model_difference(model, q0, end, out);
}

static void check_jacobian(const ff_model *model, moved f, const double *a, const double *b, const double *J)
{
  const double h = 1e-3, steps[4] = {h, -h, 2 * h, -2 * h};
  const double weights[4] = {8 / (12 * h), -8 / (12 * h), -1 / (12 * h), 1 / (12 * h)};
  const int nv = model->size.nv;
  for (int j = 0; j < nv; ++j) {
    double sum[MAX_V] = {0};
    for (int s = 0; s < 4; ++s) {
      double step[MAX_V] = {0}, out[MAX_V];
      step[j] = steps[s];
      f(model, a, b, step, out);
      for (int i = 0; i < nv; ++i)
        sum[i] += weights[s] * out[i];
    }
    for (int i = 0; i < nv;
         ++i) // h^4 times a fifth derivative below 100 of motions below 4, and rounding / h
      assert_near(J[i * nv + j], sum[i], 1e-9);
  }
}

static void jacobians_are_derivatives(void **state)
{
  (void)state;
  rng r = {5};
  static double A[MAX_V * MAX_V], B[MAX_V * MAX_V];
  for (int t = 0; t < 60; ++t) {
    forest f;
    random_forest(&r, 1 + random_below(&r, 8), &f);
    ff_model *model = build_forest(&f);
    double a[MAX_Q], b[MAX_Q], dv[MAX_V];
    random_q(&r, model, a);
    random_vector(&r, model->size.nv, t % 3 ? 1 : 1e-7, dv);
    ff_model_integrate_jacobians(model, a, dv, A, B);
    check_jacobian(model, move_start, a, dv, A);
    check_jacobian(model, move_velocity, a, dv, B);
    ff_model_integrate(model, a, dv, b);
    ff_model_difference_jacobians(model, a, b, A, B);
    check_jacobian(model, move_q0, a, b, A);
    check_jacobian(model, move_q1, a, b, B);
    ff_model_integrate_jacobians(model, a, dv, NULL, NULL); // skipping is allowed
    ff_model_difference_jacobians(model, a, b, NULL, NULL);
    ff_model_destroy(model);
  }
}

static void the_length_of_a_quaternion_does_not_matter(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  const ff_link_def box = solid_link("box", FF_WORLD, NULL, FF_JOINT_FREE);
  add_link(b, &box);
  ff_model *model = finish(b);
  // Twice (0, 0, 0.6, 0.8), which takes x to (0.28, 0.96, 0).
  const double q[7] = {0, 0, 0, 0, 0, 1.2, 1.6}, dv[6] = {1}, want[7] = {0.28, 0.96, 0, 0, 0, 0.6, 0.8};
  double end[7], back[6];
  ff_model_integrate(model, q, dv, end);
  for (int i = 0; i < 7; ++i)
    assert_near(end[i], want[i], 4 * EPS);
  ff_model_difference(model, q, end, back);
  for (int i = 0; i < 6; ++i)
    assert_near(back[i], dv[i], 8 * EPS);
  ff_model_destroy(model);

  rng r = {6};
  static double A[2][MAX_V * MAX_V], B[2][MAX_V * MAX_V];
  for (int t = 0; t < 100; ++t) { // all four functions, the same with quaternions of other lengths
    model = random_model(&r);
    const size_t n = (size_t)model->size.nv, bytes = n * n * sizeof(double);
    double from[2][MAX_Q], to[2][MAX_Q], by[MAX_V], q_out[2][MAX_Q], dv_out[2][MAX_V];
    random_q(&r, model, from[0]);
    random_q(&r, model, to[0]);
    random_vector(&r, model->size.nv, 1, by);
    memcpy(from[1], from[0], sizeof from[0]);
    memcpy(to[1], to[0], sizeof to[0]);
    for (int i = 1; i < model->body_count; ++i) {
      const ffi_body *body = &model->bodies[i];
      if (body->kind == FFI_KIND_FREE || body->kind == FFI_KIND_SPHERICAL)
        for (int k = body->q + body->nq - 4; k < body->q + body->nq; ++k)
          from[1][k] *= 4, to[1][k] *= 0.125; // powers of two
    }
    for (int k = 0; k < 2; ++k) {
      ff_model_integrate(model, from[k], by, q_out[k]);
      ff_model_difference(model, from[k], to[k], dv_out[k]);
    }
    for (int i = 0; i < model->size.nq; ++i) // a quaternion is normalised once more
      assert_near(q_out[1][i], q_out[0][i], 32 * EPS);
    for (int i = 0; i < model->size.nv; ++i) // near half turns the logarithm magnifies the shift's part
      assert_near(dv_out[1][i], dv_out[0][i], 1e-12);
    for (int k = 0; k < 2; ++k)
      ff_model_integrate_jacobians(model, from[k], by, A[k], B[k]);
    assert_memory_equal(A[0], A[1], bytes);
    assert_memory_equal(B[0], B[1], bytes);
    for (int k = 0; k < 2; ++k)
      ff_model_difference_jacobians(model, from[k], to[k], A[k], B[k]);
    for (size_t i = 0; i < n * n; ++i) {
      assert_near(A[1][i], A[0][i], 1e-11);
      assert_near(B[1][i], B[0][i], 1e-11);
    }
    ff_model_destroy(model);
  }
}

static void normalising_repairs_quaternions(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  const ff_link_def ball = solid_link("ball", FF_WORLD, "a", FF_JOINT_SPHERICAL),
                    box = solid_link("box", FF_WORLD, "b", FF_JOINT_FREE),
                    arm = solid_link("arm", 0, "c", FF_JOINT_REVOLUTE);
  add_link(b, &ball);
  add_link(b, &box);
  add_link(b, &arm);
  ff_model *model = finish(b);
  double q[12] = {0, 3, 0, 4, 7, 1, 2, 3, 0, 0, 0, 0}; // ball, arm, box
  const double want[12] = {0, 0.6, 0, 0.8, 7, 1, 2, 3, 0, 0, 0, 1};
  ff_model_normalize(model, q);
  for (int i = 0; i < 12; ++i)
    assert_near(q[i], want[i], 2 * EPS);
  ff_model_destroy(model);
}

static void postures_start_from_neutral(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_link_def box = solid_link("box", FF_WORLD, "a", FF_JOINT_FREE),
              ball = solid_link("ball", 0, "b", FF_JOINT_SPHERICAL),
              arm = solid_link("arm", 0, "c", FF_JOINT_REVOLUTE);
  box.joint.pose.position[2] = 0.5;
  add_link(b, &box);
  add_link(b, &ball);
  add_link(b, &arm);
  const double bent[1] = {1}, more[1] = {2}, twice[4] = {0, 0, 0, -8};
  assert_int_equal(ff_builder_set_posture(b, "bent", 2, bent, 1, NULL), FF_OK);
  assert_int_equal(ff_builder_set_posture(b, "other", 1, twice, 4, NULL), FF_OK);
  assert_int_equal(ff_builder_set_posture(b, "bent", 2, more, 1, NULL), FF_OK); // the last counts
  ff_model *model = finish(b);
  const double want[2][12] = {{0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0, 1, 2},
                              {0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0, -1, 0}};
  assert_int_equal(ff_model_get_size(model).postures, 2);
  for (int p = 0; p < 2; ++p)
    for (int i = 0; i < 12; ++i)
      assert_true(ff_model_posture(model, p)[i] == want[p][i]);
  assert_string_equal(ff_model_posture_name(model, 1), "other");
  assert_int_equal(ff_model_find_posture(model, "bent"), 0);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrating_the_difference_arrives),
      cmocka_unit_test(the_difference_of_a_step_is_the_step),
      cmocka_unit_test(nothing_moves_without_velocity),
      cmocka_unit_test(a_free_body_follows_its_velocity),
      cmocka_unit_test(jacobians_are_derivatives),
      cmocka_unit_test(the_length_of_a_quaternion_does_not_matter),
      cmocka_unit_test(normalising_repairs_quaternions),
      cmocka_unit_test(postures_start_from_neutral),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
