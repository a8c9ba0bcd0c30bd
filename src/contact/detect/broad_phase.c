// The lists of the broad phase, and where their centres and boundaries are at one moment.
#include "contact/detect/broad_phase.h"

#include "geometry/height_field.h"
#include "math/mat3.h"

ffi_broad_phase *ffi_broad_phase_layout(ffi_block *block, int parties,
                                        const ffi_collider_pairs_totals *totals)
{
  ffi_broad_phase *sweep = ffi_block_take(block, 1, sizeof *sweep);
  const size_t n = (size_t)parties;
  ffi_broad_phase arrays = {0};
  arrays.probes = ffi_block_take(block, (size_t)totals->pairs, sizeof *sweep->probes);
  arrays.followers = ffi_block_take(block, n, sizeof *sweep->followers);
  arrays.half_spaces = ffi_block_take(block, n, sizeof *sweep->half_spaces);
  arrays.crates = ffi_block_take(block, n, sizeof *sweep->crates);
  arrays.centre = ffi_block_take(block, n, sizeof *sweep->centre);
  const size_t words = (size_t)totals->pairs / 64 + 1;
  arrays.radius = ffi_block_take(block, n, sizeof *sweep->radius);
  arrays.row = ffi_block_take(block, n, sizeof *sweep->row);
  arrays.partner = ffi_block_take(block, (size_t)totals->pairs, sizeof *sweep->partner);
  arrays.always = ffi_block_take(block, words, sizeof *sweep->always);
  arrays.balls = ffi_block_take(block, n, sizeof *sweep->balls);
  if (sweep)
    *sweep = arrays;
  return sweep;
}

// Gaps to a height field are along the normals of its triangles: the least of their vertical components.
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

static void add_half_space(ffi_broad_phase *sweep, const ffi_collider *p, int party)
{
  ffi_broad_phase_half_space *h = &sweep->half_spaces[sweep->half_space_count++];
  *h = (ffi_broad_phase_half_space){
      .party = party, .body = p->body, .ground = p->ground, .in = p->in, .share = 1};
  if (p->solid.type == FF_SHAPE_HEIGHTFIELD) {
    h->top = p->solid.field->high;
    h->share = least_upright(p->solid.field);
  }
}

void ffi_broad_phase_set_colliders(ffi_broad_phase *sweep, const ffi_collider *parties, int count)
{
  sweep->party_count = sweep->ground_party = count;
  sweep->tree_from = FFI_BROAD_PHASE_TREE;
  for (int i = 0; i < count; ++i) {
    const ffi_collider *p = &parties[i];
    if (p->ground == 0)
      sweep->ground_party = i;
    ffi_v3_copy(p->in.p, sweep->centre[i]);
    sweep->radius[i] = -1;
    if (p->body > 0) {
      ffi_broad_phase_follower *f = &sweep->followers[sweep->follower_count++];
      *f = (ffi_broad_phase_follower){.party = i, .body = p->body};
      ffi_v3_copy(p->in.p, f->centre);
    }
    if (p->solid.type == FF_SHAPE_PLANE || p->solid.type == FF_SHAPE_HEIGHTFIELD)
      add_half_space(sweep, p, i);
    if (p->solid.type == FF_SHAPE_BOX && p->ground >= 0) {
      const double *size = p->solid.size;
      sweep->crates[sweep->crate_count++] =
          (ffi_broad_phase_box){i, p->ground, {size[0] / 2, size[1] / 2, size[2] / 2}};
    }
  }
}

// A party that a pair of balls has: once into the tree.
static void add_ball(ffi_broad_phase *sweep, int party, const ffi_collider *from)
{
  const double radius = from->solid.radius;
  if (sweep->radius[party] >= 0)
    return;
  sweep->radius[party] = radius;
  sweep->widest = radius > sweep->widest ? radius : sweep->widest;
  sweep->balls[sweep->ball_count++] = (ffi_ball){.id = party, .moves = from->body > 0};
}

