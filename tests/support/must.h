/// must.h: set-up steps of tests that have to succeed: building a model, creating a sim, stepping. A failure fails the
/// test with its message.
#ifndef FFI_TESTS_MUST_H
#define FFI_TESTS_MUST_H

#include <footfall/builder.h>
#include <footfall/sim.h>

void ffi_must(ff_status status, const ff_error *error);

ff_builder *ffi_must_begin(const char *name);
int ffi_must_add_link(ff_builder *builder, const ff_link_def *def); ///< its number
void ffi_must_add_shape(ff_builder *builder, int link, const ff_shape_def *def);
ff_model *ffi_must_finish(ff_builder *builder); ///< and destroys the builder

ff_sim *ffi_must_sim(const ff_model *model, const ff_sim_def *def); ///< `def` may be NULL
void ffi_must_reset(ff_sim *sim, const double *q, const double *v);
void ffi_must_step(ff_sim *sim, const double *tau); ///< `tau` may be NULL
void ffi_must_run(ff_sim *sim, int steps, const double *tau);

#endif
