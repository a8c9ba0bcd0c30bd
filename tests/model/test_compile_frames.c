// Compiled forests against the same forests walked link by link, as they were described.
#include "model/forest.h"
#include "model/model.h"

#include "math/quaternion.h"

typedef struct placed {
  double p[3], R[9];
} placed;

static placed compose(const placed *a, const double p[3], const double R[9])
{
  placed out;
  ffi_m3_mulv(a->R, p, out.p);
  ffi_v3_add(out.p, a->p, out.p);
  ffi_m3_mul(a->R, R, out.R);
  return out;
}

static const placed WORLD = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

// Rotation about a unit axis, by Rodrigues' formula.
static void about(const double axis[3], double angle, double R[9])
{
  double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R[3 * i + j] = (i == j) * c + (1 - c) * axis[i] * axis[j];
  R[1] -= s * axis[2], R[2] += s * axis[1], R[3] += s * axis[2];
  R[5] -= s * axis[0], R[6] -= s * axis[1], R[7] += s * axis[0];
}

// ---- As described: parent, then the joint's pose, then its motion -----------------------------------------

static placed joint_motion(const ff_joint_def *joint, const double *q)
{
  placed m = WORLD;
  double axis[3], n = ffi_v3_norm(joint->axis);
  for (int i = 0; i < 3; ++i)
    axis[i] = n > 0 ? joint->axis[i] / n : 0;
  switch (joint->type) {
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS: about(axis, q[0], m.R); break;
  case FF_JOINT_PRISMATIC: ffi_v3_scale(q[0], axis, m.p); break;
  case FF_JOINT_SPHERICAL: ffi_quat_matrix(q, m.R); break;
  case FF_JOINT_PLANAR:
    about(axis, q[2], m.R);
    ffi_v3_set(q[0], q[1], 0, m.p);
    break;
  default: break;
  }
  return m;
}

static void walk_links(const forest *f, const ff_model *model, const double *q, placed *out)
{
  for (int i = 0; i < f->count; ++i) {
    const ff_link_def *def = &f->links[i];
    const int joint = ff_model_find_joint(model, def->joint.name);
    assert_int_equal(joint >= 0, def->joint.type != FF_JOINT_FIXED);
    const double *qj = joint < 0 ? NULL : q + model->joints[joint].q;
    if (def->joint.type == FF_JOINT_FREE) {
      ffi_v3_copy(qj, out[i].p);
      ffi_quat_matrix(qj + 3, out[i].R);
      continue;
    }
    double R[9];
    ff_pose_rotation(&def->joint.pose, R);
    placed at = compose(def->parent < 0 ? &WORLD : &out[def->parent], def->joint.pose.position, R);
    const placed m = joint_motion(&def->joint, qj);
    out[i] = compose(&at, m.p, m.R);
  }
}

// ---- As compiled: bodies by kind --------------------------------------------------------------------------

static placed body_motion(const ffi_body *body, const double *q)
{
  static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  placed m = WORLD;
  switch (body->kind) {
  case FFI_KIND_REVOLUTE_X: about(axes[0], q[0], m.R); break;
  case FFI_KIND_REVOLUTE_Y: about(axes[1], q[0], m.R); break;
  case FFI_KIND_REVOLUTE_Z:
  case FFI_KIND_REVOLUTE_G: about(axes[2], q[0], m.R); break;
  case FFI_KIND_PRISMATIC_X: m.p[0] = q[0]; break;
  case FFI_KIND_PRISMATIC_Y: m.p[1] = q[0]; break;
  case FFI_KIND_PRISMATIC_Z:
  case FFI_KIND_PRISMATIC_G: m.p[2] = q[0]; break;
  case FFI_KIND_PLANAR:
    about(axes[2], q[2], m.R);
    ffi_v3_set(q[0], q[1], 0, m.p);
    break;
  case FFI_KIND_SPHERICAL: ffi_quat_matrix(q, m.R); break;
  case FFI_KIND_FREE:
    ffi_v3_copy(q, m.p);
    ffi_quat_matrix(q + 3, m.R);
    break;
  default: fail_msg("unexpected kind %d", body->kind);
  }
  return m;
}

static void walk_bodies(const ff_model *model, const double *q, placed *out)
{
  out[0] = WORLD;
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const placed at = compose(&out[body->parent], body->p, body->R0), m = body_motion(body, q + body->q);
    out[i] = compose(&at, m.p, m.R);
  }
}

