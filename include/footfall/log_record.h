/// log_record.h: a log as a recording, see record.h: every row is a state. In the library footfall_io.
///
///     ff_record_def def = ff_record_def_default();
///     ff_record *record;
///     if (ff_log_record_def(log, &def, &error) != FF_OK || ff_record_create(&def, &record, &error) != FF_OK) ...
///     if (ff_log_record(log, record, &error) != FF_OK) ...
///     ... ff_record_get(record) ...
///     ff_record_destroy(record);                      // before the log, whose model it has
#ifndef FOOTFALL_LOG_RECORD_H
#define FOOTFALL_LOG_RECORD_H

#include <footfall/log.h>
#include <footfall/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a log knows: model, ground, spacing and duration, into a def that was initialised. Fails as
/// ff_log_model() does.
ff_status ff_log_record_def(ff_log *log, ff_record_def *def, ff_error *error);

/// All rows of the log. If one cannot be read, the recording has those before it, and the status says so.
ff_status ff_log_record(ff_log *log, ff_record *record, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
