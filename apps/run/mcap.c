// Records, chunks and indexes of MCAP, version 0 of the format.
#define _POSIX_C_SOURCE 200809L
#include "run/mcap.h"

#include "cli/memory.h"
#include "cli/text/json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20 };
static const double flush_seconds = 0.4;

// A record: one byte of its kind, eight of its length, its content.
enum {
  HEADER = 1,
  FOOTER = 2,
  SCHEMA = 3,
  CHANNEL = 4,
  MESSAGE = 5,
  CHUNK = 6,
  MESSAGE_INDEX = 7,
  CHUNK_INDEX = 8,
  ATTACHMENT = 9,
  ATTACHMENT_INDEX = 10,
  STATISTICS = 11,
  METADATA = 12,
  METADATA_INDEX = 13,
  SUMMARY_OFFSET = 14,
  DATA_END = 15,
  RECORD_HEAD = 9 // bytes
};
static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// CRC-32 (of Ethernet and zip), continued from an earlier one (0: none).
static uint32_t crc32_of(uint32_t crc, const unsigned char *data, size_t size)
{
  static uint32_t table[256];
  for (uint32_t i = 0; !table[255] && i < 256; ++i) {
    uint32_t entry = i;
    for (int bit = 0; bit < 8; ++bit)
      entry = entry & 1 ? 0xedb88320u ^ (entry >> 1) : entry >> 1;
    table[i] = entry;
  }
  crc = ~crc;
  for (size_t i = 0; i < size; ++i)
    crc = table[(crc ^ data[i]) & 0xff] ^ (crc >> 8);
  return ~crc;
}

// ---- Bytes ----------------------------------------------------------------------------------------------------------

static void put_bytes(ffi_mcap_bytes *b, const void *data, size_t size)
{
  if (b->used + size > b->room) {
    b->room = 2 * (b->used + size) + 256;
    b->data = ffi_memory_need(b->data, b->room);
  }
  if (size > 0)
    memcpy(b->data + b->used, data, size);
  b->used += size;
}

static void put_integer(ffi_mcap_bytes *b, uint64_t value, int size)
{
  unsigned char bytes[8];
  for (int i = 0; i < size; ++i)
    bytes[i] = (unsigned char)(value >> (8 * i));
  put_bytes(b, bytes, (size_t)size);
}

static void put_string(ffi_mcap_bytes *b, const char *text)
{
  put_integer(b, strlen(text), 4);
  put_bytes(b, text, strlen(text));
}

// A record begins; its length is filled in by end_record().
static size_t begin_record(ffi_mcap_bytes *b, int what)
{
  const size_t at = b->used;
  put_integer(b, (uint64_t)what, 1);
  put_integer(b, 0, 8);
  return at;
}

static void end_record(ffi_mcap_bytes *b, size_t at)
{
  const uint64_t length = b->used - at - RECORD_HEAD;
  for (int i = 0; i < 8; ++i)
    b->data[at + 1 + (size_t)i] = (unsigned char)(length >> (8 * i));
}

// ---- The file -------------------------------------------------------------------------------------------------------

static void write_bytes(ffi_mcap *m, const void *data, size_t size)
{
  size_t done = 0;
  while (done < size && !m->failed) {
    const ssize_t got = write(m->file.descriptor, (const char *)data + done, size - done);
    if (got >= 0)
      done += (size_t)got;
    else if (errno != EINTR)
      m->failed = errno;
  }
  if (!m->failed)
    m->offset += size;
}

// Renames the file once its head is written.
static void put_in_place(ffi_mcap *m)
{
  if (!m->failed && !ffi_growing_file_move(&m->file))
    m->failed = errno;
}

int ffi_mcap_open(ffi_mcap *m, const char *path, const char *library)
{
  ffi_mcap_bytes head = {0};
  *m = (ffi_mcap){.first = UINT64_MAX, .flushed = now()};
  if (!ffi_growing_file_open(&m->file, path))
    return 0;
  put_bytes(&head, magic, sizeof magic);
  const size_t at = begin_record(&head, HEADER);
  put_string(&head, "");
  put_string(&head, library);
  end_record(&head, at);
  write_bytes(m, head.data, head.used);
  free(head.data);
  return 1;
}

