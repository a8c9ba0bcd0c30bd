// Pairs of random cases against the rule of colliders.h, by links and joints.
#include "contact/collider_cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// The moving joint that a shape hangs on, -1: the world; and the first one of its tree.
static int joint_of(const ff_model *model, int shape)
{
  ff_shape_info s;
  ff_link_info l;
  ff_model_shape(model, shape, &s);
  if (s.link < 0)
    return -1;
  ff_model_link(model, s.link, &l);
  return l.joint;
}

static int parent_joint(const ff_model *model, int joint)
{
  ff_joint_info j;
  ff_model_joint(model, joint, &j);
  return j.parent;
}

// The robot of a shape: the link next to the world on its way there; -1: fixed in the world itself.
static int robot_of(const ff_model *model, int shape)
{
  ff_shape_info s;
  ff_link_info link;
  int top = -1;
  ff_model_shape(model, shape, &s);
  for (int at = s.link; at >= 0; at = link.parent) {
    ff_model_link(model, at, &link);
    top = at;
  }
  return top;
}

// Of one robot only with self_collision, and then not parent and child. The world, joint -1, is a parent too.
static int allowed(const ff_model *model, int self_collision, int s, int t)
{
  const int a = joint_of(model, s), b = joint_of(model, t), robot = robot_of(model, s);
  if (a == b)
    return 0;
  if (robot < 0 || robot != robot_of(model, t))
    return 1;
  return self_collision && (a < 0 || parent_joint(model, a) != b) && (b < 0 || parent_joint(model, b) != a);
}

static ffi_solid solid_of(const ff_model *model, int shape, ffi_height_field *field, int *is_collision)
{
  ff_shape_info info;
  ffi_solid solid;
  ff_model_shape(model, shape, &info);
  ffi_solid_set(&info.def, field, &solid);
  *is_collision = (info.def.purpose & FF_SHAPE_COLLISION) != 0;
  return solid;
}

static int times_listed(const ffi_colliders *colliders, int a, int b, int ground)
{
  int times = 0;
  for (int i = 0; i < colliders->pair_count; ++i)
    times += colliders->pairs[i].shape_a == a && colliders->pairs[i].shape_b == b &&
             colliders->pairs[i].ground == ground;
  return times;
}

// One shape against one other; which of the two orders it is.
static int check_two_shapes(const collider_case *c, const ffi_colliders *colliders, int s, int t)
{
  ffi_height_field fs, ft;
  int sc, tc;
  const ffi_solid a = solid_of(c->model, s, &fs, &sc), b = solid_of(c->model, t, &ft, &tc);
  const int forth = times_listed(colliders, s, t, -1), back = times_listed(colliders, t, s, -1);
  const int can_forth = ffi_collide_most(&a, &b) > 0, can_back = ffi_collide_most(&b, &a) > 0;
  if (!sc || !tc || !allowed(c->model, c->def.self_collision, s, t) || (!can_forth && !can_back)) {
    assert_int_equal(forth + back, 0);
    return 0;
  }
  assert_int_equal(forth + back, 1);
  const int s_moves = joint_of(c->model, s) >= 0, t_moves = joint_of(c->model, t) >= 0;
  const int prefers_forth = s_moves == t_moves ? s < t : s_moves;
  assert_int_equal(forth, can_forth && (prefers_forth || !can_back));
  return 1;
}

static int check_ground(const collider_case *c, const ffi_colliders *colliders, int s, int ground)
{
  ffi_height_field fs, fg;
  int is_collision;
  ffi_solid b;
  const ffi_solid a = solid_of(c->model, s, &fs, &is_collision);
  ffi_solid_set(&colliders->grounds[ground].def.shape, &fg, &b);
  int want = is_collision && joint_of(c->model, s) >= 0 && ffi_collide_most(&a, &b) > 0;
  assert_int_equal(times_listed(colliders, s, -1, ground), want);
  return want;
}

static void check_order(const collider_case *c, const ffi_colliders *colliders)
{
  int next = 0;
  ff_error error;
  ff_material *made = calloc((size_t)colliders->pair_count + 1, sizeof *made);
  assert_non_null(made);
  assert_int_equal(collider_case_materials(colliders, made, &error), FF_OK);
  for (int i = 0; i < colliders->pair_count; ++i) {
    const ffi_collider_pair *p = &colliders->pairs[i];
    assert_int_equal(p->first_id, next);
    assert_int_equal(p->most, ffi_collide_most(&p->a->solid, &p->b->solid));
    next += p->most;
    assert_int_equal(p->body_a, joint_of(c->model, p->shape_a) + 1);
    assert_int_equal(p->body_b, p->ground >= 0 ? 0 : joint_of(c->model, p->shape_b) + 1);
    assert_true(made[i].stiffness > 0 && isfinite(made[i].stiffness) && made[i].damping >= 0 &&
                isfinite(made[i].damping));
    if (i == 0)
      continue;
    const ffi_collider_pair *q = p - 1; // shapes before ground
    const int here = p->ground >= 0 ? COLLIDER_CASE_SHAPES + p->ground : p->shape_b;
    const int before = q->ground >= 0 ? COLLIDER_CASE_SHAPES + q->ground : q->shape_b;
    assert_true(q->shape_a < p->shape_a || (q->shape_a == p->shape_a && before < here));
  }
  free(made);
  assert_int_equal(colliders->id_count, next);
  assert_true(colliders->max_candidates >= next);
}

static void random_cases_follow_the_rule(void **state)
{
  (void)state;
  long pairs = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    collider_case c;
    collider_case_random(seed, &c);
    ffi_colliders colliders = collider_case_create(c.model, &c.def),
                  again = collider_case_create(c.model, &c.def);
    const int shapes = ff_model_get_size(c.model).shapes;
    int count = 0;
    for (int s = 0; s < shapes; ++s) {
      for (int t = s + 1; t < shapes; ++t)
        count += check_two_shapes(&c, &colliders, s, t);
      for (int g = 0; g < colliders.ground_count; ++g)
        count += check_ground(&c, &colliders, s, g);
    }
    assert_int_equal(colliders.pair_count, count);
    check_order(&c, &colliders);
    assert_int_equal(again.pair_count, count);
    for (int i = 0; i < count; ++i)
      assert_true(again.pairs[i].first_id == colliders.pairs[i].first_id &&
                  again.pairs[i].shape_a == colliders.pairs[i].shape_a);
    pairs += count;
    ffi_colliders_free(&colliders);
    ffi_colliders_free(&again);
    ff_model_destroy(c.model);
  }
  assert_true(pairs > 4000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_cases_follow_the_rule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