static void check_same(const placed *a, const placed *b, double tolerance)
{
  for (int i = 0; i < 3; ++i)
    assert_near(a->p[i], b->p[i], tolerance);
  for (int i = 0; i < 9; ++i)
    assert_near(a->R[i], b->R[i], tolerance);
}

static void poses_are_those_described(void **state)
{
  (void)state;
  rng r = {1};
  for (int t = 0; t < 300; ++t) {
    forest f;
    double q[7 * FOREST_MAX];
    placed links[FOREST_MAX], bodies[FOREST_MAX + 1];
    random_forest(&r, 1 + random_below(&r, FOREST_MAX), &f);
    ff_model *model = build_forest(&f);
    for (int k = 0; k < 3; ++k) {
      ff_model_neutral(model, q);
      if (k > 0)
        random_q(&r, model, q);
      walk_links(&f, model, q, links);
      walk_bodies(model, q, bodies);
      // Each of up to 64 steps adds a rounding of positions up to 64 * 3.
      const double tolerance = 8 * EPS * f.count * 64;
      for (int i = 0; i < f.count; ++i) {
        const ffi_frame *frame = &model->frames[ff_model_find_frame(model, f.names[i])];
        const placed got = compose(&bodies[frame->body], frame->p, frame->R);
        check_same(&got, &links[i], tolerance);
      }
      for (int i = 0; i < f.frame_count; ++i) {
        const ffi_frame *frame = &model->frames[ff_model_find_frame(model, f.frame_names[i])];
        const placed got = compose(&bodies[frame->body], frame->p, frame->R);
        double R[9];
        ff_pose_rotation(&f.frame_pose[i], R);
        const placed want =
            compose(f.frame_link[i] < 0 ? &WORLD : &links[f.frame_link[i]], f.frame_pose[i].position, R);
        check_same(&got, &want, tolerance);
      }
    }
    ff_model_destroy(model);
  }
}

static void a_free_joint_starts_where_it_was_described(void **state)
{
  (void)state;
  rng r = {2};
  for (int t = 0; t < 100; ++t) { // under a link that is itself fixed to the world somewhere
    ff_builder *b = new_builder();
    ff_link_def base = solid_link("base", FF_WORLD, NULL, FF_JOINT_FIXED);
    ff_link_def ball = solid_link("ball", 0, NULL, FF_JOINT_FREE);
    base.joint.pose = random_pose(&r);
    ball.joint.pose = random_pose(&r);
    add_link(b, &base);
    add_link(b, &ball);
    ff_model *model = finish(b);
    double q[7], R[9], want[9];
    ff_model_neutral(model, q);
    ff_pose at = ff_pose_compose(&base.joint.pose, &ball.joint.pose);
    ff_pose_rotation(&at, want);
    ffi_quat_matrix(q + 3, R);
    for (int i = 0; i < 3; ++i)
      assert_near(q[i], at.position[i], 16 * EPS * 4);
    for (int i = 0; i < 9; ++i)
      assert_near(R[i], want[i], 32 * EPS);
    ff_model_destroy(model);
  }
}