void ffi_broad_phase_set_probe(ffi_broad_phase *sweep, int pair, const ffi_collider_pairs_cursor *paired)
{
  const ffi_solid *a = &paired->pair.a->solid, *b = &paired->pair.b->solid;
  ffi_broad_phase_probe *probe = &sweep->probes[pair];
  *probe = (ffi_broad_phase_probe){
      .kind = FFI_PROBE_BALL, .a = paired->a, .b = paired->b, .reach = paired->pair.reach};
  for (int i = 0; i < sweep->half_space_count; ++i)
    if (sweep->half_spaces[i].party == paired->b) {
      probe->kind = FFI_PROBE_ABOVE;
      probe->b = i;
      probe->reach = a->radius;
    }
  for (int i = 0; i < sweep->crate_count; ++i)
    if (sweep->crates[i].party == paired->b)
      *probe = (ffi_broad_phase_probe){.kind = FFI_PROBE_BOX, .a = paired->a, .b = i, .reach = a->radius};
  if (b->type == FF_SHAPE_PLANE && (a->type == FF_SHAPE_POINT || a->type == FF_SHAPE_SPHERE))
    probe->kind = FFI_PROBE_POINT;
  sweep->partner[pair] = paired->b;
  if (sweep->row[paired->a][1] == 0)
    sweep->row[paired->a][0] = pair;
  sweep->row[paired->a][1] = sweep->pair_count = pair + 1;
  if (probe->kind == FFI_PROBE_BALL) {
    ++sweep->ball_pairs;
    add_ball(sweep, paired->a, paired->pair.a);
    add_ball(sweep, paired->b, paired->pair.b);
  } else {
    sweep->always[pair / 64] |= (uint64_t)1 << (pair % 64);
  }
}

// The boundary of a half space is where its frame's z is `top`; the normal is the frame's z.
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

ffi_detect_memory *ffi_detect_layout(const ffi_colliders *scene, ffi_block *block)
{
  const ffi_broad_phase *sweep = scene->sweep;
  ffi_detect_memory *room = ffi_block_keep(block, 1, sizeof *room), arrays = {0};
  const size_t parties = (size_t)sweep->party_count, balls = (size_t)sweep->ball_count;
  arrays.centre = ffi_block_keep(block, parties, sizeof *arrays.centre);
  arrays.boundary = ffi_block_take(block, (size_t)sweep->half_space_count, sizeof *arrays.boundary);
  arrays.touches = ffi_block_take(block, (size_t)scene->most_of_pair, sizeof *arrays.touches);
  arrays.marks = ffi_block_take(block, (size_t)sweep->pair_count / 64 + 1, sizeof *arrays.marks);
  ffi_ball_tree_layout(&arrays.tree, sweep->ball_count, block);
  if (!room)
    return NULL;
  *room = arrays;
  room->tree.most = sweep->ball_count;
  memcpy(room->centre, sweep->centre, parties * sizeof *room->centre);
  if (balls > 0)
    memcpy(room->tree.balls, sweep->balls, balls * sizeof *sweep->balls);
  return room;
}

void ffi_broad_phase_update(const ffi_broad_phase *sweep, const ffi_poses *at, int ground_count,
                            ffi_detect_memory *room)
{
  const ffi_pose *poses = at->body;
  for (int i = 0; i < sweep->follower_count; ++i) {
    const ffi_broad_phase_follower *f = &sweep->followers[i];
    const double *R = poses[f->body].R, *p = poses[f->body].p, *c = f->centre;
    ffi_v3_set(p[0] + ffi_v3_dot(R, c), p[1] + ffi_v3_dot(R + 3, c), p[2] + ffi_v3_dot(R + 6, c),
               room->centre[f->party]);
  }
  for (int g = 0; g < ground_count; ++g)
    memcpy(room->centre[sweep->ground_party + g], at->ground[g].p, sizeof *room->centre);
  for (int i = 0; i < sweep->half_space_count; ++i)
    place_half_space(&sweep->half_spaces[i], at, &room->boundary[i]);
}
