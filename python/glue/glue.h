/// glue.h: what Python needs of C beside the public headers: callbacks that call Python, and loops that would be slow
/// there. cffi reads this file, as it reads the headers; `static` functions are written in Python.
#ifndef FFP_GLUE_H
#define FFP_GLUE_H

#include <footfall/footfall.h>

// ---- Callbacks: `user` is the handle of a Python object --------------------------------------------------------------

static int ffp_sim_control(ff_sim *sim, double *tau, void *user);
static int ffp_ode_rate(double t, const double *x, double *rate, void *user);
static void ffp_ode_guard(double t, const double *x, double *value, void *user);
static void ffp_ode_retract(const double *x, const double *d, double *out, void *user);
static void ffp_ode_pull(const double *x, const double *d, const double *velocity, double *rate, void *user);
static int ffp_ess_field(double t, const double *x, const signed char *side, double *dx, void *user);
static void ffp_ess_guard(const double *x, double *h, void *user);
static void ffp_ess_guard_slope(const double *x, double *Dh, void *user);
static void ffp_ess_guard_rate(const double *x, const double *dx, double *rate, void *user);
static int ffp_ess_field_slope(double t, const double *x, const signed char *side, double *Df, void *user);
static int ffp_ess_reset(int guard, double t, const double *x, const signed char *side, double *out,
                         void *user);
static int ffp_ess_reset_slope(int guard, double t, const double *x, const signed char *side, double *DR,
                               void *user);
static void ffp_ess_difference(const double *x, const double *y, double *d, void *user);
static void ffp_ess_record(double t, const double *x, int guard, void *user);
static ff_status ffp_trial_control(double time, const double *q, const double *v, double *tau, void *user,
                                   ff_error *error);
static void ffp_trial_begin(void *user);
static int ffp_progress(void *user, const char *what, double share);
static int ffp_proposal_progress(void *user, int start, double share);
static int ffp_plan_progress(double share, void *user);

// ---- Logs -----------------------------------------------------------------------------------------------------------

/// Arrays for the rows of a log, all of them or NULL: [count], [count][nq], [count][nv], ... contacts of all rows one
/// after the other, with contact_starts [count + 1] in them.
typedef struct ffp_log_arrays {
  double *time;
  long long *step;
  double *q, *v, *tau, *motor;
  double *energy; ///< [count][sizeof ff_energy / sizeof(double)]
  ff_step_info *info;
  ff_contact *contacts;
  long long *contact_starts;
} ffp_log_arrays;

/// Read rows first .. first + count - 1. tau and motor are NAN where a row has none.
ff_status ffp_log_read(ff_log *log, long long first, long long count, const ffp_log_arrays *out,
                       ff_error *error);

// ---- Poses ----------------------------------------------------------------------------------------------------------

/// Poses of `count` frames, after kinematics of one lane: out [count][7]: position, quaternion x y z w.
void ffp_frame_poses(const ff_dynamics *dynamics, const int *frames, int count, double *out);

/// Poses of the drawn links of a recording of `model`, at `count` configurations q [count][nq]: out
/// [count][links][FF_RECORD_POSE]. Nothing is recorded.
ff_status ffp_record_poses(ff_record *record, const ff_model *model, long long count, const double *q,
                           float *out, ff_error *error);

// ---- Pictures -------------------------------------------------------------------------------------------------------

/// A camera and what does not move. Pixels are square; the camera looks along -back.
typedef struct ffp_camera {
  int width, height;    ///< of the picture
  int samples;          ///< along each side of a pixel
  double eye[3];        ///< [m]
  double right[3];      ///< unit vectors: to the right and upwards in the picture, and towards the camera
  double up[3];         //
  double back[3];       //
  double focal;         ///< distance of a picture plane on which half of the height is 1
  double near_plane;    ///< what is nearer is not drawn [m]
  double tile;          ///< edge of the squares on planes [m]
  const double *planes; ///< [plane_count][4] unit normal n and d of the planes n x = d, seen from above
  int plane_count;      //
  const double *light;  ///< [3] unit vector towards the light
  double ambient;       ///< part of the light that comes from everywhere; the rest falls as n light
} ffp_camera;

/// Triangles, in the frames of what carries them.
typedef struct ffp_triangles {
  long long count;       //
  const double *corners; ///< [count][3][3] [m]
  const int *carriers;   ///< [count] index in poses, -1: the world
  const double *colours; ///< [count][3] 0..1
} ffp_triangles;

/// Draw triangles carried by poses [][FF_RECORD_POSE], with their shadows on the first plane: out [height][width][3].
/// No state is kept: the same input gives the same bits.
ff_status ffp_draw(const ffp_camera *camera, const ffp_triangles *triangles, const float *poses,
                   unsigned char *out, ff_error *error);

// ---- Loops, to compare Python with ----------------------------------------------------------------------------------

/// Give u [nu] and take a step, `steps` times.
ff_status ffp_sim_loop(ff_sim *sim, const double *u, int steps, ff_error *error);

/// Give u [n][nu] and take a step, `steps` times.
ff_status ffp_batch_loop(ff_batch *batch, const double *u, int steps, ff_error *error);

// ---- Scenes ---------------------------------------------------------------------------------------------------------

/// Take `steps` steps, and observe each.
ff_status ffp_scene_run(ff_scene *scene, long long steps, ff_error *error);

// ---- Batches --------------------------------------------------------------------------------------------------------

/// ff_sim_push() of robots with mask[i] not 0, all if mask is NULL: force, torque [n][3], NULL: zero. It ends at the
/// first that is refused.
ff_status ffp_batch_push(ff_batch *batch, int link, const double at[3], const unsigned char *mask,
                         const double *force, const double *torque, ff_error *error);

/// Factors of one robot's parameters.
typedef struct ffp_variation {
  double mass;      ///< of masses and inertias of all links
  double friction;  ///< of mu of all collision shapes
  double stiffness; ///< of K of all collision shapes
  double damping;   ///< of B of all collision shapes
  double gains;     ///< of stiffness and damping of all motors (PD elements)
} ffp_variation;

/// Give robots[k] the world's parameters times factors[k], k < count. It ends at the first that is refused.
ff_status ffp_batch_vary(ff_batch *batch, int count, const int *robots, const ffp_variation *factors,
                         ff_error *error);

// ---- Many configurations ---------------------------------------------------------------------------------------------

/// ff_model_integrate() of `count` rows: q [count][nq], dv [count][nv], out [count][nq].
void ffp_integrate(const ff_model *model, long long count, const double *q, const double *dv, double *out);

/// ff_model_difference() of `count` rows: dv [count][nv] = q1 (-) q0 [count][nq].
void ffp_difference(const ff_model *model, long long count, const double *q0, const double *q1, double *dv);

#endif