// Kinetic energy of a body that moves at (v, w) in its internal frame: link by link, from poses at q = 0.
static void masses_are_those_of_the_links(void **state)
{
  (void)state;
  rng r = {3};
  for (int t = 0; t < 100; ++t) {
    forest f;
    double q[7 * FOREST_MAX], energy[FOREST_MAX + 1] = {0}, motion[FOREST_MAX + 1][6];
    placed links[FOREST_MAX], bodies[FOREST_MAX + 1];
    random_forest(&r, 1 + random_below(&r, FOREST_MAX), &f);
    ff_model *model = build_forest(&f);
    random_q(&r, model, q);
    walk_links(&f, model, q, links);
    walk_bodies(model, q, bodies);
    for (int i = 0; i < model->body_count; ++i)
      random_vector(&r, 6, 1, motion[i]);
    double mass = 0;
    for (int i = 0; i < f.count; ++i) {
      const ff_inertia *in = &f.links[i].inertia;
      const int body = model->frames[ff_model_find_frame(model, f.names[i])].body;
      const double *v = motion[body], *w = v + 3;
      double c[3], wl[3], vc[3], I[9], Iw[3], wb[3];
      // centre of mass in the body's frame, through the world
      ffi_m3_mulv(links[i].R, in->com, c);
      ffi_v3_add(c, links[i].p, c);
      ffi_v3_sub(c, bodies[body].p, c);
      ffi_m3_tmulv(bodies[body].R, c, c);
      ffi_v3_cross(w, c, vc);
      ffi_v3_add(vc, v, vc);
      ffi_m3_mulv(bodies[body].R, w, wb);
      ffi_m3_tmulv(links[i].R, wb, wl);
      ffi_m3_from_sym(in->matrix, I);
      ffi_m3_mulv(I, wl, Iw);
      energy[body] += in->mass * ffi_v3_dot(vc, vc) / 2 + ffi_v3_dot(wl, Iw) / 2;
      mass += body > 0 ? in->mass : 0;
    }
    assert_near(ff_model_mass(model), mass, EPS * mass * f.count);
    for (int i = 0; i < model->body_count; ++i) {
      const ffi_body *body = &model->bodies[i];
      const double *v = motion[i], *w = v + 3;
      double wv[3], I[9], Iw[3], S[9], trace = body->I[0] + body->I[3] + body->I[5];
      ffi_v3_cross(w, body->mc, wv);
      ffi_m3_from_sym(body->I, I);
      ffi_m3_mulv(I, w, Iw);
      double got = body->mass * ffi_v3_dot(v, v) / 2 + ffi_v3_dot(v, wv) + ffi_v3_dot(w, Iw) / 2;
      assert_near(got, energy[i], 64 * EPS * f.count * (1 + energy[i] + trace + body->mass));
      // Sigma = integral of r r': its trace is half that of I, and I = tr(Sigma) 1 - Sigma.
      ffi_m3_from_sym(body->Sigma, S);
      for (int k = 0; k < 9; ++k)
        assert_near((k % 4 == 0 ? S[0] + S[4] + S[8] : 0) - S[k], I[k], 8 * EPS * trace);
    }
    ff_model_destroy(model);
  }
}

static void tables_describe_the_tree(void **state)
{
  (void)state;
  rng r = {4};
  for (int t = 0; t < 200; ++t) {
    forest f;
    random_forest(&r, 1 + random_below(&r, FOREST_MAX), &f);
    ff_model *model = build_forest(&f);
    const ff_model_size size = ff_model_get_size(model);
    int nq = 0, nv = 0, max_level = 0, max_depth = 0, roots = 0;
    for (int i = 0; i < model->body_count; ++i) {
      const ffi_body *body = &model->bodies[i];
      int level = 0, depth = 0;
      for (int at = i; at > 0; at = model->bodies[at].parent) {
        ++level;
        depth += model->bodies[at].nv;
        assert_true(model->bodies[at].parent < at);
      }
      assert_int_equal(body->level, level);
      assert_int_equal(body->depth, depth);
      if (i > 0) {
        assert_int_equal(body->q, nq);
        assert_int_equal(body->v, nv);
      }
      nq += body->nq;
      nv += body->nv;
      roots += body->parent == 0;
      max_level = level > max_level ? level : max_level;
      max_depth = depth > max_depth ? depth : max_depth;
      for (int j = 0; j < model->body_count; ++j) { // subtree: exactly those with i above them
        int is_below = 0;
        for (int at = j; at >= 0; at = model->bodies[at].parent)
          is_below |= at == i;
        assert_int_equal(is_below, j >= i && j < body->subtree_end);
        if (model->bodies[j].nv > 0 && i > 0)
          assert_int_equal(is_below, model->bodies[j].v >= body->v && model->bodies[j].v < body->v_end);
      }
    }
    assert_int_equal(size.nq, nq);
    assert_int_equal(size.nv, nv);
    assert_int_equal(size.roots, roots);
    assert_int_equal(size.joints, model->body_count - 1);
    assert_int_equal(model->max_level, max_level);
    assert_int_equal(model->max_depth, max_depth);

    assert_int_equal(model->dof_row[0], 0);
    for (int i = 0; i < nv; ++i) {
      const ffi_body *body = &model->bodies[model->dof_body[i]];
      int path[7 * FOREST_MAX], n = 0; // velocities from i up to the root
      for (int at = model->dof_body[i]; at > 0; at = model->bodies[at].parent)
        for (int j = model->bodies[at].v + model->bodies[at].nv - 1; j >= model->bodies[at].v; --j)
          if (j <= i)
            path[n++] = j;
      assert_true(i >= body->v && i < body->v + body->nv);
      assert_int_equal(path[0], i);
      assert_int_equal(model->dof_depth[i], n - 1);
      assert_int_equal(model->dof_parent[i], n > 1 ? path[1] : -1);
      assert_int_equal(model->dof_row[i + 1] - model->dof_row[i], n);
      const ff_joint_info *joint = &model->joints[model->dof_body[i] - 1];
      assert_true(model->dof_armature[i] == joint->armature && model->dof_damping[i] == joint->damping);
    }
    ff_model_destroy(model);
  }
}

