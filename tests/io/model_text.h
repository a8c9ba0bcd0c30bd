/// model_text.h: models from URDF or MJCF written in a test, and what is in them.
#ifndef FFI_TESTS_MODEL_TEXT_H
#define FFI_TESTS_MODEL_TEXT_H

#include <footfall/load.h>

/// In URDF, a unit mass with moments of inertia 0.1.
#define INERTIAL "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial>"

/// Two such links, and a hinge between them.
#define TWO_LINKS "<link name='base'>" INERTIAL "</link><link name='arm'>" INERTIAL "</link>"
#define HINGE                                                                                                \
  "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/><origin xyz='0 0 2'/></joint>"

/// In MJCF, an arm of one rod.
#define ARM "<body name='arm'><joint name='elbow' axis='0 1 0'/><geom name='rod' size='0.1'/></body>"

/// The model of a text that must be good; fails the test with the message otherwise. `def` may be NULL.
ff_model *load_text(const char *text, const ff_load_def *def);

/// The failure of a text that must be bad.
ff_error load_error(const char *text, const ff_load_def *def);

ff_joint_info joint_named(const ff_model *model, const char *name);
ff_link_info link_named(const ff_model *model, const char *name);

/// How many of the model's warnings contain a fragment.
int warnings_with(const ff_model *model, const char *fragment);

/// Exactly one warning contains a fragment; fails the test with all warnings otherwise.
void assert_warning(const ff_model *model, const char *fragment);

/// |a - b| <= tolerance for all n numbers; fails the test with the numbers otherwise.
void assert_close(const double *a, const double *b, int n, double tolerance, const char *what);

#endif
