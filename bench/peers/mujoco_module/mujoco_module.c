// MuJoCo's side of peers/mujoco_peer.h: compiled once for each release, against its headers, into a shared object.
//
// BENCH_MUJOCO_SOURCE and BENCH_MUJOCO_SETS are texts that the build sets.
#include "peers/mujoco_module/mujoco_batch.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IS_OLD (mjVERSION_HEADER < 300) // Debian 12's is 2.2.2; the wheel is of requirements.txt

// ---- Models -----------------------------------------------------------------------------------------------

// The release's own way to read text from memory.
#if IS_OLD
static mjModel *compile_text(const char *text, char *why, int size)
{
  mjModel *m = NULL;
  mjVFS *files = malloc(sizeof *files); // megabytes
  if (!files)
    return NULL;
  mj_defaultVFS(files);
  const int length = (int)strlen(text);
  if (mj_makeEmptyFileVFS(files, "robot.xml", length) == 0) {
    memcpy(files->filedata[mj_findFileVFS(files, "robot.xml")], text, (size_t)length);
    m = mj_loadXML("robot.xml", files, why, size);
  }
  mj_deleteVFS(files);
  free(files);
  return m;
}
#else
static mjModel *compile_text(const char *text, char *why, int size)
{
  mjVFS files;
  mj_defaultVFS(&files);
  mjModel *m = mj_addBufferVFS(&files, "robot.xml", text, (int)strlen(text)) == 0
                   ? mj_loadXML("robot.xml", &files, why, size)
                   : NULL;
  mj_deleteVFS(&files);
  return m;
}
#endif

static int compile(const char *text, const char *file, bench_mujoco_model *out, char *why, size_t size)
{
  memset(out, 0, sizeof *out);
  snprintf(why, size, "no memory");
  mjModel *m = text ? compile_text(text, why, (int)size) : mj_loadXML(file, NULL, why, (int)size);
  if (!m)
    return 0;
  *out = (bench_mujoco_model){
      .handle = m,
      .nq = (int)m->nq,
      .nv = (int)m->nv,
      .nu = (int)m->nu,
      .nbody = (int)m->nbody,
      .njoint = (int)m->njnt,
      .npair = (int)m->npair,
      .joint_solref = m->jnt_solref,
      .pair_solref = m->pair_solref,
      .joint_solimp = m->jnt_solimp,
      .pair_solimp = m->pair_solimp,
      .velocity_inverse_weight = m->dof_invweight0,
      .body_inverse_weight = m->body_invweight0,
      .start = m->qpos0,
      .joint_type = m->jnt_type,
      .joint_coordinate = m->jnt_qposadr,
      .joint_velocity = m->jnt_dofadr,
  };
  return 1;
}

static void free_model(bench_mujoco_model *m)
{
  if (m->handle)
    mj_deleteModel(m->handle);
  memset(m, 0, sizeof *m);
}

static int set_options(bench_mujoco_model *model, const bench_mujoco_options *options)
{
  mjModel *m = model->handle;
  m->opt.timestep = options->dt;
  m->opt.solver = options->solver == BENCH_MUJOCO_CG ? mjSOL_CG : mjSOL_NEWTON;
  m->opt.cone = options->is_pyramidal ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
  m->opt.integrator = options->integrator == BENCH_MUJOCO_RK4        ? mjINT_RK4
                      : options->integrator == BENCH_MUJOCO_IMPLICIT ? mjINT_IMPLICIT
                                                                     : mjINT_EULER;
#if IS_OLD
  return options->integrator != BENCH_MUJOCO_IMPLICITFAST;
#else
  m->opt.disableflags &= ~(int)mjDSBL_ISLAND;
  m->opt.disableflags |= options->is_whole ? (int)mjDSBL_ISLAND : 0;
  if (options->arena > 0)
    m->narena = (mjtSize)options->arena;
  if (options->integrator == BENCH_MUJOCO_IMPLICITFAST)
    m->opt.integrator = mjINT_IMPLICITFAST;
  return 1;
#endif
}

// ---- Data -------------------------------------------------------------------------------------------------

static int make_data(const bench_mujoco_model *m, bench_mujoco_data *out)
{
  mjData *d = mj_makeData(m->handle);
  memset(out, 0, sizeof *out);
  if (d)
    *out = (bench_mujoco_data){.handle = d,
                               .time = &d->time,
                               .qpos = d->qpos,
                               .qvel = d->qvel,
                               .warm = d->qacc_warmstart,
                               .applied = d->qfrc_applied,
                               .control = d->ctrl};
  return d != NULL;
}

