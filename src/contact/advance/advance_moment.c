// One moment of a path: where everything is, and how it can go on.
#include "contact/advance/advance_memory.h"

#include "dynamics/one_lane.h"
#include "dynamics/straight_path.h"
#include "geometry/convex.h"
#include "math/mat3.h"

static void lay_out_moment(const ffi_colliders *scene, ffi_block *block, ffi_advance_moment *m)
{
  const size_t frames = (size_t)scene->model->body_count + (size_t)scene->ground_count;
  m->pose = ffi_block_take(block, frames, sizeof *m->pose);
  m->velocity = ffi_block_take(block, frames, sizeof *m->velocity);
  m->bound = ffi_block_take(block, frames, sizeof *m->bound);
  m->course = ffi_block_take(block, (size_t)scene->party_count, sizeof *m->course);
}

static void measure_extent(const ffi_collider *party, ffi_advance_extent *out)
{
  static const double origin[3] = {0};
  double body[3];
  ffi_m3_tmulv(party->in.R, party->in.p, body);
  ffi_v3_scale(-1, body, body);
  out->core = ffi_solid_radius_of_core(&party->solid, origin);
  out->far = ffi_solid_radius_of_core(&party->solid, body);
  out->arm = ffi_v3_norm(party->in.p);
}

ffi_advance *ffi_advance_layout(const ffi_colliders *scene, ffi_block *block)
{
  ffi_advance *out = ffi_block_keep(block, 1, sizeof *out);
  ffi_advance a = {0};
  lay_out_moment(scene, block, &a.now);
  lay_out_moment(scene, block, &a.next);
  a.q = ffi_block_take(block, (size_t)scene->model->size.nq, sizeof *a.q);
  a.v = ffi_block_take(block, (size_t)scene->model->size.nv, sizeof *a.v);
  a.way = ffi_block_take(block, (size_t)scene->model->size.nv, sizeof *a.way);
  a.extent = ffi_block_keep(block, (size_t)scene->party_count, sizeof *a.extent);
  a.vigil = ffi_block_take(block, (size_t)scene->pair_count, sizeof *a.vigil);
  a.grow = ffi_block_take(block, (size_t)scene->party_count, sizeof *a.grow);
  a.close = ffi_block_take(block, (size_t)scene->pair_count, sizeof *a.close);
  if (!out)
    return NULL;
  *out = a;
  for (int i = 0; i < scene->party_count; ++i)
    measure_extent(&scene->parties[i], &out->extent[i]);
  return out;
}

// Poses and velocities of bodies, out of the workspace.
static void take_bodies(const ffi_advance_path *path, ffi_advance_moment *out)
{
  const ffi_work *work = path->work;
  ffi_m3_identity(out->pose[0].R);
  ffi_v3_set(0, 0, 0, out->pose[0].p);
  memset(out->velocity[0], 0, sizeof out->velocity[0]);
  for (int i = 1; i < path->scene->model->body_count; ++i) {
    ffi_m3_copy(work->pose[i].R, out->pose[i].R);
    ffi_v3_copy(work->pose[i].p, out->pose[i].p);
    ffi_m3_mulv(work->pose[i].R, work->vel[i].lin, out->velocity[i]);
    ffi_m3_mulv(work->pose[i].R, work->vel[i].ang, out->velocity[i] + 3);
  }
}

static int frame_of(const ffi_colliders *scene, const ffi_collider *party)
{
  return party->ground >= 0 ? scene->model->body_count + party->ground : party->body;
}

static void place_party(const ffi_pose *pose, const ffi_pose *in, ffi_pose *out)
{
  ffi_m3_mul(pose->R, in->R, out->R);
  ffi_m3_mulv(pose->R, in->p, out->p);
  ffi_v3_add(pose->p, out->p, out->p);
}

void ffi_advance_moment_evaluate(ffi_advance *a, const ffi_advance_path *path, double t,
                                 ffi_advance_moment *out)
{
  const ffi_colliders *scene = path->scene;
  const ff_model *model = scene->model;
  out->time = t;
  for (int i = 0; i < model->size.nv; ++i)
    a->way[i] = t * path->v[i];
  ffi_straight_path_move(model, path->q, a->way, path->v, a->q, a->v);
  path->k->transforms(path->work, a->q);
  path->k->kinematics(path->work, a->v, NULL);
  take_bodies(path, out);
  for (int g = 0; g < scene->ground_count; ++g) {
    const double *velocity = path->ground_velocity + 6 * g;
    ffi_ground_move(&path->ground[g], velocity, t, &out->pose[model->body_count + g]);
    memcpy(out->velocity[model->body_count + g], velocity, 6 * sizeof *velocity);
  }
  for (int i = 0; i < scene->party_count; ++i) {
    const ffi_collider *party = &scene->parties[i];
    place_party(&out->pose[frame_of(scene, party)], &party->in, &out->course[i].place);
  }
}

