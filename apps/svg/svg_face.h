/// svg_face.h: flat convex faces in the picture, all of them turned towards the viewer.
#ifndef FFI_APPS_SVG_FACE_H
#define FFI_APPS_SVG_FACE_H

#include "svg/svg_view.h"

enum { FFI_FACE_CORNERS = 64 }; ///< most corners of a face, after all cuts

typedef struct ffi_corner {
  double at[3];   ///< [px]
  int is_outline; ///< the edge to the next corner is an edge of the solid or its silhouette
} ffi_corner;

typedef struct ffi_face {
  int solid;  ///< it belongs to
  int serial; ///< place in the list before it was brought into order
  int count;
  ffi_corner *corners; ///< [count], in one sense of rotation for all faces, owned
  double depth[3];     ///< z = depth[0] x + depth[1] y + depth[2]
  double facing;       ///< z of its unit normal, > 0
  double low[2], high[2];
  unsigned colour; ///< 0xrrggbb
} ffi_face;

/// A list of faces.
typedef struct ffi_faces {
  int count, capacity;
  ffi_face *list; ///< owned, its faces too
} ffi_faces;

/// Add the faces of a solid that look at the viewer. What is below the ground is left out if there is one.
void ffi_faces_add_solid(ffi_faces *faces, const ffi_view *view, const ffi_solid *solid, int index,
                         int has_ground);
void ffi_faces_add(ffi_faces *faces, const ffi_face *face);
void ffi_faces_free(ffi_faces *faces);

/// Cut a face along line[0] x + line[1] y + line[2] = 0 into what is on the positive and on the negative side; a side on
/// which there is nothing gets no corners. Returns 0, and makes nothing, if a piece would have too many corners.
int ffi_face_cut(const ffi_face *face, const double line[3], ffi_face *positive, ffi_face *negative);
void ffi_face_free(ffi_face *face);

typedef enum ffi_order {
  FFI_ORDER_ANY,    ///< neither hides the other
  FFI_ORDER_BEHIND, ///< a is behind b
  FFI_ORDER_BEFORE, ///< a is before b
  FFI_ORDER_CROSS,  ///< they pass through each other
} ffi_order;

/// Where both are seen at the same place of the picture: which is nearer?
ffi_order ffi_face_compare(const ffi_face *a, const ffi_face *b);

#endif
