/// mcap.h: an MCAP file (mcap.dev), messages with times on channels, written as something long runs.
///
///     ffi_mcap file;
///     if (!ffi_mcap_open(&file, "out.mcap", "footfall 0.1.0")) ...           // errno says why
///     const int state = ffi_mcap_channel(&file, "/state", "footfall.State", schema);
///     ffi_mcap_begin(&file, state, time);
///     ffi_mcap_put(&file, "{\"x\": ");  ffi_mcap_number(&file, x);  ffi_mcap_put(&file, "}");
///     ffi_mcap_end(&file);
///     if (!ffi_mcap_close(&file)) ...
///
/// Messages are JSON, with a JSON schema for each channel. They are gathered in chunks, each with its checksum and an index of its messages by time; at the end come an index of
/// the chunks, statistics and a copy of the channels, so that readers need not look at everything. Nothing is compressed: the format knows zstd and lz4, which are no
/// part of this program.
///
/// What was written stays: chunks reach the file at least twice a second. When the disk is full what is torn is cut off again, and every later call does nothing. A file
/// without its end, of a program that was killed, is mended by `mcap recover`.
#ifndef FFI_APPS_MCAP_H
#define FFI_APPS_MCAP_H

#include <stddef.h>
#include <stdint.h>

enum { FFI_MCAP_CHANNELS = 16 };

/// Bytes that grow.
typedef struct ffi_mcap_bytes {
  unsigned char *data;
  size_t used, room;
} ffi_mcap_bytes;

typedef struct ffi_mcap_channel_state {
  ffi_mcap_bytes schema, channel; ///< their records
  ffi_mcap_bytes index;           ///< of the present chunk: time and place of each message
  uint64_t count;                 ///< of messages
} ffi_mcap_channel_state;

typedef struct ffi_mcap {
  int file;   ///< descriptor, -1: closed
  int failed; ///< errno of what went wrong, 0: nothing
  char *part,
      *place; ///< what it is called until the head is written, and what then; NULL: it is in its place; owned
  uint64_t offset; ///< bytes in the file
  ffi_mcap_channel_state channels[FFI_MCAP_CHANNELS];
  int channel_count;
  ffi_mcap_bytes chunk;             ///< records that wait
  size_t message;                   ///< where the present one begins in it
  uint64_t chunk_first, chunk_last; ///< times of its messages
  ffi_mcap_bytes chunk_indexes, attachment_indexes, metadata_indexes;
  uint32_t chunk_count, attachment_count, metadata_count;
  uint64_t first, last, message_count; ///< of all
  double flushed;                      ///< when [s]
} ffi_mcap;

/// 0 with errno's reason. A file that is there is replaced when the head is written.
int ffi_mcap_open(ffi_mcap *mcap, const char *path, const char *library);

/// Before the first message; the number of the channel.
int ffi_mcap_channel(ffi_mcap *mcap, const char *topic, const char *schema_name, const char *schema);

/// A whole file beside the messages; before the first message.
void ffi_mcap_attach(ffi_mcap *mcap, const char *name, const char *media_type, const void *data, size_t size);

/// A message of `time` [ns], in the order of time.
void ffi_mcap_begin(ffi_mcap *mcap, int channel, uint64_t time);
void ffi_mcap_put(ffi_mcap *mcap, const char *text);   ///< as it is
void ffi_mcap_quote(ffi_mcap *mcap, const char *text); ///< as a string of JSON
void ffi_mcap_number(ffi_mcap *mcap, double value);    ///< nine digits; what is not finite is null
void ffi_mcap_integer(ffi_mcap *mcap, long long value);
void ffi_mcap_end(ffi_mcap *mcap);

/// Once a row is complete: bring it to the file if that is due. 0 if something could not be written, now or before.
int ffi_mcap_flush_if_due(ffi_mcap *mcap);

/// Words beside the messages, [count] keys and their values; not within a message.
void ffi_mcap_metadata(ffi_mcap *mcap, const char *name, const char *const (*pairs)[2], int count);

/// 0 if something was not written, with errno's reason. Whatever happens it is closed.
int ffi_mcap_close(ffi_mcap *mcap);

#endif
