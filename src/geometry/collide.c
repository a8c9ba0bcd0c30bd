// Which function knows which pair.
#include "geometry/collide.h"

#include "geometry/cap_box.h"
#include "geometry/meeting.h"
#include "geometry/patch.h"

enum { TYPES = FF_SHAPE_HEIGHTFIELD + 1, VERTICES = -1, PATCH = -2 };

typedef struct rule {
  void (*touch)(ffi_meeting *meeting); // NULL: not supported
  int most;                            // VERTICES: as many as A has; PATCH: patch.h knows
  int is_reversed;                     // the function knows the pair with A and B exchanged
} rule;

static const rule rules[TYPES][TYPES] = {
    [FF_SHAPE_POINT] = {[FF_SHAPE_PLANE] = {ffi_point_plane, 1, 0},
                        [FF_SHAPE_BOX] = {ffi_point_surface, 1, 0},
                        [FF_SHAPE_HEIGHTFIELD] = {ffi_point_surface, 1, 0}},
    [FF_SHAPE_SPHERE] = {[FF_SHAPE_PLANE] = {ffi_sphere_plane, 1, 0},
                         [FF_SHAPE_BOX] = {ffi_sphere_box, 1, 0},
                         [FF_SHAPE_HEIGHTFIELD] = {ffi_sphere_field, 4, 0},
                         [FF_SHAPE_SPHERE] = {ffi_sphere_sphere, 1, 0},
                         [FF_SHAPE_CAPSULE] = {ffi_sphere_capsule, 1, 0},
                         [FF_SHAPE_CYLINDER] = {ffi_sphere_convex, 1, 0},
                         [FF_SHAPE_DISK] = {ffi_sphere_convex, 1, 0},
                         [FF_SHAPE_HULL] = {ffi_sphere_convex, 1, 0}},
    [FF_SHAPE_CAPSULE] = {[FF_SHAPE_PLANE] = {ffi_capsule_plane, 2, 0},
                          [FF_SHAPE_BOX] = {ffi_capsule_box, 3, 0},
                          [FF_SHAPE_HEIGHTFIELD] = {ffi_capsule_field, 8, 0},
                          [FF_SHAPE_SPHERE] = {ffi_sphere_capsule, 1, 1},
                          [FF_SHAPE_CAPSULE] = {ffi_capsule_capsule, 5, 0},
                          [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 0},
                          [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                          [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0}},
    [FF_SHAPE_BOX] = {[FF_SHAPE_PLANE] = {ffi_box_plane, 8, 0},
                      [FF_SHAPE_BOX] = {ffi_box_box, 28, 0},
                      [FF_SHAPE_HEIGHTFIELD] = {ffi_box_field, 8, 0},
                      [FF_SHAPE_SPHERE] = {ffi_sphere_box, 1, 1},
                      [FF_SHAPE_CAPSULE] = {ffi_capsule_box, 3, 1}},
    [FF_SHAPE_CYLINDER] = {[FF_SHAPE_PLANE] = {ffi_round_surface, 10, 0},
                           [FF_SHAPE_BOX] = {ffi_round_surface, 2 * (5 + FFI_RIM_BOX) + 1 + FFI_CAPS_BOX, 0},
                           [FF_SHAPE_HEIGHTFIELD] = {ffi_round_surface, 10, 0},
                           [FF_SHAPE_SPHERE] = {ffi_sphere_convex, 1, 1},
                           [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                           [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 0},
                           [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                           [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0}},
    [FF_SHAPE_DISK] = {[FF_SHAPE_PLANE] = {ffi_round_surface, 5, 0},
                       [FF_SHAPE_BOX] = {ffi_round_surface, 5 + FFI_RIM_BOX + FFI_CAPS_BOX, 0},
                       [FF_SHAPE_HEIGHTFIELD] = {ffi_round_surface, 5, 0},
                       [FF_SHAPE_SPHERE] = {ffi_sphere_convex, 1, 1},
                       [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                       [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0}},
    [FF_SHAPE_HULL] = {[FF_SHAPE_PLANE] = {ffi_hull_plane, VERTICES, 0},
                       [FF_SHAPE_BOX] = {ffi_hull_surface, PATCH, 0},
                       [FF_SHAPE_HEIGHTFIELD] = {ffi_hull_surface, VERTICES, 0},
                       [FF_SHAPE_SPHERE] = {ffi_sphere_convex, 1, 1},
                       [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_DISK] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0}},
};

static const rule *rule_of(const ffi_solid *a, const ffi_solid *b)
{
  static const rule none = {NULL, 0, 0};
  if (a->type < 0 || a->type >= TYPES || b->type < 0 || b->type >= TYPES)
    return &none;
  return &rules[a->type][b->type];
}

// Of two of the same kind the larger is B, so that exchanging them changes nothing but signs.
static int is_exchanged(const rule *r, const ffi_solid *a, const ffi_solid *b)
{
  return r->is_reversed || (a->type == b->type && ffi_solid_radius(a) > ffi_solid_radius(b));
}

int ffi_collide_most(const ffi_solid *a, const ffi_solid *b)
{
  const rule *r = rule_of(a, b);
  if (r->most == PATCH)
    return is_exchanged(r, a, b) ? ffi_patch_most(b, a) : ffi_patch_most(a, b);
  return r->most == VERTICES ? a->vertex_count : r->most;
}

int ffi_collide(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                const double pb[3], const double Rb[9], double margin, ffi_touch *out)
{
  const rule *r = rule_of(a, b);
  if (!r->touch)
    return 0;
  const int exchanged = is_exchanged(r, a, b);
  ffi_meeting meeting = {a, b, pa, Ra, pb, Rb, margin, out, 0};
  if (exchanged)
    meeting = (ffi_meeting){b, a, pb, Rb, pa, Ra, margin, out, 0};
  r->touch(&meeting);
  for (int i = 0; exchanged && i < meeting.count; ++i) {
    out[i].owner = 1 - out[i].owner;
    ffi_v3_scale(-1, out[i].normal, out[i].normal);
  }
  return meeting.count;
}
