// mcap_file.c: walks the records of an MCAP file and checks each against what came before it.
#include "cli/run/mcap_file.h"

#include "cli/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct part {
  const unsigned char *at, *end;
} part;

// One bit after the other, from the polynomial's definition.
static uint32_t checksum(const unsigned char *data, size_t size)
{
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; ++i)
    for (int bit = 0; bit < 8; ++bit) {
      const uint32_t differs = (crc ^ ((uint32_t)data[i] >> bit)) & 1;
      crc = (crc >> 1) ^ (differs ? 0xedb88320u : 0);
    }
  return crc ^ 0xffffffffu;
}

static uint64_t take(part *p, int size)
{
  uint64_t value = 0;
  assert_true(p->end - p->at >= size);
  for (int i = 0; i < size; ++i)
    value |= (uint64_t)p->at[i] << (8 * i);
  p->at += size;
  return value;
}

static part take_part(part *p, uint64_t size)
{
  assert_true((uint64_t)(p->end - p->at) >= size);
  const part inside = {p->at, p->at + size};
  p->at += size;
  return inside;
}

static void take_text(part *p, char *out, size_t size)
{
  const part text = take_part(p, take(p, 4));
  const size_t length = (size_t)(text.end - text.at);
  assert_true(length < size);
  memcpy(out, text.at, length);
  out[length] = '\0';
}

typedef struct reading {
  const unsigned char *data;
  size_t size;
  ffi_mcap_file *out;
  char schemas[17][64]; // by their number
  // of the present chunk
  uint64_t places[16][4096], times[16][4096];
  int indexed[16];
  uint64_t first, last;
  // for the chunk indexes of the summary
  uint64_t chunk_start[4096], chunk_length[4096], chunk_first[4096], chunk_last[4096];
  uint64_t index_start[4096][16], index_end[4096];
  uint64_t attachment_start[16], metadata_start[16];
} reading;

// ---- Records --------------------------------------------------------------------------------------------------------

// A schema is JSON itself, of an object with properties.
static void check_json(part text)
{
  const size_t length = (size_t)(text.end - text.at);
  char *copy = malloc(length + 1), why[200];
  assert_non_null(copy);
  memcpy(copy, text.at, length);
  copy[length] = '\0';
  ffi_json_value *value = ffi_json_parse(copy, why);
  if (!value)
    fail_msg("%s: %.200s", why, copy);
  assert_string_equal(ffi_json_get(value, "type")->text, "object");
  assert_true(ffi_json_get(value, "properties")->count > 0);
  ffi_json_free(value);
  free(copy);
}

static void read_schema(reading *r, part p)
{
  char encoding[32];
  const uint64_t id = take(&p, 2);
  assert_true(id > 0 && id < 17);
  take_text(&p, r->schemas[id], sizeof r->schemas[id]);
  take_text(&p, encoding, sizeof encoding);
  assert_string_equal(encoding, "jsonschema");
  check_json(take_part(&p, take(&p, 4)));
  assert_ptr_equal(p.at, p.end);
}

static void read_channel(reading *r, part p)
{
  char encoding[32];
  const uint64_t id = take(&p, 2), schema = take(&p, 2);
  assert_true(id < 16 && schema < 17 && r->schemas[schema][0]);
  ffi_mcap_topic *topic = &r->out->topics[id];
  take_text(&p, topic->topic, sizeof topic->topic);
  strcpy(topic->schema, r->schemas[schema]);
  take_text(&p, encoding, sizeof encoding);
  assert_string_equal(encoding, "json");
  assert_int_equal(take(&p, 4), 0);
  assert_ptr_equal(p.at, p.end);
  if ((int)id >= r->out->topic_count)
    r->out->topic_count = (int)id + 1;
}

static void read_message(reading *r, part p, uint64_t place)
{
  ffi_mcap_file *out = r->out;
  const uint64_t channel = take(&p, 2), sequence = take(&p, 4), time = take(&p, 8);
  assert_true((int)channel < out->topic_count);
  assert_int_equal(sequence, out->topics[channel].count++);
  assert_int_equal(take(&p, 8), time);
  r->first = time < r->first ? time : r->first;
  r->last = time > r->last ? time : r->last;
  const int k = r->indexed[channel]++;
  assert_true(k < 4096);
  r->places[channel][k] = place;
  r->times[channel][k] = time;
  if (out->count % 1024 == 0)
    out->messages = realloc(out->messages, (size_t)(out->count + 1024) * sizeof *out->messages);
  const size_t length = (size_t)(p.end - p.at);
  char *text = malloc(length + 1);
  assert_true(out->messages && text);
  memcpy(text, p.at, length);
  text[length] = '\0';
  out->messages[out->count++] = (ffi_mcap_message){.channel = (int)channel, .time = time, .text = text};
}

