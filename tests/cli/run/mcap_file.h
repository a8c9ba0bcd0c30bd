/// mcap_file.h: a reader of MCAP files after their specification (mcap.dev/spec), to check what the command writes.
///
/// Reading checks everything that can be checked: magic bytes, lengths of records, that schemas and channels come
/// before what refers to them, checksums of chunks, attachments and the summary, indexes of messages and chunks against
/// where things are, statistics against what was counted. What is wrong fails the test.
#ifndef FFI_TESTS_MCAP_FILE_H
#define FFI_TESTS_MCAP_FILE_H

#include <stdint.h>

typedef struct ffi_mcap_topic {
  char topic[64], schema[64];
  long long count; ///< of messages
} ffi_mcap_topic;

typedef struct ffi_mcap_message {
  int channel;
  uint64_t time; ///< [ns]
  char *text;    ///< owned
} ffi_mcap_message;

typedef struct ffi_mcap_file {
  ffi_mcap_topic topics[16]; ///< by the channel's number
  int topic_count;
  ffi_mcap_message *messages; ///< in the order of the file
  long long count;
  int chunks, attachments, metadata;
  char outcome[64], reason[1200]; ///< of the metadata "end"
  double ended;                   ///< [s]
  int is_whole;                   ///< it has its end; without one it is read up to the last whole record
} ffi_mcap_file;

ffi_mcap_file ffi_mcap_read(const char *path);
void ffi_mcap_free(ffi_mcap_file *file);

int ffi_mcap_find(const ffi_mcap_file *file, const char *topic); ///< a failed test if there is none

#endif
