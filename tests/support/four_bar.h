/// four_bar.h: a four-bar linkage that hangs from two hinges, as a text in MJCF or URDF.
///
///        A ------------- B      z = 0, at x = -+frame / 2
///         \             /
///          \           /        bars of mass `bar`, `reach` inwards and `drop` down
///           C ------- D         rod of mass `rod`, length frame - 2 reach
///
/// All hinges turn about y; every bar is uniform and thin. In the tree are the left bar ("left") with the rod on it,
/// and the right bar ("right"). An element "loop" between the two closes the loop:
///
///     pin    a point at D: the rod, "rod", is one piece on the left bar
///     weld   a weld in the middle of the rod, whose two halves "rod" and "rest" hang on the left and the right bar
///
/// It hangs as written; joints are "left", "rod", "rest", "right" and q in that order, without "rest" for the pin.
#ifndef FFI_TESTS_FOUR_BAR_H
#define FFI_TESTS_FOUR_BAR_H

#include <footfall/element.h>
#include <footfall/model.h>

typedef struct ffi_four_bar {
  double frame, reach, drop; ///< [m]
  double bar, rod;           ///< masses [kg]
  double joint_damping;      ///< of every hinge [N m s/rad]
  int is_weld;               ///< else a pin
  double stiffness, damping; ///< of the loop; 0, 0: the loop is open
  double torque_scale;       ///< of a weld: angular ones are its square times these
} ffi_four_bar;

/// Bars that lean, 3, 4, 5; with a pin.
extern const ffi_four_bar ffi_four_bar_leaning;

typedef enum ffi_four_bar_format { FFI_FOUR_BAR_MJCF, FFI_FOUR_BAR_URDF } ffi_four_bar_format;

/// Write the text, at most `room` bytes, which must be enough (8192 are).
void ffi_four_bar_text(const ffi_four_bar *l, ffi_four_bar_format format, char *text, int room);

/// Read it; fails the test if it is refused or not without warnings.
ff_model *ffi_four_bar_load(const ffi_four_bar *l, ffi_four_bar_format format);

/// The loop's element as a user would list it for a sim of the model.
ff_element_def ffi_four_bar_loop(const ffi_four_bar *l, const ff_model *model);

#endif
