// Every kernel against MuJoCo, on 200 random forests and every shipped model: relative error 1e-10.
//
// What "relative" means, by kind of result, with w_i = sqrt(M_ii), the unit that the mass matrix gives to
// velocity i:
//   M                  |dM_ij| / (w_i w_j)
//   forces             |df_i| / w_i, over the largest |f_i| / w_i of the terms (bias, forces, M vdot)
//   accelerations      |da_i| w_i, over the largest |a_i| w_i
//   poses, Jacobians   |dx| over the distance from the origin, at least 1 m
//   J M^-1 J'          |dU| over sqrt(tr U_aa tr U_bb), with U_aa and U_bb the 3 x 3 blocks of the two points
// MuJoCo refuses inertias that no rigid body can have and moving links without mass. Models that have some
// are compared as copies in which both sides see the same repaired inertias (support/mujoco_twin.h); the
// originals are held against inverse dynamics and sums over links in tests/dynamics.
#include "support/mujoco_twin.h"
#include "support/near.h"
#include "support/random_model.h"
#include "support/shipped_models.h"

#include <footfall/dynamics.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FORESTS = 200, STATES = 3, POINTS = 3 };

// One model on both sides, and one state.
typedef struct pair {
  const ff_model *model;
  ff_dynamics *d;
  mjModel *mj;
  mjData *data;
  ff_model_size size;
  int nv, number;
  int *qpos, *qvel, *body; // addresses of our joints there; body of our links there
  ffi_twin_map map;
  ffi_random random;
  double *q, *v, *vdot, *tau, *w;
} pair;

typedef struct margins {
  ffi_margin poses, velocities, accelerations, jacobians, com, momentum, energies, mass, bias, inverse,
      forward, delassus;
} margins;

static margins margins_begin(void)
{
  const double t = 1e-10;
  return (margins){
      .poses = {.what = "poses", .tolerance = t},
      .velocities = {.what = "velocities", .tolerance = t},
      .accelerations = {.what = "accelerations", .tolerance = t},
      .jacobians = {.what = "Jacobians", .tolerance = t},
      .com = {.what = "centre of mass", .tolerance = t},
      .momentum = {.what = "momentum", .tolerance = t},
      .energies = {.what = "energies", .tolerance = t},
      .mass = {.what = "mass matrix", .tolerance = t},
      .bias = {.what = "bias force", .tolerance = t},
      .inverse = {.what = "inverse dynamics", .tolerance = t},
      .forward = {.what = "forward dynamics", .tolerance = t},
      .delassus = {.what = "J M^-1 J'", .tolerance = t},
  };
}

static void margins_check(const margins *m)
{
  const ffi_margin *all = &m->poses;
  for (size_t k = 0; k < sizeof *m / sizeof *all; ++k)
    ffi_margin_check(&all[k]);
}

static double *doubles(int count)
{
  double *out = calloc((size_t)count + (count == 0), sizeof *out);
  assert_non_null(out);
  return out;
}

// ---- The pair ---------------------------------------------------------------------------------------------

static void complain(const char *text)
{
  fail_msg("MuJoCo: %s", text);
}

static mjModel *load_twin(const ff_model *model)
{
  char path[] = "/tmp/footfall-twin-XXXXXX.xml", error[1000] = "";
  const int descriptor = mkstemps(path, 4);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
  if (!file)
    fail_msg("cannot write %s", path);
  ffi_twin_write(model, file);
  fclose(file);
  mjModel *mj = mj_loadXML(path, NULL, error, sizeof error);
  if (!mj)
    fail_msg("%s, %s: %s", ff_model_name(model), path, error); // the file stays, to be looked at
  unlink(path);
  return mj;
}

static int find(const pair *p, int kind, const char *format, int index, const char *suffix)
{
  char name[32];
  snprintf(name, sizeof name, format, index, suffix);
  const int id = mj_name2id(p->mj, kind, name);
  assert_true(id >= 0);
  return id;
}

