/// log.h: what writer and reader of a log share: records, names, how HDF5 is kept quiet.
///
///     log.c         records as HDF5 sees them; texts, attributes; why HDF5 failed
///     log_table.c   a table that grows
///     log_press.c   compression in a thread of its own
///     log_place.c   names and locks of a log that is written
///     log_disk.c    the file itself, on a disk that may be full
///     log_sum.c     checksums
///     log_write.c   a log as it is written: rows, commits, the end
///     log_head.c    the data written once: the scene, the model, names
///     log_end.c     how the run ended, written and read
///     log_open.c    opening: is it a log, and how much is in it?
///     log_read.c    its rows and states as they are read
///     log_source.c  the data written once, read again
///     log_check.c   is anything in it damaged?
///
/// docs/guide/logs.md has the layout.
#ifndef FFI_IO_LOG_FILE_H
#define FFI_IO_LOG_FILE_H

#include <footfall/log.h>

#include <hdf5.h>
#include <stdint.h>

#define FFI_LOG_FORMAT "footfall log"
#define FFI_LOG_SUMS_TABLE "sums" ///< a log that has it has checksums

/// Of a table `steps`: one for each row.
typedef struct ffi_log_step {
  int64_t step;
  int64_t contacts_end; ///< contacts of this and all earlier rows
  int32_t contacts, slipping, pieces, touchdowns, liftoffs, slips, sticks, events_capped, factorisations,
      substeps, capped, integrator_steps, rejected, inaccurate, projections, located, iterations, converged,
      fallbacks, none; ///< the last fills up
  double penetration, force_error, residual, drift, drift_angle;
} ffi_log_step;

/// Of a table `contacts`.
typedef struct ffi_log_contact {
  int32_t id, shape_a, shape_b, ground, link_a, link_b, mode;
  float point[3], normal[3], force[3], slip[2], penetration;
} ffi_log_contact;

/// Of a table `ground`.
typedef struct ffi_log_ground {
  int32_t type, rows, columns, gives_pair;
  double position[3], quaternion[4], size[3], velocity[6], stiffness, damping, friction;
} ffi_log_ground;

/// How far the tables can be read; beyond they may be torn.
typedef struct ffi_log_done {
  int64_t rows, contacts, states, is_whole;
  int64_t sum; ///< ffi_log_end_sum() of these; earlier versions did not write it
} ffi_log_done;

/// Texts of the group `end`, with the zero behind them.
enum { FFI_LOG_OUTCOME_SIZE = 32, FFI_LOG_REASON_SIZE = 1024 };
#define FFI_LOG_NOT_ENDED "not ended in order"

/// The checksum of a count, and, of a log that ended in order, of how it ended.
int64_t ffi_log_end_sum(const ffi_log_done *done, const char *outcome, const char *reason, double time);

hid_t ffi_log_step_type(void);
hid_t ffi_log_contact_type(void);
hid_t ffi_log_ground_type(void);

enum { FFI_LOG_ENERGIES = 6 };
/// kinetic, potential, elastic, total, control_power, control_work.
extern const char *const ffi_log_energy_names[FFI_LOG_ENERGIES];

// ---- Attributes and texts: 0 on failure -----------------------------------------------------------------------------

int ffi_log_put_text(hid_t object, const char *name, const char *text);
int ffi_log_put_texts(hid_t object, const char *name, const char *const *texts, int count);
int ffi_log_put_number(hid_t object, const char *name, hid_t type, const void *value);

/// malloc'ed; NULL if there is none.
char *ffi_log_get_text(hid_t object, const char *name);
int ffi_log_get_number(hid_t object, const char *name, hid_t type, void *value);

/// The checksum of all that is in a dataset, as its attribute `sum`. 0 on failure.
int ffi_log_put_sum(hid_t dataset, const void *bytes, size_t size);
/// 0: it has another one. Datasets of earlier versions have none, which is fine.
int ffi_log_has_sum(hid_t dataset, const void *bytes, size_t size);

// ---- Quiet ----------------------------------------------------------------------------------------------------------

/// HDF5 prints errors unless that is switched off, for the whole program: so it is switched off during a call. errno is
/// 0 at first and the caller's afterwards: in between, ENOMEM means that memory was short, ours or HDF5's.
typedef struct ffi_log_quiet {
  H5E_auto2_t print;
  void *data;
  int code;
} ffi_log_quiet;

ffi_log_quiet ffi_log_be_quiet(void);
void ffi_log_be_as_before(const ffi_log_quiet *quiet);

/// After it has met a damaged record HDF5 cannot free all of its memory, and says so when the program ends, unless its
/// printing is switched off by then.
void ffi_log_be_quiet_at_exit(void);

/// The operating system's reason for HDF5's last failure, or HDF5's own words.
void ffi_log_reason(char *text, size_t size);

#endif
