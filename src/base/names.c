// A hash table from strings to numbers.
#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Multiply and fold, byte by byte, with a final mix so that the low bits depend on all of the key.
static uint64_t hash(const char *key)
{
  uint64_t h = 0x51ed270b9f652295u;
  for (const unsigned char *c = (const unsigned char *)key; *c; ++c) {
    h = (h ^ *c) * 0x9fb21c651e98df25u;
    h ^= h >> 29;
  }
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}

// The slot that holds the key, or the empty one where it would go.
static ffi_names_slot *slot_of(const ffi_names *names, const char *key)
{
  size_t mask = names->capacity - 1;
  size_t i = (size_t)hash(key) & mask;
  while (names->slots[i].key && strcmp(names->slots[i].key, key) != 0)
    i = (i + 1) & mask;
  return &names->slots[i];
}

int ffi_names_find(const ffi_names *names, const char *key)
{
  if (names->count == 0)
    return -1;
  const ffi_names_slot *slot = slot_of(names, key);
  return slot->key ? slot->value : -1;
}

int ffi_names_reserve(ffi_names *names)
{
  if (2 * (names->count + 1) <= names->capacity)
    return 1;
  ffi_names larger = {.capacity = names->capacity ? 2 * names->capacity : 64, .count = names->count};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return 0;
  for (size_t i = 0; i < names->capacity; ++i)
    if (names->slots[i].key)
      *slot_of(&larger, names->slots[i].key) = names->slots[i];
  free(names->slots);
  *names = larger;
  return 1;
}

void ffi_names_put(ffi_names *names, const char *key, int value)
{
  ffi_names_slot *slot = slot_of(names, key);
  slot->key = key;
  slot->value = value;
  ++names->count;
}

void ffi_names_free(ffi_names *names)
{
  free(names->slots);
  *names = (ffi_names){0};
}

int ffi_names_index(const char *name, const char *const *list, int count)
{
  for (int i = 0; name && i < count; ++i)
    if (strcmp(name, list[i]) == 0)
      return i;
  return -1;
}
