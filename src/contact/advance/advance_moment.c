// Evaluates a moment of a path, and bounds the motion of every collider from there on.
#include "contact/advance/advance_moment.h"

#include "contact/advance/advance_memory.h"
#include "dynamics/one_lane.h"
#include "dynamics/straight_path.h"
#include "geometry/convex.h"
#include "math/mat3.h"

void ffi_advance_moment_layout(const ffi_colliders *colliders, ffi_block *block, ffi_advance_moment *m)
{
  const size_t frames = (size_t)colliders->model->body_count + (size_t)colliders->ground_count;
  m->pose = ffi_block_take(block, frames, sizeof *m->pose);
  m->velocity = ffi_block_take(block, frames, sizeof *m->velocity);
  m->bound = ffi_block_take(block, frames, sizeof *m->bound);
  m->course = ffi_block_take(block, (size_t)colliders->count, sizeof *m->course);
}

void ffi_advance_moment_extent(const ffi_collider *collider, ffi_advance_extent *out)
{
  static const double origin[3] = {0};
  double body[3];
  ffi_m3_tmulv(collider->in.R, collider->in.p, body);
  ffi_v3_scale(-1, body, body);
  out->core = ffi_solid_radius_of_core(&collider->solid, origin);
  out->far = ffi_solid_radius_of_core(&collider->solid, body);
  out->arm = ffi_v3_norm(collider->in.p);
}

// Poses and velocities of bodies, from the workspace of the kernels.
static void take_bodies(const ffi_advance_path *path, ffi_advance_moment *out)
{
  const ffi_work *work = path->work;
  ffi_m3_identity(out->pose[0].R);
  ffi_v3_set(0, 0, 0, out->pose[0].p);
  memset(out->velocity[0], 0, sizeof out->velocity[0]);
  for (int i = 1; i < path->colliders->model->body_count; ++i) {
    ffi_m3_copy(work->pose[i].R, out->pose[i].R);
    ffi_v3_copy(work->pose[i].p, out->pose[i].p);
    ffi_m3_mulv(work->pose[i].R, work->vel[i].lin, out->velocity[i]);
    ffi_m3_mulv(work->pose[i].R, work->vel[i].ang, out->velocity[i] + 3);
  }
}

static int frame_of(const ffi_colliders *colliders, const ffi_collider *collider)
{
  return collider->ground >= 0 ? colliders->model->body_count + collider->ground : collider->body;
}

void ffi_advance_moment_evaluate(ffi_advance *a, const ffi_advance_path *path, double t,
                                 ffi_advance_moment *out)
{
  const ffi_colliders *colliders = path->colliders;
  const ff_model *model = colliders->model;
  out->time = t;
  for (int i = 0; i < model->size.nv; ++i)
    a->displacement[i] = t * path->v[i];
  ffi_straight_path_move(model, path->q, a->displacement, path->v, a->q, a->v);
  path->k->transforms(path->work, a->q);
  path->k->kinematics(path->work, a->v, NULL);
  take_bodies(path, out);
  for (int g = 0; g < colliders->ground_count; ++g) {
    const double *velocity = path->ground_velocity + 6 * g;
    ffi_ground_move(&path->ground[g], velocity, t, &out->pose[model->body_count + g]);
    memcpy(out->velocity[model->body_count + g], velocity, 6 * sizeof *velocity);
  }
  for (int i = 0; i < colliders->count; ++i) {
    const ffi_collider *collider = &colliders->items[i];
    ffi_pose_compose(&out->pose[frame_of(colliders, collider)], &collider->in, &out->course[i].pose);
  }
}