int ffi_mcap_channel(ffi_mcap *m, const char *topic, const char *schema_name, const char *schema)
{
  const int id = m->channel_count++;
  ffi_mcap_channel_state *c = &m->channels[id];
  size_t at = begin_record(&c->schema, SCHEMA);
  put_integer(&c->schema, (uint64_t)id + 1, 2); // 0 means none
  put_string(&c->schema, schema_name);
  put_string(&c->schema, "jsonschema");
  put_string(&c->schema, schema);
  end_record(&c->schema, at);
  at = begin_record(&c->channel, CHANNEL);
  put_integer(&c->channel, (uint64_t)id, 2);
  put_integer(&c->channel, (uint64_t)id + 1, 2);
  put_string(&c->channel, topic);
  put_string(&c->channel, "json");
  put_integer(&c->channel, 0, 4); // no metadata
  end_record(&c->channel, at);
  write_bytes(m, c->schema.data, c->schema.used);
  write_bytes(m, c->channel.data, c->channel.used);
  return id;
}

void ffi_mcap_attach(ffi_mcap *m, const char *name, const char *media_type, const void *data, size_t size)
{
  ffi_mcap_bytes b = {0}, *index = &m->attachment_indexes;
  size_t at = begin_record(&b, ATTACHMENT);
  put_integer(&b, 0, 8); // times
  put_integer(&b, 0, 8);
  put_string(&b, name);
  put_string(&b, media_type);
  put_integer(&b, size, 8);
  put_bytes(&b, data, size);
  put_integer(&b, crc32_of(0, b.data + RECORD_HEAD, b.used - RECORD_HEAD), 4);
  end_record(&b, at);

  at = begin_record(index, ATTACHMENT_INDEX);
  put_integer(index, m->offset, 8);
  put_integer(index, b.used, 8);
  put_integer(index, 0, 8);
  put_integer(index, 0, 8);
  put_integer(index, size, 8);
  put_string(index, name);
  put_string(index, media_type);
  end_record(index, at);
  write_bytes(m, b.data, b.used);
  ++m->attachment_count;
  free(b.data);
}

// ---- Messages -------------------------------------------------------------------------------------------------------

void ffi_mcap_begin(ffi_mcap *m, int channel, uint64_t time)
{
  ffi_mcap_channel_state *c = &m->channels[channel];
  put_in_place(m);
  if (m->chunk.used == 0)
    m->chunk_first = time;
  m->chunk_last = time;
  m->first = time < m->first ? time : m->first;
  m->last = time > m->last ? time : m->last;
  put_integer(&c->index, time, 8);
  put_integer(&c->index, m->chunk.used, 8);
  m->message = begin_record(&m->chunk, MESSAGE);
  put_integer(&m->chunk, (uint64_t)channel, 2);
  put_integer(&m->chunk, c->count++, 4);
  put_integer(&m->chunk, time, 8); // logged, and published
  put_integer(&m->chunk, time, 8);
  ++m->message_count;
}

void ffi_mcap_end(ffi_mcap *m)
{
  end_record(&m->chunk, m->message);
}

void ffi_mcap_put(ffi_mcap *m, const char *text)
{
  put_bytes(&m->chunk, text, strlen(text));
}

static void put_part(void *chunk, const char *bytes, size_t count)
{
  put_bytes(chunk, bytes, count);
}

void ffi_mcap_quote(ffi_mcap *m, const char *text)
{
  ffi_json_quote_to(text, put_part, &m->chunk);
}

void ffi_mcap_number(ffi_mcap *m, double value)
{
  char text[32];
  if (isfinite(value))
    put_bytes(&m->chunk, text, (size_t)snprintf(text, sizeof text, "%.9g", value));
  else
    put_bytes(&m->chunk, "null", 4);
}

void ffi_mcap_integer(ffi_mcap *m, long long value)
{
  char text[32];
  put_bytes(&m->chunk, text, (size_t)snprintf(text, sizeof text, "%lld", value));
}

// ---- Chunks ---------------------------------------------------------------------------------------------------------