static void read_chunk(reading *r, part p, uint64_t start)
{
  const uint64_t first = take(&p, 8), last = take(&p, 8), size = take(&p, 8), crc = take(&p, 4);
  char compression[16];
  const int k = r->out->chunks++;
  assert_true(k < 4096);
  take_text(&p, compression, sizeof compression);
  assert_string_equal(compression, "");
  part records = take_part(&p, take(&p, 8));
  const unsigned char *begin = records.at;
  assert_ptr_equal(p.at, p.end);
  assert_int_equal(size, records.end - records.at);
  assert_int_equal(crc, checksum(begin, (size_t)size));
  memset(r->indexed, 0, sizeof r->indexed);
  r->first = UINT64_MAX;
  r->last = 0;
  while (records.at < records.end) {
    const uint64_t place = (uint64_t)(records.at - begin);
    assert_int_equal(take(&records, 1), 5);
    read_message(r, take_part(&records, take(&records, 8)), place);
  }
  assert_true(first == r->first && last == r->last);
  r->chunk_start[k] = start;
  r->chunk_length[k] = (uint64_t)(p.end - r->data) - start;
  r->chunk_first[k] = first;
  r->chunk_last[k] = last;
}

// One for each channel of the chunk before it, with all of its messages.
static void read_message_index(reading *r, part p, uint64_t start)
{
  const uint64_t channel = take(&p, 2);
  part entries = take_part(&p, take(&p, 4));
  const int chunk = r->out->chunks - 1;
  assert_true(channel < 16 && chunk >= 0);
  for (int k = 0; k < r->indexed[channel]; ++k) {
    assert_int_equal(take(&entries, 8), r->times[channel][k]);
    assert_int_equal(take(&entries, 8), r->places[channel][k]);
  }
  assert_ptr_equal(entries.at, entries.end);
  r->index_start[chunk][channel] = start;
  r->index_end[chunk] = (uint64_t)(p.end - r->data);
}

static void read_attachment(reading *r, part p, uint64_t start)
{
  const unsigned char *begin = p.at;
  char name[512], type[64];
  take(&p, 8);
  take(&p, 8);
  take_text(&p, name, sizeof name);
  take_text(&p, type, sizeof type);
  take_part(&p, take(&p, 8));
  const uint32_t crc = checksum(begin, (size_t)(p.at - begin));
  assert_int_equal(take(&p, 4), crc);
  assert_true(r->out->attachments < 16);
  r->attachment_start[r->out->attachments++] = start;
}

// A name and pairs of words; of "end" those that are known.
static void read_metadata(reading *r, part p, uint64_t start)
{
  char name[64], key[64], value[1200];
  take_text(&p, name, sizeof name);
  part pairs = take_part(&p, take(&p, 4));
  assert_ptr_equal(p.at, p.end);
  while (pairs.at < pairs.end) {
    take_text(&pairs, key, sizeof key);
    take_text(&pairs, value, sizeof value);
    if (strcmp(name, "end") == 0 && strcmp(key, "outcome") == 0)
      snprintf(r->out->outcome, sizeof r->out->outcome, "%.60s", value);
    if (strcmp(name, "end") == 0 && strcmp(key, "reason") == 0)
      snprintf(r->out->reason, sizeof r->out->reason, "%s", value);
    if (strcmp(name, "end") == 0 && strcmp(key, "time") == 0)
      r->out->ended = strtod(value, NULL);
  }
  assert_true(r->out->metadata < 16);
  r->metadata_start[r->out->metadata++] = start;
}

// ---- The summary ----------------------------------------------------------------------------------------------------

static void check_chunk_index(const reading *r, part p, int k)
{
  assert_true(k < r->out->chunks);
  assert_int_equal(take(&p, 8), r->chunk_first[k]);
  assert_int_equal(take(&p, 8), r->chunk_last[k]);
  assert_int_equal(take(&p, 8), r->chunk_start[k]);
  assert_int_equal(take(&p, 8), r->chunk_length[k]);
  part places = take_part(&p, take(&p, 4));
  while (places.at < places.end) {
    const uint64_t channel = take(&places, 2);
    assert_true(channel < 16);
    assert_int_equal(take(&places, 8), r->index_start[k][channel]);
  }
  assert_int_equal(take(&p, 8), r->index_end[k] - r->chunk_start[k] - r->chunk_length[k]);
  char compression[16];
  take_text(&p, compression, sizeof compression);
  assert_string_equal(compression, "");
  assert_int_equal(take(&p, 8), take(&p, 8));
}

static void check_statistics(const reading *r, part p)
{
  const ffi_mcap_file *out = r->out;
  if (!out->messages) {
    fail_msg("there are statistics, but no messages");
    return;
  }
  assert_int_equal(take(&p, 8), out->count);
  assert_int_equal(take(&p, 2), out->topic_count);
  assert_int_equal(take(&p, 4), out->topic_count);
  assert_int_equal(take(&p, 4), out->attachments);
  assert_int_equal(take(&p, 4), out->metadata);
  assert_int_equal(take(&p, 4), out->chunks);
  assert_int_equal(take(&p, 8), out->messages[0].time);
  assert_int_equal(take(&p, 8), out->messages[out->count - 1].time);
  part counts = take_part(&p, take(&p, 4));
  for (int i = 0; i < out->topic_count; ++i) {
    assert_int_equal(take(&counts, 2), i);
    assert_int_equal(take(&counts, 8), out->topics[i].count);
  }
  assert_ptr_equal(counts.at, counts.end);
}