static pair pair_begin(const ff_model *model, int number)
{
  pair p = {.model = model, .number = number, .size = ff_model_get_size(model)};
  assert_int_equal(ff_dynamics_create(model, NULL, &p.d, NULL), FF_OK);
  p.mj = load_twin(model);
  p.data = mj_makeData(p.mj);
  p.nv = p.size.nv;
  assert_int_equal(p.mj->nv, p.nv);
  assert_int_equal(p.mj->nbody, p.size.links + 1);
  p.qpos = calloc((size_t)p.size.joints + 1, sizeof *p.qpos);
  p.qvel = calloc((size_t)p.size.joints + 1, sizeof *p.qvel);
  p.body = calloc((size_t)p.size.links + 1, sizeof *p.body);
  for (int j = 0; j < p.size.joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    const int id = find(&p, mjOBJ_JOINT, "j%d%s", j, joint.type == FF_JOINT_PLANAR ? "x" : "");
    p.qpos[j] = p.mj->jnt_qposadr[id];
    p.qvel[j] = p.mj->jnt_dofadr[id];
  }
  for (int k = 0; k < p.size.links; ++k)
    p.body[k] = find(&p, mjOBJ_BODY, "b%d%s", k, "");
  p.map = (ffi_twin_map){p.qpos, p.qvel};
  p.random = ffi_random_seed((uint64_t)number + 9000);
  p.q = doubles(p.size.nq);
  p.v = doubles(p.nv);
  p.vdot = doubles(p.nv);
  p.tau = doubles(p.nv);
  p.w = doubles(p.nv);
  return p;
}

static void pair_end(pair *p)
{
  mj_deleteData(p->data);
  mj_deleteModel(p->mj);
  ff_dynamics_destroy(p->d);
  free(p->qpos);
  free(p->qvel);
  free(p->body);
  free(p->q);
  free(p->v);
  free(p->vdot);
  free(p->tau);
  free(p->w);
}

// A new random state; MuJoCo computes everything at it, with accelerations from our forces in p->data->qacc.
static void pair_move(pair *p)
{
  double *rate = doubles(p->nv), *armature = doubles(p->nv);
  ffi_random_q(&p->random, p->model, p->q);
  ffi_random_vector(&p->random, p->nv, 2, p->v);
  ffi_random_vector(&p->random, p->nv, 5, p->vdot);
  ffi_random_vector(&p->random, p->nv, 10, p->tau);
  mj_resetData(p->mj, p->data);
  ffi_twin_qpos(p->model, p->map, p->q, p->data->qpos);
  ffi_twin_turn(p->model, p->map, p->q, p->v, p->data->qvel);
  ffi_twin_turn(p->model, p->map, p->q, p->tau, p->data->qfrc_applied);
  // A rotor's inertia multiplies each side's own accelerations: vdot here, T vdot + Tdot v there.
  ffi_twin_turn_rate(p->model, p->map, p->q, p->v, rate);
  ffi_twin_armature(p->model, p->map, armature);
  for (int i = 0; i < p->nv; ++i)
    p->data->qfrc_applied[i] += armature[i] * rate[i];
  mj_forward(p->mj, p->data);
  free(rate);
  free(armature);
}

// ---- Kinematics -------------------------------------------------------------------------------------------

static double reach(const pair *p)
{
  return fmax(1, ffi_size(3 * p->mj->nbody, p->data->xpos));
}

static void compare_frames(pair *p, margins *m)
{
  const int n = p->nv;
  const double length = reach(p);
  double *J = doubles(6 * n), *theirs = doubles(6 * n), *row = doubles(n), *back = doubles(n);
  double x[3], R[9], twist[6], spatial[6];
  ff_dynamics_kinematics(p->d, p->q, p->v, NULL);
  for (int k = 0; k < p->size.links; ++k) {
    ff_link_info link;
    ff_model_link(p->model, k, &link);
    ff_dynamics_frame_pose(p->d, link.frame, x, R);
    ffi_margin_add(&m->poses, ffi_gap(3, x, p->data->xpos + 3 * p->body[k]) / length, p->number);
    ffi_margin_add(&m->poses, ffi_gap(9, R, p->data->xmat + 9 * p->body[k]), p->number);

    mj_jac(p->mj, p->data, theirs, theirs + 3 * n, x, p->body[k]);
    ff_dynamics_frame_jacobian(p->d, link.frame, FF_AXES_LOCAL_ALIGNED, J);
    for (int r = 0; r < 6; ++r) { // J = J_mj T: each row goes back like a force
      ffi_twin_turn_back(p->model, p->map, p->q, theirs + r * n, back);
      ffi_margin_add(&m->jacobians, ffi_gap(n, J + r * n, back) / length, p->number);
    }

    ff_dynamics_frame_velocity(p->d, link.frame, FF_AXES_LOCAL_ALIGNED, twist);
    mj_objectVelocity(p->mj, p->data, mjOBJ_XBODY, p->body[k], spatial, 0); // angular first
    const double size = length * fmax(1, ffi_size(6, spatial));
    ffi_margin_add(&m->velocities, ffi_gap(3, twist, spatial + 3) / size, p->number);
    ffi_margin_add(&m->velocities, ffi_gap(3, twist + 3, spatial) / size, p->number);
  }
  free(J);
  free(theirs);
  free(row);
  free(back);
}

