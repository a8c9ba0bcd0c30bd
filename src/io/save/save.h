/// save.h: models as text.
///
///     save.c           the whole, and what both formats share: attributes, numbers, poses, notes
///     save_urdf.c      links, joints and shapes as URDF; save_urdf_footfall.c our element <footfall>,
///                      save_urdf_collision.c who collides in it
///     save_hull.c      files for hulls that have none
///     save_mjcf.c      bodies, joints and shapes as MJCF; save_mjcf_sections.c meshes, loops, actuators, keyframes;
///                      save_mjcf_contact.c who collides
#ifndef FFI_IO_SAVE_H
#define FFI_IO_SAVE_H

#include <footfall/dynamics.h>
#include <footfall/save.h>

#include <stdio.h>

typedef struct ffi_save {
  const ff_model *model;
  ff_model_size size;
  const char *path;
  FILE *out, *notes;
  int note_count;
  ff_dynamics *neutral; ///< where everything is in the neutral configuration
  int has_world;        ///< URDF: the root is a link "world"
  ff_saved *saved;      ///< takes meshes
  const double *hull;   ///< corners of the last of them
  double *frictions;    ///< [friction_count] MJCF: of collision shapes, each once, the largest first
  int friction_count;
  int has_failed; ///< there is not enough memory
} ffi_save;

void ffi_save_urdf(ffi_save *s);
/// A new file for a hull that has none, beside the robot's; its path, NULL if there is no memory.
const char *ffi_save_hull(ffi_save *s, const ff_shape_def *shape);
void ffi_save_urdf_footfall(ffi_save *s);
void ffi_save_urdf_collision(ffi_save *s);
void ffi_save_mjcf(ffi_save *s);
int ffi_save_mjcf_is_passed_on(const ffi_save *s,
                               int id); ///< is a link written as a joint of another's body?
void ffi_save_mjcf_friction_begin(ffi_save *s);
void ffi_save_mjcf_friction_end(ffi_save *s);
void ffi_save_mjcf_friction(ffi_save *s, const ff_material *m); ///< of a geom
void ffi_save_mjcf_contact(ffi_save *s);
/// The name of a shape's geom: its own, or one in `made` if <contact> needs one, or NULL.
const char *ffi_save_mjcf_contact_geom(const ffi_save *s, int shape, const char *given, char made[64]);
void ffi_save_mjcf_sections_meshes(ffi_save *s);
void ffi_save_mjcf_sections_sites(ffi_save *s, int link); ///< of a link, -1: the world
void ffi_save_mjcf_sections(ffi_save *s);
void ffi_save_mjcf_tendons(ffi_save *s);                                   ///< with the elements on them
void ffi_save_mjcf_tendons_coupling(ffi_save *s, const ff_element_def *e); ///< inside <equality>

/// The link after `at` (-1: the first) in the order in which bodies are written, each followed by what it carries; -1
/// after the last.
int ffi_save_next_link(const ffi_save *s, int at);

/// One line for people.
void ffi_save_note(ffi_save *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// ` name="text"` with what XML needs escaped; nothing if text is NULL.
void ffi_save_text(ffi_save *s, const char *name, const char *text);

/// ` name="1 2 3"`, each with as many digits as it takes to read the same back.
void ffi_save_numbers(ffi_save *s, const char *name, const double *x, int count);
void ffi_save_number(ffi_save *s, const char *name, double x);
void ffi_save_unless(ffi_save *s, const char *name, double x,
                     double usual); ///< nothing if it is the usual one

/// Where a frame is in the link that it belongs to.
ff_pose ffi_save_frame(const ffi_save *s, int frame);

/// "world" or a link's or a frame's.
const char *ffi_save_frame_name(const ffi_save *s, int frame);

int ffi_save_is_frame(const ffi_save *s, int frame); ///< and not a link or the world

#endif
