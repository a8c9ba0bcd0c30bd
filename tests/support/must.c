// Set-up steps that fail the test with the library's message.
#include "support/must.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void ffi_must(ff_status status, const ff_error *error)
{
  if (status != FF_OK)
    fail_msg("%s: %s", ff_status_name(status), error->message);
}

ff_builder *ffi_must_begin(const char *name)
{
  ff_builder *b = NULL;
  ff_error error;
  ffi_must(ff_builder_create(name, &b, &error), &error);
  return b;
}

int ffi_must_add_link(ff_builder *b, const ff_link_def *def)
{
  ff_error error;
  int id = -1;
  ffi_must(ff_builder_add_link(b, def, &id, &error), &error);
  return id;
}

void ffi_must_add_shape(ff_builder *b, int link, const ff_shape_def *def)
{
  ff_error error;
  ffi_must(ff_builder_add_shape(b, link, def, &error), &error);
}

ff_model *ffi_must_finish(ff_builder *b)
{
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_builder_finish(b, &model, &error), &error);
  ff_builder_destroy(b);
  return model;
}

ff_sim *ffi_must_sim(const ff_model *model, const ff_sim_def *def)
{
  ff_sim *sim = NULL;
  ff_error error;
  ffi_must(ff_sim_create(model, def, &sim, &error), &error);
  return sim;
}

void ffi_must_reset(ff_sim *sim, const double *q, const double *v)
{
  ff_error error;
  ffi_must(ff_sim_reset(sim, q, v, &error), &error);
}

void ffi_must_step(ff_sim *sim, const double *tau)
{
  ff_error error;
  ffi_must(ff_sim_step(sim, tau, &error), &error);
}

void ffi_must_run(ff_sim *sim, int steps, const double *tau)
{
  for (int i = 0; i < steps; ++i)
    ffi_must_step(sim, tau);
}