static void kinds_keep_their_promises(void **state)
{
  (void)state;
  rng r = {5};
  int seen[FFI_KIND_FREE + 1] = {0};
  for (int t = 0; t < 200; ++t) {
    forest f;
    random_forest(&r, 1 + random_below(&r, FOREST_MAX), &f);
    ff_model *model = build_forest(&f);
    for (int i = 0; i < model->body_count; ++i) {
      const ffi_body *body = &model->bodies[i];
      double G[9];
      ++seen[body->kind];
      int is_identity = 1;
      for (int k = 0; k < 9; ++k)
        is_identity &= body->R0[k] == (k % 4 == 0);
      const int has_turn = body->kind == FFI_KIND_REVOLUTE_G || body->kind == FFI_KIND_PRISMATIC_G ||
                           body->kind == FFI_KIND_PLANAR || body->kind == FFI_KIND_SPHERICAL;
      if (!has_turn)
        assert_true(is_identity);
      // A general joint is one whose axis is not exactly a positive axis of its parent.
      if (body->kind == FFI_KIND_REVOLUTE_G || body->kind == FFI_KIND_PRISMATIC_G)
        assert_true(fmax(body->R0[2], fmax(body->R0[5], body->R0[8])) < 1);
      ffi_m3_tmul(body->R0, body->R0, G);
      for (int k = 0; k < 9; ++k)
        assert_near(G[k], k % 4 == 0, 8 * EPS);
      if (body->kind == FFI_KIND_FREE)
        assert_true(body->parent == 0 && body->p[0] == 0 && body->p[1] == 0 && body->p[2] == 0);
    }
    for (int i = 0; i < model->size.frames; ++i) {
      double G[9];
      ffi_m3_tmul(model->frames[i].R, model->frames[i].R, G);
      for (int k = 0; k < 9; ++k)
        assert_near(G[k], k % 4 == 0, 8 * EPS);
    }
    ff_model_destroy(model);
  }
  for (int k = 0; k <= FFI_KIND_FREE; ++k)
    assert_true(seen[k] > 0);
}

static ffi_body compiled_joint(ff_joint_type type, const ff_pose *pose, const double axis[3])
{
  ff_builder *b = new_builder();
  ff_link_def def = solid_link("a", FF_WORLD, NULL, type);
  memcpy(def.joint.axis, axis, sizeof def.joint.axis);
  def.joint.pose = *pose;
  add_link(b, &def);
  ff_model *model = finish(b);
  const ffi_body body = model->bodies[1];
  ff_model_destroy(model);
  return body;
}

static void cardinal_axes_are_recognised(void **state)
{
  static const double zero[3] = {0, 0, 0};
  (void)state;
  for (int k = 0; k < 3; ++k) { // axis k, turned by quarter turns given as angles, lands on the axes in turn
    for (int turns = -4; turns <= 4; ++turns) {
      double axis[3] = {0, 0, 0}, rpy[3] = {0, 0, 0}, want[3];
      axis[k] = 5;
      rpy[(k + 1) % 3] = turns * PI / 2;
      ff_pose pose = ff_pose_from_rpy(zero, rpy);
      ffi_v3_set(0, 0, 0, want);
      const int quarter = ((turns % 4) + 4) % 4;
      want[quarter % 2 ? (k + 2) % 3 : k] = quarter == 0 ? 1 : quarter == 2 ? -1 : quarter == 1 ? -1 : 1;
      const ffi_body body = compiled_joint(FF_JOINT_REVOLUTE, &pose, axis);
      int positive = -1;
      for (int i = 0; i < 3; ++i)
        positive = want[i] > 0 ? i : positive;
      if (positive >= 0) {
        assert_int_equal(body.kind, FFI_KIND_REVOLUTE_X + positive);
      } else {
        assert_int_equal(body.kind, FFI_KIND_REVOLUTE_G);
        for (int i = 0; i < 3; ++i)
          assert_true(body.R0[3 * i + 2] == want[i]);
        for (int i = 0; i < 9; ++i)
          assert_true(body.R0[i] == 0 || fabs(body.R0[i]) == 1);
      }
    }
  }
  const ff_pose one = ff_pose_identity();
  const double nearly[3] = {1e-15, 0, 1}; // five eps away is another axis
  assert_int_equal(compiled_joint(FF_JOINT_PRISMATIC, &one, nearly).kind, FFI_KIND_PRISMATIC_G);
}

