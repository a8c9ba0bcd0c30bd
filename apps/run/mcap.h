/// mcap.h: writes an MCAP file (mcap.dev), messages with times on channels, during a run.
///
///     ffi_mcap file;
///     if (!ffi_mcap_open(&file, "out.mcap", "footfall 0.1.0")) ...           // errno says why
///     const int state = ffi_mcap_channel(&file, "/state", "footfall.State", schema);
///     ffi_mcap_begin(&file, state, time);
///     ffi_mcap_put(&file, "{\"x\": ");  ffi_mcap_number(&file, x);  ffi_mcap_put(&file, "}");
///     ffi_mcap_end(&file);
///     if (!ffi_mcap_close(&file)) ...
///
/// Messages are JSON, with a JSON schema for each channel. They are collected in chunks, each with a checksum and an
/// index of its messages by time. An index of the chunks, statistics and a copy of the channels stand at the end, so
/// that readers need not read everything. Nothing is compressed: this program has neither zstd nor lz4.
///
/// Chunks are written to the file at least twice a second. If the disk is full, an incomplete chunk is removed, and
/// later calls do nothing. `mcap recover` repairs a file without its end, of a program that was killed.
#ifndef FFI_APPS_MCAP_H
#define FFI_APPS_MCAP_H

#include "cli/files/growing_file.h"

#include <stddef.h>
#include <stdint.h>

enum { FFI_MCAP_CHANNELS = 16 };

/// A growing array of bytes.
typedef struct ffi_mcap_bytes {
  unsigned char *data;
  size_t used, room;
} ffi_mcap_bytes;

typedef struct ffi_mcap_channel_state {
  ffi_mcap_bytes schema, channel; ///< their records
  ffi_mcap_bytes index;           ///< of the present chunk: time and offset of each message
  uint64_t count;                 ///< of messages
} ffi_mcap_channel_state;

typedef struct ffi_mcap {
  ffi_growing_file file; ///< in its place when the head is written
  int failed;            ///< errno of what went wrong, 0: nothing
  uint64_t offset;       ///< bytes in the file
  ffi_mcap_channel_state channels[FFI_MCAP_CHANNELS];
  int channel_count;
  ffi_mcap_bytes chunk;             ///< records that are not written yet
  size_t message;                   ///< where the present one begins in it
  uint64_t chunk_first, chunk_last; ///< times of its messages
  ffi_mcap_bytes chunk_indexes, attachment_indexes, metadata_indexes;
  uint32_t chunk_count, attachment_count, metadata_count;
  uint64_t first, last, message_count; ///< of all
  double flushed;                      ///< when [s]
} ffi_mcap;

/// 0 with the reason in errno, for ffi_growing_file_reason(). An existing file is replaced when the head is written.
int ffi_mcap_open(ffi_mcap *mcap, const char *path, const char *library);

/// Before the first message; the number of the channel.
int ffi_mcap_channel(ffi_mcap *mcap, const char *topic, const char *schema_name, const char *schema);

/// A whole file beside the messages; before the first message.
void ffi_mcap_attach(ffi_mcap *mcap, const char *name, const char *media_type, const void *data, size_t size);

/// A message of `time` [ns], in the order of time.
void ffi_mcap_begin(ffi_mcap *mcap, int channel, uint64_t time);
void ffi_mcap_put(ffi_mcap *mcap, const char *text);   ///< as it is
void ffi_mcap_quote(ffi_mcap *mcap, const char *text); ///< as a string of JSON
void ffi_mcap_number(ffi_mcap *mcap, double value);    ///< nine digits; infinities and NaN are null
void ffi_mcap_integer(ffi_mcap *mcap, long long value);
void ffi_mcap_end(ffi_mcap *mcap);

/// After a complete row: write the chunk if that is due. 0 if something could not be written, now or before.
int ffi_mcap_flush_if_due(ffi_mcap *mcap);

/// Metadata beside the messages: [count] keys with their values; not within a message.
void ffi_mcap_metadata(ffi_mcap *mcap, const char *name, const char *const (*pairs)[2], int count);

/// 0 with the reason in errno if something was not written. The file is closed in any case.
int ffi_mcap_close(ffi_mcap *mcap);
void ffi_mcap_free(ffi_mcap *mcap); ///< afterwards

#endif