// The index of a chunk's messages by time.
static void put_chunk_index(ffi_mcap *m, uint64_t start, uint64_t length, const ffi_mcap_bytes *places,
                            uint64_t index_length)
{
  ffi_mcap_bytes *b = &m->chunk_indexes;
  const size_t at = begin_record(b, CHUNK_INDEX);
  put_integer(b, m->chunk_first, 8);
  put_integer(b, m->chunk_last, 8);
  put_integer(b, start, 8);
  put_integer(b, length, 8);
  put_integer(b, places->used, 4);
  put_bytes(b, places->data, places->used);
  put_integer(b, index_length, 8);
  put_string(b, "");
  put_integer(b, m->chunk.used, 8); // compressed, and not
  put_integer(b, m->chunk.used, 8);
  end_record(b, at);
  ++m->chunk_count;
}

static void flush(ffi_mcap *m)
{
  ffi_mcap_bytes head = {0}, indexes = {0}, places = {0};
  const uint64_t start = m->offset;
  if (m->chunk.used == 0 || m->failed)
    return;
  const size_t at = begin_record(&head, CHUNK);
  put_integer(&head, m->chunk_first, 8);
  put_integer(&head, m->chunk_last, 8);
  put_integer(&head, m->chunk.used, 8);
  put_integer(&head, crc32_of(0, m->chunk.data, m->chunk.used), 4);
  put_string(&head, "");
  put_integer(&head, m->chunk.used, 8);
  const uint64_t length = head.used + m->chunk.used;
  head.used += m->chunk.used; // as far as the length is concerned
  end_record(&head, at);
  head.used -= m->chunk.used;
  for (int i = 0; i < m->channel_count; ++i) {
    ffi_mcap_bytes *index = &m->channels[i].index;
    if (index->used == 0)
      continue;
    put_integer(&places, (uint64_t)i, 2);
    put_integer(&places, start + length + indexes.used, 8);
    const size_t record = begin_record(&indexes, MESSAGE_INDEX);
    put_integer(&indexes, (uint64_t)i, 2);
    put_integer(&indexes, index->used, 4);
    put_bytes(&indexes, index->data, index->used);
    end_record(&indexes, record);
    index->used = 0;
  }
  write_bytes(m, head.data, head.used);
  write_bytes(m, m->chunk.data, m->chunk.used);
  write_bytes(m, indexes.data, indexes.used);
  if (!m->failed)
    put_chunk_index(m, start, length, &places, indexes.used);
  else if (ftruncate(m->file.descriptor, (off_t)start) == 0) // whole chunks only
    m->offset = start;
  free(head.data);
  free(indexes.data);
  free(places.data);
  m->chunk.used = 0;
  m->flushed = now();
}

// After the messages so far. Pairs go in a list whose length in bytes comes first.
void ffi_mcap_metadata(ffi_mcap *m, const char *name, const char *const (*pairs)[2], int count)
{
  ffi_mcap_bytes b = {0}, list = {0}, *index = &m->metadata_indexes;
  flush(m);
  for (int i = 0; i < count; ++i) {
    put_string(&list, pairs[i][0]);
    put_string(&list, pairs[i][1]);
  }
  size_t at = begin_record(&b, METADATA);
  put_string(&b, name);
  put_integer(&b, list.used, 4);
  put_bytes(&b, list.data, list.used);
  end_record(&b, at);

  at = begin_record(index, METADATA_INDEX);
  put_integer(index, m->offset, 8);
  put_integer(index, b.used, 8);
  put_string(index, name);
  end_record(index, at);
  write_bytes(m, b.data, b.used);
  ++m->metadata_count;
  free(b.data);
  free(list.data);
}

int ffi_mcap_flush_if_due(ffi_mcap *m)
{
  if (m->chunk.used >= CHUNK_BYTES || now() - m->flushed > flush_seconds)
    flush(m);
  return !m->failed;
}

// ---- The end --------------------------------------------------------------------------------------------------------

