/// log_write.h: a log that is being written.
#ifndef FFI_IO_LOG_WRITE_H
#define FFI_IO_LOG_WRITE_H

#include "io/log/log.h"
#include "io/log/log_disk.h"
#include "io/log/log_place.h"
#include "io/log/log_table.h"

typedef enum ffi_log_write_table {
  FFI_LOG_TIME,
  FFI_LOG_Q,
  FFI_LOG_V,
  FFI_LOG_TAU,
  FFI_LOG_MOTOR,
  FFI_LOG_ENERGY,
  FFI_LOG_STEPS,
  FFI_LOG_SUMS, ///< checksums of rows
  FFI_LOG_CONTACTS,
  FFI_LOG_STATE_STEP,
  FFI_LOG_STATE_ROW,
  FFI_LOG_STATE_TIME,
  FFI_LOG_STATE_Q,
  FFI_LOG_STATE_TAU,
  FFI_LOG_STATE,
  FFI_LOG_STATE_SUM,
  FFI_LOG_STATE_MEMORY, ///< of a scene; else there is no such table
  FFI_LOG_TABLES
} ffi_log_write_table;

struct ff_log_writer {
  ffi_log_place place;
  hid_t file, done_set;
  hid_t end_sets[3]; ///< outcome, reason, time
  char outcome[FFI_LOG_OUTCOME_SIZE], reason[FFI_LOG_REASON_SIZE];
  ffi_log_disk disk;
  char why[300]; ///< HDF5 could not create it; "": it could
  const ff_sim *sim;
  const ff_scene *scene; ///< NULL: none
  int nq, nv, state_size;
  ffi_log_press *press;
  ffi_log_table tables[FFI_LOG_TABLES];
  double *zeros;             ///< [the larger of nq and nv, + 1]
  double *last_q, *last_tau; ///< [nq + 1], [nv + 1] of the last row
  double last_time;
  int64_t last_step;
  double *state;             ///< [state_size]
  double *memory;            ///< [of the scene]
  ffi_log_contact *contacts; ///< [contact_room]
  int contact_room;
  double state_interval, next_state; ///< [s] of the sim's time
  long long state_at;                ///< row of the last state, -1: none
  ffi_log_done done;                 ///< what is in the file
  double committed;                  ///< when [s]
  ff_status failed;                  ///< FF_OK: nothing did
};

/// How the run ended. create: the datasets, with "not ended in order"; write: w->outcome and w->reason. 0 on failure.
int ffi_log_end_create(ff_log_writer *writer);
int ffi_log_end_write(ff_log_writer *writer);
void ffi_log_end_close(ff_log_writer *writer);

/// The data that is written once, before the first row. 0 on failure.
int ffi_log_head_write(hid_t file, const ff_log_def *def);

#endif
