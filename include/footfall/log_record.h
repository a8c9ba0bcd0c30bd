/// log_record.h: convert a log to a recording (record.h), one state per row. In the library footfall_io.
///
///     ff_record_def def = ff_record_def_default();
///     ff_record *record;
///     if (ff_log_record_def(log, &def, &error) != FF_OK || ff_record_create(&def, &record, &error) != FF_OK) ...
///     if (ff_log_record(log, record, &error) != FF_OK) ...
///     ... ff_record_get(record) ...
///     ff_record_destroy(record);                      // before the log, which owns the model
#ifndef FOOTFALL_LOG_RECORD_H
#define FOOTFALL_LOG_RECORD_H

#include <footfall/log.h>
#include <footfall/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Set model, ground, spacing and duration of an initialised def from a log. Fails as ff_log_model() does.
ff_status ff_log_record_def(ff_log *log, ff_record_def *def, ff_error *error);

/// Add all rows of a log to a recording. If a row cannot be read, the recording has the rows before it and the status
/// is that failure.
ff_status ff_log_record(ff_log *log, ff_record *record, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
