// Prints a recipe for people.
#include "campaign/recipe.h"

#include <footfall/option.h>

#include <stdio.h>

static void print_numbers(const char *name, const double *x, int count)
{
  int is_zero = 1;
  for (int k = 0; k < count; ++k)
    is_zero &= x[k] == 0;
  if (is_zero)
    return;
  printf(" %s", name);
  for (int k = 0; k < count; ++k)
    printf("%s%.17g", k ? "," : "=", x[k]);
}

static void print_link(const ffi_recipe_link *l, int i)
{
  printf("link %d: %s on %d", i, ff_joint_type_name(l->type), l->parent);
  print_numbers("at", l->pose.position, 3);
  print_numbers("quaternion", l->pose.quaternion, 4);
  if (ffi_recipe_nv(l->type) == 1 || l->type == FF_JOINT_PLANAR)
    print_numbers("axis", l->axis, 3);
  if (l->has_limits)
    printf(" limits=%g..%g", l->lower, l->upper);
  print_numbers("damping", &l->damping, 1);
  print_numbers("friction", &l->friction, 1);
  print_numbers("armature", &l->armature, 1);
  if (l->stiffness > 0)
    printf(" spring=%.17g to %.17g", l->stiffness, l->spring_reference);
  if (l->has_servo)
    printf(" servo: gear=%g kp=%g kv=%g range=%g", l->gear, l->kp, l->kv, l->force_range);
  print_numbers("tau", &l->tau, 1);
  printf("\n  ");
  print_numbers("mass", &l->inertia.mass, 1);
  print_numbers("com", l->inertia.com, 3);
  print_numbers("inertia", l->inertia.matrix, 6);
  printf("\n  ");
  print_numbers("q", l->q, ffi_recipe_nq(l->type));
  print_numbers("v", l->v, ffi_recipe_nv(l->type));
  printf("\n");
}

static void print_shape(const char *what, const ffi_recipe_shape *s, int i)
{
  printf("%s %d: %s on %d", what, i, ff_shape_type_name(s->type), s->link);
  print_numbers("size", s->size, 3);
  print_numbers("at", s->pose.position, 3);
  print_numbers("quaternion", s->pose.quaternion, 4);
  printf(" K=%.4g B=%.4g mu=%.4g e=%.3g eT=%.3g%s\n", s->material.stiffness, s->material.damping,
         s->material.friction, s->material.restitution, s->material.tangential_restitution,
         s->purpose & FF_SHAPE_COLLISION ? "" : " (visual)");
}

static void print_element(const ffi_recipe_element *e, int i)
{
  printf("element %d: %s ", i, ff_element_type_name(e->type));
  if (e->tendon)
    printf("on T%d-%d", e->tendon - 1, e->b);
  else
    printf("%d-%d", e->a, e->b);
  printf("%s%s K=%.4g B=%.4g", e->is_closed ? " closed" : "", e->is_rigid ? " rigid" : "", e->stiffness,
         e->damping);
  if (e->type == FF_ELEMENT_JOINT_PD)
    printf(" reference=%g at %g, effort=%g, delay=%g", e->reference, e->reference_velocity, e->effort,
           e->delay);
  else if (e->type == FF_ELEMENT_JOINT_LIMIT)
    printf(" limits=%g..%g", e->lower, e->upper);
  else if (e->type == FF_ELEMENT_JOINT_FRICTION)
    printf(" friction=%g", e->effort);
  else if (e->type == FF_ELEMENT_COUPLING)
    print_numbers("polynomial", e->polynomial, 5);
  else {
    if (e->type == FF_ELEMENT_WELD)
      printf(" angular K=%.4g B=%.4g", e->angular_stiffness, e->angular_damping);
    print_numbers("a", e->offset_a, 3);
    if (!e->is_closed)
      print_numbers("b", e->offset_b, 3);
  }
  printf("\n");
}

static void print_tendon(const ffi_recipe_tendon *t, int i)
{
  printf("tendon T%d:", i);
  for (int k = 0; k < t->count; ++k)
    printf(" %.17g J%02d", t->weights[k], t->links[k]);
  if (t->has_servo)
    printf(" servo: gear=%g kp=%g kv=%g range=%g", t->gear, t->kp, t->kv, t->force_range);
  printf("\n");
}

void ffi_recipe_print(const ffi_recipe *r)
{
  printf("seed %llu: %s, %s, %s, dt=%.6g s, %d steps", (unsigned long long)r->seed,
         r->is_wild ? "wild" : "mild", r->is_passive ? "passive" : "driven", ff_stepper_name(r->stepper),
         r->dt, r->steps);
  print_numbers("gravity", r->gravity, 3);
  printf("\n");
  for (int i = 0; i < r->link_count; ++i)
    print_link(&r->links[i], i);
  for (int i = 0; i < r->shape_count; ++i)
    print_shape("shape", &r->shapes[i], i);
  printf(r->ground_count < 0 ? "ground: the plane z = 0\n" : r->ground_count == 0 ? "no ground\n" : "");
  for (int i = 0; i < r->ground_count; ++i) {
    print_shape(r->grounds[i].gives_pair ? "ground (gives the pair)" : "ground", &r->grounds[i].shape, i);
    print_numbers("  velocity", r->grounds[i].velocity, 6);
  }
  for (int i = 0; i < r->tendon_count; ++i)
    print_tendon(&r->tendons[i], i);
  if (r->reference_period > 0)
    printf("references change by %g every %d steps\n", r->reference_size, r->reference_period);
  if (r->ground_period > 0)
    printf("the ground moves by %g m every %d steps\n", r->ground_size, r->ground_period);
  for (int i = 0; i < r->element_count; ++i)
    print_element(&r->elements[i], i);
  for (int i = 0; i < r->option_count; ++i) {
    const ff_option *option = ff_option_at(r->options[i].index);
    printf("option %d: %s = %.17g%s\n", i, option->key, r->options[i].value,
           ff_option_is_of(option, r->stepper) ? "" : " (of other steppers)");
  }
}
