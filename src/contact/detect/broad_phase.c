// The lists of the broad phase, and centres and boundaries at one moment.
#include "contact/detect/broad_phase.h"

#include "geometry/height_field.h"
#include "math/mat3.h"

ffi_broad_phase *ffi_broad_phase_layout(ffi_block *block, int colliders,
                                        const ffi_collider_pairs_totals *totals)
{
  ffi_broad_phase *phase = ffi_block_take(block, 1, sizeof *phase);
  const size_t n = (size_t)colliders;
  ffi_broad_phase arrays = {0};
  arrays.probes = ffi_block_take(block, (size_t)totals->pairs, sizeof *phase->probes);
  arrays.followers = ffi_block_take(block, n, sizeof *phase->followers);
  arrays.half_spaces = ffi_block_take(block, n, sizeof *phase->half_spaces);
  arrays.boxes = ffi_block_take(block, n, sizeof *phase->boxes);
  arrays.centre = ffi_block_take(block, n, sizeof *phase->centre);
  const size_t words = (size_t)totals->pairs / 64 + 1;
  arrays.radius = ffi_block_take(block, n, sizeof *phase->radius);
  arrays.row = ffi_block_take(block, n, sizeof *phase->row);
  arrays.partner = ffi_block_take(block, (size_t)totals->pairs, sizeof *phase->partner);
  arrays.always = ffi_block_take(block, words, sizeof *phase->always);
  arrays.balls = ffi_block_take(block, n, sizeof *phase->balls);
  if (phase)
    *phase = arrays;
  return phase;
}

// Gaps to a height field are along the normals of its triangles: the least vertical component of these.
static double least_upright(const ffi_height_field *field)
{
  double steepest = 0, slope[2];
  for (int row = 0; row < field->rows - 1; ++row)
    for (int column = 0; column < field->columns - 1; ++column)
      for (int is_upper = 0; is_upper < 2; ++is_upper) {
        ffi_height_field_slope(field, column, row, is_upper, slope);
        steepest = fmax(steepest, slope[0] * slope[0] + slope[1] * slope[1]);
      }
  return 1 / sqrt(1 + steepest);
}

static void add_half_space(ffi_broad_phase *phase, const ffi_collider *p, int collider)
{
  ffi_broad_phase_half_space *h = &phase->half_spaces[phase->half_space_count++];
  *h = (ffi_broad_phase_half_space){
      .collider = collider, .body = p->body, .ground = p->ground, .in = p->in, .share = 1};
  if (p->solid.type == FF_SHAPE_HEIGHTFIELD) {
    h->top = p->solid.field->high;
    h->share = least_upright(p->solid.field);
  }
}

void ffi_broad_phase_set_colliders(ffi_broad_phase *phase, const ffi_collider *colliders, int count)
{
  phase->collider_count = phase->first_ground = count;
  phase->tree_from = FFI_BROAD_PHASE_TREE;
  for (int i = 0; i < count; ++i) {
    const ffi_collider *p = &colliders[i];
    if (p->ground == 0)
      phase->first_ground = i;
    ffi_v3_copy(p->in.p, phase->centre[i]);
    phase->radius[i] = -1;
    if (p->body > 0) {
      ffi_broad_phase_follower *f = &phase->followers[phase->follower_count++];
      *f = (ffi_broad_phase_follower){.collider = i, .body = p->body};
      ffi_v3_copy(p->in.p, f->centre);
    }
    if (p->solid.type == FF_SHAPE_PLANE || p->solid.type == FF_SHAPE_HEIGHTFIELD)
      add_half_space(phase, p, i);
    if (p->solid.type == FF_SHAPE_BOX && p->ground >= 0) {
      const double *size = p->solid.size;
      phase->boxes[phase->box_count++] =
          (ffi_broad_phase_box){i, p->ground, {size[0] / 2, size[1] / 2, size[2] / 2}};
    }
  }
}

