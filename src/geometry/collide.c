// The table of supported pairs: the function that knows each, and how many touches it can give.
#include "geometry/collide.h"

#include "geometry/collide_caps_box.h"
#include "geometry/narrow_phase.h"
#include "geometry/patch.h"

enum { TYPES = FF_SHAPE_ELLIPSOID + 1, VERTICES = -1, PATCH = -2 };

typedef struct rule {
  void (*touch)(ffi_narrow_phase *query); // NULL: not supported
  int most;                               // VERTICES: as many as A has; PATCH: ffi_patch_most()
  int is_reversed;                        // the function takes the pair with A and B exchanged
} rule;

static const rule rules[TYPES][TYPES] = {
    [FF_SHAPE_POINT] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_point, 1, 0},
                        [FF_SHAPE_BOX] = {ffi_collide_vertices_point, 1, 0},
                        [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_vertices_point, 1, 0}},
    [FF_SHAPE_SPHERE] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_sphere, 1, 0},
                         [FF_SHAPE_BOX] = {ffi_collide_ball_box_sphere, 1, 0},
                         [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_ball_field_sphere, 4, 0},
                         [FF_SHAPE_SPHERE] = {ffi_collide_balls_spheres, 1, 0},
                         [FF_SHAPE_CAPSULE] = {ffi_collide_balls_sphere_capsule, 1, 0},
                         [FF_SHAPE_CYLINDER] = {ffi_patch_sphere, 1, 0},
                         [FF_SHAPE_DISK] = {ffi_patch_sphere, 1, 0},
                         [FF_SHAPE_HULL] = {ffi_patch_sphere, 1, 0},
                         [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_CAPSULE] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_capsule, 2, 0},
                          [FF_SHAPE_BOX] = {ffi_collide_ball_box_capsule, 3, 0},
                          [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_ball_field_capsule, 8, 0},
                          [FF_SHAPE_SPHERE] = {ffi_collide_balls_sphere_capsule, 1, 1},
                          [FF_SHAPE_CAPSULE] = {ffi_collide_balls_capsules, 5, 0},
                          [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 0},
                          [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                          [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0},
                          [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_BOX] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_box, 8, 0},
                      [FF_SHAPE_BOX] = {ffi_collide_box_box, 28, 0},
                      [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_vertices_box, 8, 0},
                      [FF_SHAPE_SPHERE] = {ffi_collide_ball_box_sphere, 1, 1},
                      [FF_SHAPE_CAPSULE] = {ffi_collide_ball_box_capsule, 3, 1},
                      [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_CYLINDER] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_caps, 10, 0},
                           [FF_SHAPE_BOX] = {ffi_collide_caps,
                                             2 * (5 + FFI_COLLIDE_RIM_BOX) + 1 + FFI_COLLIDE_CAPS_BOX, 0},
                           [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_caps, 10, 0},
                           [FF_SHAPE_SPHERE] = {ffi_patch_sphere, 1, 1},
                           [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                           [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 0},
                           [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                           [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0},
                           [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_DISK] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_caps, 5, 0},
                       [FF_SHAPE_BOX] = {ffi_collide_caps, 5 + FFI_COLLIDE_RIM_BOX + FFI_COLLIDE_CAPS_BOX, 0},
                       [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_caps, 5, 0},
                       [FF_SHAPE_SPHERE] = {ffi_patch_sphere, 1, 1},
                       [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_DISK] = {ffi_patch, PATCH, 0},
                       [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0},
                       [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_HULL] = {[FF_SHAPE_PLANE] = {ffi_collide_plane_hull, VERTICES, 0},
                       [FF_SHAPE_BOX] = {ffi_collide_vertices_hull, PATCH, 0},
                       [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_vertices_hull, VERTICES, 0},
                       [FF_SHAPE_SPHERE] = {ffi_patch_sphere, 1, 1},
                       [FF_SHAPE_CAPSULE] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_CYLINDER] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_DISK] = {ffi_patch, PATCH, 1},
                       [FF_SHAPE_HULL] = {ffi_patch, PATCH, 0},
                       [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 1}},
    [FF_SHAPE_ELLIPSOID] = {[FF_SHAPE_PLANE] = {ffi_collide_ellipsoid_plane, 1, 0},
                            [FF_SHAPE_HEIGHTFIELD] = {ffi_collide_ellipsoid_field, 4, 0},
                            [FF_SHAPE_SPHERE] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_CAPSULE] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_BOX] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_CYLINDER] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_DISK] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_HULL] = {ffi_collide_ellipsoid_convex, 1, 0},
                            [FF_SHAPE_ELLIPSOID] = {ffi_collide_ellipsoid_convex, 1, 0}},
};

static const rule *rule_of(const ffi_solid *a, const ffi_solid *b)
{
  static const rule none = {NULL, 0, 0};
  if (a->type < 0 || a->type >= TYPES || b->type < 0 || b->type >= TYPES)
    return &none;
  return &rules[a->type][b->type];
}

// Of two solids of the same kind the larger is B, so that exchanging them changes signs only.
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

int ffi_collide(const ffi_solid_at *a, const ffi_solid_at *b, double margin, ffi_touch *out)
{
  const rule *r = rule_of(a->solid, b->solid);
  if (!r->touch)
    return 0;
  const int exchanged = is_exchanged(r, a->solid, b->solid);
  ffi_narrow_phase query = {a->solid, b->solid, a->p, a->R, b->p, b->R, margin, out, 0};
  if (exchanged)
    query = (ffi_narrow_phase){b->solid, a->solid, b->p, b->R, a->p, a->R, margin, out, 0};
  r->touch(&query);
  for (int i = 0; exchanged && i < query.count; ++i) {
    out[i].owner = 1 - out[i].owner;
    ffi_v3_scale(-1, out[i].normal, out[i].normal);
  }
  return query.count;
}