// At the accelerations vdot of the state. MuJoCo's contain the reaction to gravity.
static void compare_accelerations(pair *p, margins *m)
{
  double *rate = doubles(p->nv), gravity[3], rise[6], theirs[6];
  ffi_twin_turn(p->model, p->map, p->q, p->vdot, p->data->qacc);
  ffi_twin_turn_rate(p->model, p->map, p->q, p->v, rate);
  for (int i = 0; i < p->nv; ++i)
    p->data->qacc[i] += rate[i];
  mj_rnePostConstraint(p->mj, p->data);
  ff_model_gravity(p->model, gravity);
  ff_dynamics_kinematics(p->d, p->q, p->v, p->vdot);
  double largest = 1;
  for (int k = 0; k < p->size.links; ++k) {
    mj_objectAcceleration(p->mj, p->data, mjOBJ_XBODY, p->body[k], theirs, 0);
    largest = fmax(largest, ffi_size(6, theirs));
  }
  for (int k = 0; k < p->size.links; ++k) {
    ff_link_info link;
    ff_model_link(p->model, k, &link);
    ff_dynamics_frame_acceleration(p->d, link.frame, FF_AXES_LOCAL_ALIGNED, rise);
    mj_objectAcceleration(p->mj, p->data, mjOBJ_XBODY, p->body[k], theirs, 0);
    for (int r = 0; r < 3; ++r)
      theirs[3 + r] += gravity[r];
    ffi_margin_add(&m->accelerations, ffi_gap(3, rise, theirs + 3) / largest, p->number);
    ffi_margin_add(&m->accelerations, ffi_gap(3, rise + 3, theirs) / largest, p->number);
  }
  free(rate);
}

// Centre of mass, momentum and energies of what moves; MuJoCo's totals count the links that are fixed to the
// world too.
static void compare_totals(pair *p, margins *m)
{
  const mjModel *mj = p->mj;
  double mass = 0, total = 0, com[3] = {0}, gravity[3], got[6], linear[3], angular[3], arm[3], kinetic,
         potential;
  ff_model_gravity(p->model, gravity);
  mj_subtreeVel(mj, p->data);
  double still = 0; // potential energy of what does not move
  for (int b = 1; b < mj->nbody; ++b) {
    const double *x = p->data->xipos + 3 * b;
    total += mj->body_mass[b];
    if (mj->body_weldid[b] == 0)
      still -= mj->body_mass[b] * (gravity[0] * x[0] + gravity[1] * x[1] + gravity[2] * x[2]);
    else
      mass += mj->body_mass[b];
    for (int r = 0; r < 3 && mj->body_weldid[b] != 0; ++r)
      com[r] += mj->body_mass[b] * x[r];
  }
  const double length = reach(p);
  for (int r = 0; r < 3; ++r) {
    com[r] /= mass;
    linear[r] = p->data->subtree_linvel[r] * total;
    arm[r] = p->data->subtree_com[r] - com[r]; // from our centre to theirs
  }
  const double *L = p->data->subtree_angmom;
  angular[0] = L[0] + arm[1] * linear[2] - arm[2] * linear[1];
  angular[1] = L[1] + arm[2] * linear[0] - arm[0] * linear[2];
  angular[2] = L[2] + arm[0] * linear[1] - arm[1] * linear[0];

  ff_dynamics_com(p->d, got);
  ffi_margin_add(&m->com, ffi_gap(3, got, com) / length, p->number);
  ff_dynamics_momentum(p->d, got);
  const double size = sqrt(2 * p->data->energy[1] * mass); // m |v| of a body with that mass and energy
  ffi_margin_add(&m->momentum, ffi_gap(3, got, linear) / size, p->number);
  ffi_margin_add(&m->momentum, ffi_gap(3, got + 3, angular) / size / length, p->number);
  ff_dynamics_kinetic_energy(p->d, &kinetic);
  ff_dynamics_potential_energy(p->d, &potential);
  ffi_margin_add(&m->energies, fabs(kinetic - p->data->energy[1]) / p->data->energy[1], p->number);
  ffi_margin_add(&m->energies, fabs(potential + still - p->data->energy[0]) / (9.81 * total * length),
                 p->number);
}

