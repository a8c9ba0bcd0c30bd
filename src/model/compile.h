/// compile.h: the stages between a builder and a model.
///
///     order      (compile_order.c)      the order of links, and the body of each
///     frames     (compile_frames.c)     internal frames, kinds of joints, poses of links in their bodies
///     tables     (compile_tables.c)     masses of bodies, subtrees, slices of q and v, ancestors of velocities
///     names      (compile_names.c)      sorted tables for searches by name
///     massless   (compile_massless.c)   refuses joints without inertia of their own, warns where zero is singular
///     collisions (compile_collisions.c) robots, and tables of who collides
///     place      (compile_place.c)      copies all of it into one block
///
/// A plan holds the results of the stages; its memory is the plan's own arena, freed after placing.
#ifndef FFI_MODEL_COMPILE_H
#define FFI_MODEL_COMPILE_H

#include "base/block.h"
#include "model/builder.h"
#include "model/model.h"

/// One link, in the model's order.
typedef struct ffi_compile_link {
  int id;      ///< in the builder
  int parent;  ///< in the model's order, -1: the world
  int body;    ///< it belongs to, 0: the world
  double p[3]; ///< its frame in the body's internal frame
  double R[9]; ///< link to body
} ffi_compile_link;

/// A name and the index of what it names, for sorted tables.
typedef struct ffi_compile_name {
  const char *name;
  int index;
} ffi_compile_name;

typedef struct ffi_compile_plan {
  const ff_builder *builder;
  ffi_arena arena;
  ff_model_size size;
  double mass;
  int body_count, max_level, max_depth;
  ffi_compile_link *links;     ///< [size.links]
  int *link_of_id;             ///< [size.links] model's link of a builder's
  int *body_link;              ///< [body_count] the link whose joint moves the body; -1 for the world
  ffi_body *bodies;            ///< [body_count]
  int *joints_by_name;         ///< [size.joints]
  int *frames_by_name;         ///< [size.frames]
  const char *neutral_warning; ///< the mass matrix is singular at zero; NULL: it is not
  int *robot;                  ///< [size.links]
  int *holder;                 ///< [body_count] see ff_model.body_holder
  int (*exclusions)[2];        ///< [size.exclusions]
  ff_shape_pair *pairs;        ///< [size.pairs]
} ffi_compile_plan;

ff_status ffi_compile_order(ffi_compile_plan *plan, ff_error *error);
void ffi_compile_frames(ffi_compile_plan *plan);
ff_status ffi_compile_tables(ffi_compile_plan *plan, ff_error *error);
ff_status ffi_compile_names(ffi_compile_plan *plan, ff_error *error);
ff_status ffi_compile_massless(ffi_compile_plan *plan, ff_error *error);
/// The least inertia for links of the builder whose joints it would refuse, with a warning; how many.
ff_status ffi_compile_massless_fill(ffi_compile_plan *plan, ff_builder *builder, int *count, ff_error *error);
ff_status ffi_compile_collisions(ffi_compile_plan *plan, ff_error *error);

/// Places the model in a block; `scratch` stands in for it while the block only counts.
ff_model *ffi_compile_place(const ffi_compile_plan *plan, ffi_block *block, ff_model *scratch);

/// Sorts by name in byte order, the same on every machine and in every locale.
void ffi_compile_names_sort(ffi_compile_name *items, int count);

/// "There is not enough memory."
ff_status ffi_compile_no_memory(ff_error *error);

/// The builder's entry of a link of the plan.
static inline const ffi_build_link *ffi_compile_source(const ffi_compile_plan *plan, int link)
{
  return &plan->builder->links[plan->links[link].id];
}

#endif