// Puts a collider that is in a pair of balls into the tree, once.
static void add_ball(ffi_broad_phase *phase, int collider, const ffi_collider *from)
{
  const double radius = from->solid.radius;
  if (phase->radius[collider] >= 0)
    return;
  phase->radius[collider] = radius;
  phase->widest = radius > phase->widest ? radius : phase->widest;
  phase->balls[phase->ball_count++] = (ffi_ball){.id = collider, .moves = from->body > 0};
}

void ffi_broad_phase_set_probe(ffi_broad_phase *phase, int pair, const ffi_collider_pairs_cursor *paired)
{
  const ffi_solid *a = &paired->pair.a->solid, *b = &paired->pair.b->solid;
  ffi_broad_phase_probe *probe = &phase->probes[pair];
  *probe = (ffi_broad_phase_probe){
      .kind = FFI_PROBE_BALL, .a = paired->a, .b = paired->b, .reach = paired->pair.reach};
  for (int i = 0; i < phase->half_space_count; ++i)
    if (phase->half_spaces[i].collider == paired->b) {
      probe->kind = FFI_PROBE_ABOVE;
      probe->b = i;
      probe->reach = a->radius;
    }
  for (int i = 0; i < phase->box_count; ++i)
    if (phase->boxes[i].collider == paired->b)
      *probe = (ffi_broad_phase_probe){.kind = FFI_PROBE_BOX, .a = paired->a, .b = i, .reach = a->radius};
  if (b->type == FF_SHAPE_PLANE && (a->type == FF_SHAPE_POINT || a->type == FF_SHAPE_SPHERE))
    probe->kind = FFI_PROBE_POINT;
  phase->partner[pair] = paired->b;
  if (phase->row[paired->a][1] == 0)
    phase->row[paired->a][0] = pair;
  phase->row[paired->a][1] = phase->pair_count = pair + 1;
  if (probe->kind == FFI_PROBE_BALL) {
    ++phase->ball_pairs;
    add_ball(phase, paired->a, paired->pair.a);
    add_ball(phase, paired->b, paired->pair.b);
  } else {
    phase->always[pair / 64] |= (uint64_t)1 << (pair % 64);
  }
}

// The boundary of a half space is z = `top` in its frame; the normal is the frame's z axis.
static void place_half_space(const ffi_broad_phase_half_space *h, const ffi_poses *at,
                             ffi_broad_phase_boundary *out)
{
  const ffi_pose *in = h->ground >= 0 ? &at->ground[h->ground] : &h->in;
  const double n[3] = {in->R[2], in->R[5], in->R[8]};
  double height = ffi_v3_dot(n, in->p) + h->top;
  ffi_v3_set(n[0], n[1], n[2], out->n);
  if (h->body > 0) {
    const ffi_pose *body = &at->body[h->body];
    ffi_m3_mulv(body->R, n, out->n);
    height += ffi_v3_dot(out->n, body->p);
  }
  out->d = height;
  out->share = h->share;
}

void ffi_broad_phase_update(const ffi_broad_phase *phase, const ffi_poses *at, int ground_count,
                            ffi_detect_memory *memory)
{
  const ffi_pose *poses = at->body;
  for (int i = 0; i < phase->follower_count; ++i) {
    const ffi_broad_phase_follower *f = &phase->followers[i];
    const double *R = poses[f->body].R, *p = poses[f->body].p, *c = f->centre;
    ffi_v3_set(p[0] + ffi_v3_dot(R, c), p[1] + ffi_v3_dot(R + 3, c), p[2] + ffi_v3_dot(R + 6, c),
               memory->centre[f->collider]);
  }
  for (int g = 0; g < ground_count; ++g)
    memcpy(memory->centre[phase->first_ground + g], at->ground[g].p, sizeof *memory->centre);
  for (int i = 0; i < phase->half_space_count; ++i)
    place_half_space(&phase->half_spaces[i], at, &memory->boundary[i]);
}