// ---- Dynamics ---------------------------------------------------------------------------------------------

// M = T' M_mj T. Leaves ours in p->w as square roots of its diagonal.
static void compare_mass(pair *p, margins *m)
{
  const int n = p->nv;
  double *theirs = doubles(n * n), *M = doubles(n * n), *unit = doubles(n), *turned = doubles(n),
         *column = doubles(n);
  ff_dynamics_crba(p->d, p->q);
  ff_dynamics_mass_matrix(p->d, M);
  mj_fullM(p->mj, theirs, p->data->qM);
  for (int i = 0; i < n; ++i)
    p->w[i] = sqrt(M[i * n + i]);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    ffi_twin_turn(p->model, p->map, p->q, unit, turned);
    unit[j] = 0;
    for (int i = 0; i < n; ++i) {
      column[i] = 0;
      for (int k = 0; k < n; ++k)
        column[i] += theirs[i * n + k] * turned[k];
    }
    ffi_twin_turn_back(p->model, p->map, p->q, column, turned);
    for (int i = 0; i < n; ++i)
      ffi_margin_add(&m->mass, ffi_gap(1, &M[i * n + j], &turned[i]) / (p->w[i] * p->w[j]), p->number);
  }
  free(theirs);
  free(M);
  free(unit);
  free(turned);
  free(column);
}

static double weighted(const pair *p, int is_force, const double *x, const double *y)
{
  double largest = 0;
  for (int i = 0; i < p->nv; ++i)
    largest = fmax(largest, (y ? ffi_gap(1, x + i, y + i) : fabs(x[i])) * (is_force ? 1 / p->w[i] : p->w[i]));
  return largest;
}

// h = T' (h_mj + (M_mj - armature) Tdot v), where h_mj = qfrc_bias - qfrc_passive.
// tau = T' (inverse_mj - armature Tdot v) at vdot_mj = T vdot + Tdot v.
static void compare_forces(pair *p, margins *m)
{
  const int n = p->nv;
  double *rate = doubles(n), *armature = doubles(n), *theirs = doubles(n), *want = doubles(n),
         *got = doubles(n);
  double *moved = doubles(n);
  ffi_twin_turn_rate(p->model, p->map, p->q, p->v, rate);
  ffi_twin_armature(p->model, p->map, armature);
  mj_mulM(p->mj, p->data, theirs, rate);
  for (int i = 0; i < n; ++i)
    theirs[i] += p->data->qfrc_bias[i] - p->data->qfrc_passive[i] - armature[i] * rate[i];
  ffi_twin_turn_back(p->model, p->map, p->q, theirs, want);
  ff_dynamics_bias(p->d, p->q, p->v, got);
  // M Tdot v and qfrc_bias cancel in part: what rounds is their size.
  ffi_twin_turn_back(p->model, p->map, p->q, p->data->qfrc_bias, moved);
  const double bias = fmax(weighted(p, 1, want, NULL), weighted(p, 1, moved, NULL));
  ffi_margin_add(&m->bias, bias > 0 ? weighted(p, 1, got, want) / bias : weighted(p, 1, got, want),
                 p->number);

  ffi_twin_turn(p->model, p->map, p->q, p->vdot, p->data->qacc);
  for (int i = 0; i < n; ++i)
    p->data->qacc[i] += rate[i];
  mj_inverse(p->mj, p->data);
  for (int i = 0; i < n; ++i)
    theirs[i] = p->data->qfrc_inverse[i] - armature[i] * rate[i];
  ffi_twin_turn_back(p->model, p->map, p->q, theirs, want);
  ff_dynamics_rnea(p->d, p->q, p->v, p->vdot, got);
  ffi_margin_add(&m->inverse, weighted(p, 1, got, want) / fmax(bias, weighted(p, 1, want, NULL)), p->number);
  free(rate);
  free(armature);
  free(theirs);
  free(want);
  free(got);
  free(moved);
}