static void put_statistics(const ffi_mcap *m, ffi_mcap_bytes *b)
{
  const size_t at = begin_record(b, STATISTICS);
  put_integer(b, m->message_count, 8);
  put_integer(b, (uint64_t)m->channel_count, 2);
  put_integer(b, (uint64_t)m->channel_count, 4);
  put_integer(b, m->attachment_count, 4);
  put_integer(b, m->metadata_count, 4);
  put_integer(b, m->chunk_count, 4);
  put_integer(b, m->message_count > 0 ? m->first : 0, 8);
  put_integer(b, m->last, 8);
  put_integer(b, 10 * (uint64_t)m->channel_count, 4);
  for (int i = 0; i < m->channel_count; ++i) {
    put_integer(b, (uint64_t)i, 2);
    put_integer(b, m->channels[i].count, 8);
  }
  end_record(b, at);
}

// Records of the summary, in groups of one kind, and where each group is.
static void put_group(const ffi_mcap *m, int what, size_t from, const ffi_mcap_bytes *summary,
                      ffi_mcap_bytes *offsets)
{
  if (summary->used == from)
    return;
  const size_t at = begin_record(offsets, SUMMARY_OFFSET);
  put_integer(offsets, (uint64_t)what, 1);
  put_integer(offsets, m->offset + from, 8);
  put_integer(offsets, summary->used - from, 8);
  end_record(offsets, at);
}

static void write_end(ffi_mcap *m)
{
  ffi_mcap_bytes end = {0}, summary = {0}, offsets = {0};
  size_t at = begin_record(&end, DATA_END);
  put_integer(&end, 0, 4); // no checksum of all: each chunk has its own
  end_record(&end, at);
  write_bytes(m, end.data, end.used);
  for (int i = 0; i < m->channel_count; ++i)
    put_bytes(&summary, m->channels[i].schema.data, m->channels[i].schema.used);
  put_group(m, SCHEMA, 0, &summary, &offsets);
  size_t from = summary.used;
  for (int i = 0; i < m->channel_count; ++i)
    put_bytes(&summary, m->channels[i].channel.data, m->channels[i].channel.used);
  put_group(m, CHANNEL, from, &summary, &offsets);
  from = summary.used;
  put_statistics(m, &summary);
  put_group(m, STATISTICS, from, &summary, &offsets);
  from = summary.used;
  put_bytes(&summary, m->chunk_indexes.data, m->chunk_indexes.used);
  put_group(m, CHUNK_INDEX, from, &summary, &offsets);
  from = summary.used;
  put_bytes(&summary, m->attachment_indexes.data, m->attachment_indexes.used);
  put_group(m, ATTACHMENT_INDEX, from, &summary, &offsets);
  from = summary.used;
  put_bytes(&summary, m->metadata_indexes.data, m->metadata_indexes.used);
  put_group(m, METADATA_INDEX, from, &summary, &offsets);

  const uint64_t start = m->offset, offset_start = start + summary.used;
  put_bytes(&summary, offsets.data, offsets.used);
  at = begin_record(&summary, FOOTER);
  put_integer(&summary, start, 8);
  put_integer(&summary, offset_start, 8);
  put_integer(&summary, 0, 4);
  end_record(&summary, at);
  summary.used -= 4; // the checksum is of all before it
  put_integer(&summary, crc32_of(0, summary.data, summary.used), 4);
  put_bytes(&summary, magic, sizeof magic);
  write_bytes(m, summary.data, summary.used);
  free(end.data);
  free(summary.data);
  free(offsets.data);
}

int ffi_mcap_close(ffi_mcap *m)
{
  if (m->file.descriptor < 0)
    return 1;
  flush(m);
  if (!m->failed)
    write_end(m);
  if (!ffi_growing_file_close(&m->file, !m->failed) && !m->failed)
    m->failed = errno;
  for (int i = 0; i < m->channel_count; ++i) {
    free(m->channels[i].schema.data);
    free(m->channels[i].channel.data);
    free(m->channels[i].index.data);
  }
  free(m->chunk.data);
  free(m->chunk_indexes.data);
  free(m->attachment_indexes.data);
  free(m->metadata_indexes.data);
  errno = m->failed;
  return !m->failed;
}

void ffi_mcap_free(ffi_mcap *m)
{
  ffi_growing_file_free(&m->file);
}
