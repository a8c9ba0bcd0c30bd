// Contacts that begin inside a step: their order, and what makes room for them.
#include "step/expo/expo_new_contacts.h"
#include "step/rig.h"
#include "support/must.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 4 };

// A loose box over a floor: eight features, of which four have room.
typedef struct bench {
  ff_model *model;
  ffi_rig *rig;
  ffi_state_contact touching[ROOM];
  int forced[ROOM];
  ffi_expo expo;
  ffi_state x;
} bench;

static void begin(bench *b)
{
  ff_builder *builder = ffi_must_begin("box");
  ff_link_def link = ff_link_def_default();
  ff_shape_def box = ff_shape_def_default();
  link.name = "box";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
  box.type = FF_SHAPE_BOX;
  box.size[0] = box.size[1] = box.size[2] = 0.2;
  ff_error error;
  ffi_must(ff_builder_add_shape(builder, ffi_must_add_link(builder, &link), &box, &error), &error);
  b->model = ffi_must_finish(builder);
  b->rig = ffi_rig_create(b->model, &(ffi_rig_def){.stepper = FF_STEPPER_RK4, .K = 1e4, .B = 100, .mu = 1});
  b->rig->system.max_contacts = ROOM;
  b->expo = (ffi_expo){.forced = b->forced};
  b->x = (ffi_state){.touching = b->touching};
}

static void end(bench *b)
{
  ffi_rig_destroy(b->rig);
  ff_model_destroy(b->model);
}

static ff_status touch(bench *b, int id)
{
  const ffi_detect_candidate near = {.id = id, .pair = 0, .normal = {0, 0, 1}};
  return ffi_expo_new_contacts_add(&b->rig->system, &b->expo, &b->rig->present, &near, &b->x, NULL);
}

static void expect(const bench *b, int count, const int *ids, const int *forced)
{
  assert_int_equal(b->x.touching_count, count);
  for (int i = 0; i < count; ++i) {
    assert_int_equal(b->x.touching[i].id, ids[i]);
    assert_int_equal(b->forced[i], forced[i]);
  }
}

static void they_are_in_order_and_once(void **state)
{
  (void)state;
  bench b;
  begin(&b);
  for (int i = 0; i < 2; ++i) { // the second time they are there
    assert_int_equal(touch(&b, 5), FF_OK);
    assert_int_equal(touch(&b, 1), FF_OK);
    assert_int_equal(touch(&b, 3), FF_OK);
    expect(&b, 3, (int[]){1, 3, 5}, (int[]){FFI_MODE_BEGINS, FFI_MODE_BEGINS, FFI_MODE_BEGINS});
  }
  assert_int_equal(b.rig->info.touchdowns, 3);
  end(&b);
}

// Four touch, two of them vanished: a fifth takes the place of the one of these that stored less, a sixth that of the other, a seventh has none.
static void the_vanished_make_room(void **state)
{
  (void)state;
  bench b;
  begin(&b);
  for (int id = 1; id < 8; id += 2)
    assert_int_equal(touch(&b, id), FF_OK);
  for (int i = 0; i < ROOM; ++i)
    b.forced[i] = i == 0 ? FF_CONTACT_SLIP : FFI_MODE_BY_LAW;
  b.touching[1].stored = -2e-3; // id 3
  b.touching[2].stored = -1e-3; // id 5
  assert_int_equal(touch(&b, 6), FF_OK);
  expect(&b, 4, (int[]){1, 3, 6, 7},
         (int[]){FF_CONTACT_SLIP, FFI_MODE_BY_LAW, FFI_MODE_BEGINS, FFI_MODE_BY_LAW});
  assert_int_equal(touch(&b, 0), FF_OK);
  expect(&b, 4, (int[]){0, 1, 6, 7},
         (int[]){FFI_MODE_BEGINS, FF_CONTACT_SLIP, FFI_MODE_BEGINS, FFI_MODE_BY_LAW});
  assert_int_equal(touch(&b, 2), FF_ERROR_LIMIT);
  expect(&b, 4, (int[]){0, 1, 6, 7},
         (int[]){FFI_MODE_BEGINS, FF_CONTACT_SLIP, FFI_MODE_BEGINS, FFI_MODE_BY_LAW});
  end(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_in_order_and_once),
      cmocka_unit_test(the_vanished_make_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