static void compare_forward(pair *p, margins *m)
{
  const int n = p->nv;
  double *theirs = doubles(n), *rate = doubles(n), *want = doubles(n), *got = doubles(n);
  ffi_twin_turn_rate(p->model, p->map, p->q, p->v, rate);
  for (int i = 0; i < n; ++i)
    theirs[i] = p->data->qacc[i] - rate[i];
  ffi_twin_turn_back(p->model, p->map, p->q, theirs, want);
  ff_dynamics_aba(p->d, p->q, p->v, p->tau, got);
  ffi_margin_add(&m->forward, weighted(p, 0, got, want) / weighted(p, 0, want, NULL), p->number);
  free(theirs);
  free(rate);
  free(want);
  free(got);
}

// J M^-1 J' does not depend on how velocities are counted.
static void compare_delassus(pair *p, margins *m)
{
  enum { ROWS = 3 * POINTS };
  const int n = p->nv;
  double *J = doubles(ROWS * n), *X = doubles(ROWS * n), U[ROWS * ROWS], want[ROWS * ROWS];
  ff_point points[POINTS];
  ff_dynamics_kinematics(p->d, p->q, NULL, NULL);
  for (int k = 0; k < POINTS; ++k) {
    ff_link_info link;
    const int on = ffi_random_below(&p->random, p->size.links);
    double x[3], R[9];
    ff_model_link(p->model, on, &link);
    points[k].frame = link.frame;
    ffi_random_vector(&p->random, 3, 0.2, points[k].offset);
    memcpy(R, p->data->xmat + 9 * p->body[on], sizeof R);
    for (int r = 0; r < 3; ++r)
      x[r] = p->data->xpos[3 * p->body[on] + r] + R[3 * r] * points[k].offset[0] +
             R[3 * r + 1] * points[k].offset[1] + R[3 * r + 2] * points[k].offset[2];
    mj_jac(p->mj, p->data, J + 3 * k * n, NULL, x, p->body[on]);
  }
  mj_solveM(p->mj, p->data, X, J, ROWS);
  for (int r = 0; r < ROWS; ++r)
    for (int s = 0; s < ROWS; ++s) {
      want[r * ROWS + s] = 0;
      for (int i = 0; i < n; ++i)
        want[r * ROWS + s] += J[r * n + i] * X[s * n + i];
    }
  ff_dynamics_crba(p->d, p->q);
  assert_int_equal(ff_dynamics_factor(p->d, NULL), FF_OK);
  ff_dynamics_delassus(p->d, POINTS, points, U);
  for (int r = 0; r < ROWS; ++r)
    for (int s = 0; s < ROWS; ++s) {
      const double error = ffi_gap(1, &U[r * ROWS + s], &want[r * ROWS + s]);
      const int a = r / 3 * 3 * (ROWS + 1), b = s / 3 * 3 * (ROWS + 1); // where the diagonal blocks begin
      const double unit = sqrt((want[a] + want[a + ROWS + 1] + want[a + 2 * (ROWS + 1)]) *
                               (want[b] + want[b + ROWS + 1] + want[b + 2 * (ROWS + 1)]));
      ffi_margin_add(&m->delassus, error == 0 ? 0 : error / unit, p->number);
    }
  free(J);
  free(X);
}

static void compare_model(const ff_model *model, int number, margins *m)
{
  pair p = pair_begin(model, number);
  for (int s = 0; s < STATES; ++s) {
    pair_move(&p);
    compare_frames(&p, m);
    compare_totals(&p, m);
    compare_mass(&p, m);
    compare_forward(&p, m);
    compare_delassus(&p, m);
    compare_accelerations(&p, m); // these two put their own accelerations into MuJoCo's data
    compare_forces(&p, m);
  }
  pair_end(&p);
}

// ---- Models -----------------------------------------------------------------------------------------------

static void random_forests(void **state)
{
  margins m = margins_begin();
  (void)state;
  for (int i = 0; i < FORESTS; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 0, &forest);
    compare_model(forest.model, i, &m);
    ffi_forest_free(&forest);
  }
  margins_check(&m);
}

static void shipped_models(void **state)
{
  margins m = margins_begin();
  (void)state;
  for (int i = 0; i < ffi_shipped_count(); ++i) {
    ff_model *model = ffi_shipped_load(i);
    int changed;
    ff_model *copy = ffi_twin_balanced(model, &changed);
    if (changed)
      print_message("  %s: %d inertias repaired\n", ff_model_name(model), changed);
    compare_model(changed ? copy : model, i, &m);
    ff_model_destroy(copy);
    ff_model_destroy(model);
  }
  margins_check(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_forests),
      cmocka_unit_test(shipped_models),
  };
  mju_user_warning = complain;
  mju_user_error = complain;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