// Bounds of the shape's own frame: a point of its body at `arm`.
static void bound_frame(const ffi_motion_bound *body, const double w[3], const double arm[3], double length,
                        double T, ffi_advance_course *out)
{
  double across[3];
  ffi_v3_cross(w, arm, across);
  const double round = fmin(body->turn * length, ffi_v3_norm(across) + body->alpha * length * T);
  ffi_motion_bound *f = &out->frame;
  *f = *body;
  f->accel = body->accel + body->alpha * length + body->turn * round;
  f->speed = fmin(body->speed + body->turn * length, ffi_v3_norm(out->v) + f->accel * T);
  f->error_rate = body->error_rate + body->angular_error * length;
}

// A shape that is round about an axis a, in a frame that turns with the axis alone, docs/theory/advancement.md eq. 7:
// angular velocity u = w - (w a) a, whose length changes by the angular acceleration alone; its angular acceleration is
// that of the body less (w a) w x a.
static void bound_round(const double w[3], const ffi_advance_extent *e, double T, ffi_advance_course *out)
{
  const double *R = out->pose.R, axis[3] = {R[2], R[5], R[8]};
  const ffi_motion_bound *f = &out->frame;
  const double spin = ffi_v3_dot(w, axis);
  ffi_v3_add_scaled(-spin, axis, out->w);
  const double tilt = fmin(f->turn, ffi_v3_norm(out->w) + f->alpha * T);
  const double roll = fmin(f->turn, fabs(spin) + f->alpha * T);
  out->accel = f->accel + (f->alpha + roll * tilt + tilt * tilt) * e->core;
  out->top_speed = f->speed + tilt * e->core;
}

// A collider on the body or ground `frame` of the moment.
static void bound_collider(const ffi_collider *collider, const ffi_advance_extent *e,
                           const ffi_advance_moment *m, int frame, double T, ffi_advance_course *out)
{
  const ffi_motion_bound *body = &m->bound[frame];
  const double *velocity = m->velocity[frame];
  double arm[3], across[3];
  ffi_v3_sub(out->pose.p, m->pose[frame].p, arm);
  ffi_v3_cross(velocity + 3, arm, across);
  ffi_v3_add(velocity, across, out->v);
  ffi_v3_copy(velocity + 3, out->w);
  bound_frame(body, velocity + 3, arm, e->arm, T, out);
  out->accel = out->frame.accel;
  out->top_speed = out->frame.speed;
  out->error_rate = out->frame.error_rate;
  switch ((ff_shape_type)collider->solid.type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE: ffi_v3_set(0, 0, 0, out->w); return;
  case FF_SHAPE_CAPSULE:
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_DISK: bound_round(velocity + 3, e, T, out); break;
  case FF_SHAPE_BOX:
  case FF_SHAPE_ELLIPSOID:
  case FF_SHAPE_HULL: {
    const double curl = body->alpha + body->turn * body->turn;
    out->accel = fmin(out->frame.accel + curl * e->core, body->accel + curl * e->far);
    out->top_speed = fmin(out->frame.speed + body->turn * e->core, body->speed + body->turn * e->far);
    break;
  }
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return;
  }
  out->error_rate = body->error_rate + body->angular_error * e->far;
}

void ffi_advance_moment_bound(const ffi_advance *a, const ffi_advance_path *path, ffi_advance_moment *m)
{
  const ffi_colliders *colliders = path->colliders;
  const int bodies = colliders->model->body_count;
  const double left = path->T - m->time;
  const ffi_motion_start start = {m->pose, (const double(*)[6])m->velocity, path->error, m->time};
  ffi_motion_bounds(colliders->model, &start, left, m->bound);
  for (int g = 0; g < colliders->ground_count; ++g) {
    const double *velocity = m->velocity[bodies + g];
    m->bound[bodies + g] =
        (ffi_motion_bound){.speed = ffi_v3_norm(velocity), .turn = ffi_v3_norm(velocity + 3)};
  }
  for (int i = 0; i < colliders->count; ++i) {
    const ffi_collider *collider = &colliders->items[i];
    const int frame = frame_of(colliders, collider);
    bound_collider(collider, &a->extent[i], m, frame, left, &m->course[i]);
  }
}