static void free_data(bench_mujoco_data *d)
{
  if (d->handle)
    mj_deleteData(d->handle);
  memset(d, 0, sizeof *d);
}

static void reset(const bench_mujoco_model *m, bench_mujoco_data *d)
{
  mj_resetData(m->handle, d->handle);
}

static int reset_to_key(const bench_mujoco_model *m, bench_mujoco_data *d, const char *name)
{
  const int key = mj_name2id(m->handle, mjOBJ_KEY, name);
  if (key >= 0)
    mj_resetDataKeyframe(m->handle, d->handle, key);
  return key >= 0;
}

static void step(const bench_mujoco_model *m, bench_mujoco_data *d)
{
  mj_step(m->handle, d->handle);
}

static int contacts(const bench_mujoco_data *data)
{
  const mjData *d = data->handle;
  return d->ncon;
}

static int iterations(const bench_mujoco_data *data)
{
  const mjData *d = data->handle;
#if IS_OLD
  return d->solver_iter;
#else
  int most = 0;
  for (int i = 0; i < mjNISLAND; ++i)
    most = d->solver_niter[i] > most ? d->solver_niter[i] : most;
  return most;
#endif
}

static int has_warned(const bench_mujoco_data *data)
{
  const mjData *d = data->handle;
  return d->warning[mjWARN_BADQACC].number + d->warning[mjWARN_BADQVEL].number +
             d->warning[mjWARN_BADQPOS].number >
         0;
}

static size_t bytes(const bench_mujoco_data *data)
{
  const mjData *d = data->handle;
#if IS_OLD
  return sizeof *d + (size_t)d->nbuffer + (size_t)d->nstack * sizeof(mjtNum);
#else
  return sizeof *d + (size_t)d->nbuffer + (size_t)d->narena;
#endif
}

// MuJoCo's callbacks have no user pointer.
static bench_mujoco_force forcing;
static const void *forcing_user;

static void force(const mjModel *m, mjData *d)
{
  (void)m;
  forcing(forcing_user, d->qpos, d->qfrc_passive);
}

static void set_force(bench_mujoco_force wanted, const void *user)
{
  forcing = wanted;
  forcing_user = user;
  mjcb_passive = wanted ? force : NULL;
}

// ---- Parts of a step --------------------------------------------------------------------------------------

static void kinematics(const bench_mujoco_model *m, bench_mujoco_data *d)
{
  mj_kinematics(m->handle, d->handle);
  mj_comPos(m->handle, d->handle);
}

static void rne(const bench_mujoco_model *m, bench_mujoco_data *d, double *result)
{
  mj_comVel(m->handle, d->handle);
  mj_rne(m->handle, d->handle, 0, result);
}

static void crb(const bench_mujoco_model *m, bench_mujoco_data *d)
{
#if IS_OLD
  mj_crb(m->handle, d->handle);
#else
  mj_makeM(m->handle, d->handle); // crb alone leaves out what the matrix has from springs of tendons
#endif
}

static void factor(const bench_mujoco_model *m, bench_mujoco_data *d)
{
  mj_factorM(m->handle, d->handle);
}

static void solve(const bench_mujoco_model *m, bench_mujoco_data *d, double *x, const double *y)
{
  mj_solveM(m->handle, d->handle, x, y, 1);
}

static void multiply(const bench_mujoco_model *m, bench_mujoco_data *d, double *y, const double *x)
{
  mj_mulM(m->handle, d->handle, y, x);
}

// ---- The table --------------------------------------------------------------------------------------------

static void say_nothing(const char *words)
{
  (void)words;
}

const bench_mujoco_peer *bench_mujoco_module(void);
const bench_mujoco_peer *bench_mujoco_module(void)
{
  static bench_mujoco_peer table = {
      .table = BENCH_MUJOCO_PEER_TABLE,
      .source = BENCH_MUJOCO_SOURCE,
      .sets = BENCH_MUJOCO_SETS,
      .compile = compile,
      .free_model = free_model,
      .set_options = set_options,
      .make_data = make_data,
      .free_data = free_data,
      .reset = reset,
      .reset_to_key = reset_to_key,
      .step = step,
      .contacts = contacts,
      .iterations = iterations,
      .has_warned = has_warned,
      .bytes = bytes,
      .set_force = set_force,
      .kinematics = kinematics,
      .rne = rne,
      .crb = crb,
      .factor = factor,
      .solve = solve,
      .multiply = multiply,
  };
  if (!table.version) {
    mju_user_warning = say_nothing; // else it writes a log file to the current folder
    bench_mujoco_batch_offer(&table);
    table.version = mj_versionString();
  }
  return &table;
}