// Quarter turns given as angles stay exact, however many follow one another.
static void quarter_turns_stay_exact_down_a_chain(void **state)
{
  enum { N = 300 };
  (void)state;
  rng r = {7};
  ff_builder *b = new_builder();
  for (int i = 0; i < N; ++i) {
    char name[24];
    const double offset[3] = {0.1, 0, 0};
    double rpy[3];
    snprintf(name, sizeof name, "l%d", i);
    for (int k = 0; k < 3; ++k)
      rpy[k] = (random_below(&r, 5) - 2) * PI / 2;
    ff_link_def def = solid_link(name, i - 1, NULL, random_below(&r, 2) ? FF_JOINT_FIXED : FF_JOINT_REVOLUTE);
    def.joint.pose = ff_pose_from_rpy(offset, rpy);
    add_link(b, &def);
  }
  ff_model *model = finish(b);
  for (int i = 0; i < model->size.frames; ++i)
    for (int k = 0; k < 9; ++k)
      assert_true(model->frames[i].R[k] == 0 || fabs(model->frames[i].R[k]) == 1);
  for (int i = 0; i < model->body_count; ++i)
    for (int k = 0; k < 9; ++k)
      assert_true(model->bodies[i].R0[k] == 0 || fabs(model->bodies[i].R0[k]) == 1);
  ff_model_destroy(model);
}

static void planar_joints_stay_in_their_plane(void **state)
{
  (void)state;
  rng r = {6};
  for (int t = 0; t < 100; ++t) {
    ff_builder *b = new_builder();
    ff_link_def def = solid_link("a", FF_WORLD, NULL, FF_JOINT_PLANAR);
    random_unit(&r, 3, def.joint.axis);
    if (t < 3)
      for (int i = 0; i < 3; ++i)
        def.joint.axis[i] = i == t;
    def.joint.pose = random_pose(&r);
    add_link(b, &def);
    ff_model *model = finish(b);
    double q[3], J[9], n[3], moved[3], R[9], want[9], turn[9];
    placed at[2];
    random_vector(&r, 3, 2, q);
    walk_bodies(model, q, at);
    const placed link = compose(&at[1], model->frames[1].p, model->frames[1].R);
    ff_pose_rotation(&def.joint.pose, J);
    ffi_m3_mulv(J, def.joint.axis, n);
    ffi_v3_sub(link.p, def.joint.pose.position, moved);
    assert_near(ffi_v3_dot(moved, n), 0, 32 * EPS);
    assert_near(ffi_v3_norm(moved), hypot(q[0], q[1]), 32 * EPS);
    about(def.joint.axis, q[2], turn); // the link is turned about the normal, from its place at zero
    ffi_m3_mul(J, turn, want);
    ffi_m3_copy(link.R, R);
    for (int i = 0; i < 9; ++i)
      assert_near(R[i], want[i], 32 * EPS);
    if (t == 2) { // normal +z: x and y are the joint's own
      double expected[3] = {q[0], q[1], 0};
      ffi_m3_mulv(J, expected, expected);
      for (int i = 0; i < 3; ++i)
        assert_near(moved[i], expected[i], 32 * EPS);
    }
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_are_those_described),
      cmocka_unit_test(a_free_joint_starts_where_it_was_described),
      cmocka_unit_test(masses_are_those_of_the_links),
      cmocka_unit_test(tables_describe_the_tree),
      cmocka_unit_test(kinds_keep_their_promises),
      cmocka_unit_test(cardinal_axes_are_recognised),
      cmocka_unit_test(quarter_turns_stay_exact_down_a_chain),
      cmocka_unit_test(planar_joints_stay_in_their_plane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