// Groups of records of one kind, each as the offsets say.
static void check_summary(reading *r, size_t from, size_t offsets, size_t end)
{
  part p = {r->data + from, r->data + offsets};
  uint64_t group_start[256] = {0}, group_length[256] = {0};
  int chunk = 0, attachment = 0, metadata = 0, last = 0;
  while (p.at < p.end) {
    const uint64_t start = (uint64_t)(p.at - r->data);
    const int what = (int)take(&p, 1);
    const part content = take_part(&p, take(&p, 8));
    assert_true(what == last || group_start[what] == 0);
    last = what;
    if (group_start[what] == 0)
      group_start[what] = start;
    group_length[what] += (uint64_t)(p.at - r->data) - start;
    part inside = content;
    switch (what) {
    case 3: read_schema(r, content); break;
    case 4: read_channel(r, content); break;
    case 8: check_chunk_index(r, content, chunk++); break;
    case 10: assert_int_equal(take(&inside, 8), r->attachment_start[attachment++]); break;
    case 11: check_statistics(r, content); break;
    case 13: assert_int_equal(take(&inside, 8), r->metadata_start[metadata++]); break;
    default: fail_msg("record %d in the summary", what);
    }
  }
  assert_int_equal(chunk, r->out->chunks);
  assert_int_equal(attachment, r->out->attachments);
  assert_int_equal(metadata, r->out->metadata);
  assert_true(group_start[11] > 0);
  part o = {r->data + offsets, r->data + end};
  while (o.at < o.end) {
    assert_int_equal(take(&o, 1), 14);
    part content = take_part(&o, take(&o, 8));
    const int what = (int)take(&content, 1);
    assert_int_equal(take(&content, 8), group_start[what]);
    assert_int_equal(take(&content, 8), group_length[what]);
  }
}

static void read_footer(reading *r, part p, size_t footer)
{
  const size_t from = (size_t)take(&p, 8), offsets = (size_t)take(&p, 8);
  const uint32_t crc = checksum(r->data + from, (size_t)(p.at - r->data) - from);
  assert_int_equal(take(&p, 4), crc);
  assert_true(from < offsets && offsets < footer);
  check_summary(r, from, offsets, footer);
}

// ---- The file -------------------------------------------------------------------------------------------------------

static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', 0x30, '\r', '\n'};

static void read_records(reading *r)
{
  part p = {r->data, r->data + r->size};
  int has_ended = 0; // the data section
  assert_true(r->size > 8);
  assert_memory_equal(p.at, magic, 8);
  p.at += 8;
  for (int k = 0; p.at < p.end; ++k) {
    const uint64_t start = (uint64_t)(p.at - r->data);
    part head = p;
    if (p.end - p.at < 9)
      return; // torn
    const int what = (int)take(&head, 1);
    const uint64_t length = take(&head, 8);
    if ((uint64_t)(head.end - head.at) < length)
      return;
    const part content = take_part(&head, length);
    p = head;
    assert_true((k == 0) == (what == 1));
    if (what == 2) {
      assert_true(has_ended);
      read_footer(r, content, (size_t)start);
      assert_int_equal(p.end - p.at, 8);
      assert_memory_equal(p.at, magic, 8);
      r->out->is_whole = 1;
      return;
    }
    if (has_ended)
      continue; // the summary, which the footer leads to
    switch (what) {
    case 1: break;
    case 3: read_schema(r, content); break;
    case 4: read_channel(r, content); break;
    case 6: read_chunk(r, content, start); break;
    case 7: read_message_index(r, content, start); break;
    case 9: read_attachment(r, content, start); break;
    case 12: read_metadata(r, content, start); break;
    case 15: has_ended = 1; break;
    default: fail_msg("record %d in the data", what);
    }
  }
}

ffi_mcap_file ffi_mcap_read(const char *path)
{
  ffi_mcap_file out = {0};
  reading *r = calloc(1, sizeof *r);
  FILE *file = fopen(path, "rb");
  assert_true(r && file);
  fseek(file, 0, SEEK_END);
  r->size = (size_t)ftell(file);
  rewind(file);
  unsigned char *data = malloc(r->size + 1);
  assert_non_null(data);
  assert_int_equal(fread(data, 1, r->size, file), r->size);
  fclose(file);
  r->data = data;
  r->out = &out;
  read_records(r);
  free(data);
  free(r);
  return out;
}

void ffi_mcap_free(ffi_mcap_file *file)
{
  for (long long i = 0; i < file->count; ++i)
    free(file->messages[i].text);
  free(file->messages);
  *file = (ffi_mcap_file){0};
}

int ffi_mcap_find(const ffi_mcap_file *file, const char *topic)
{
  for (int i = 0; i < file->topic_count; ++i)
    if (strcmp(file->topics[i].topic, topic) == 0)
      return i;
  fail_msg("there is no topic %s", topic);
  return -1;
}