// The shape's own frame: a point of its body at `arm`.
static void bound_frame(const ffi_motion_bound *body, const double w[3], const double arm[3], double length,
                        double T, ffi_advance_course *out)
{
  double across[3];
  ffi_v3_cross(w, arm, across);
  const double round = fmin(body->turn * length, ffi_v3_norm(across) + body->twist * length * T);
  ffi_motion_bound *f = &out->frame;
  *f = *body;
  f->bend = body->bend + body->twist * length + body->turn * round;
  f->speed = fmin(body->speed + body->turn * length, ffi_v3_norm(out->v) + f->bend * T);
  f->doubt = body->doubt + body->doubt_turn * length;
}

// A shape that is round about an axis, in a frame that turns with the axis alone: angular velocity u = w - (w a) a, whose length changes by the angular acceleration alone,
// angular acceleration that of the body less (w a) w x a.
static void bound_round(const double w[3], const ffi_advance_extent *e, double T, ffi_advance_course *out)
{
  const double *R = out->place.R, axis[3] = {R[2], R[5], R[8]};
  const ffi_motion_bound *f = &out->frame;
  const double spin = ffi_v3_dot(w, axis);
  ffi_v3_add_scaled(-spin, axis, out->w);
  const double tilt = fmin(f->turn, ffi_v3_norm(out->w) + f->twist * T);
  const double roll = fmin(f->turn, fabs(spin) + f->twist * T);
  out->bend = f->bend + (f->twist + roll * tilt + tilt * tilt) * e->core;
  out->pace = f->speed + tilt * e->core;
}

static void foresee_party(const ffi_collider *party, const ffi_advance_extent *e,
                          const ffi_motion_bound *body, const ffi_pose *pose, const double velocity[6],
                          double T, ffi_advance_course *out)
{
  double arm[3], across[3];
  ffi_v3_sub(out->place.p, pose->p, arm);
  ffi_v3_cross(velocity + 3, arm, across);
  ffi_v3_add(velocity, across, out->v);
  ffi_v3_copy(velocity + 3, out->w);
  bound_frame(body, velocity + 3, arm, e->arm, T, out);
  out->bend = out->frame.bend;
  out->pace = out->frame.speed;
  out->doubt = out->frame.doubt;
  switch ((ff_shape_type)party->solid.type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE: ffi_v3_set(0, 0, 0, out->w); return;
  case FF_SHAPE_CAPSULE:
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_DISK: bound_round(velocity + 3, e, T, out); break;
  case FF_SHAPE_BOX:
  case FF_SHAPE_HULL: {
    const double curl = body->twist + body->turn * body->turn;
    out->bend = fmin(out->frame.bend + curl * e->core, body->bend + curl * e->far);
    out->pace = fmin(out->frame.speed + body->turn * e->core, body->speed + body->turn * e->far);
    break;
  }
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return;
  }
  out->doubt = body->doubt + body->doubt_turn * e->far;
}

void ffi_advance_moment_bound(const ffi_advance *a, const ffi_advance_path *path, ffi_advance_moment *m)
{
  const ffi_colliders *scene = path->scene;
  const int bodies = scene->model->body_count;
  const double left = path->T - m->time;
  ffi_motion_bounds(scene->model, m->pose, (const double(*)[6])m->velocity, path->error, m->time, left,
                    m->bound);
  for (int g = 0; g < scene->ground_count; ++g) {
    const double *velocity = m->velocity[bodies + g];
    m->bound[bodies + g] =
        (ffi_motion_bound){.speed = ffi_v3_norm(velocity), .turn = ffi_v3_norm(velocity + 3)};
  }
  for (int i = 0; i < scene->party_count; ++i) {
    const ffi_collider *party = &scene->parties[i];
    const int frame = frame_of(scene, party);
    foresee_party(party, &a->extent[i], &m->bound[frame], &m->pose[frame], m->velocity[frame], left,
                  &m->course[i]);
  }
}
