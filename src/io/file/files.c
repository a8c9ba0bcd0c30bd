// Files in memory: what was read is kept, and can be read again without the disk.
#include "io/file/files.h"

#include "base/arena.h"
#include "base/fail.h"
#include "base/grow.h"
#include "io/file/text_file.h"

#include <stdlib.h>
#include <string.h>

struct ff_files {
  ffi_arena arena; // names, paths and data
  ff_file *list;
  int count, capacity;
};

const char *ff_file_kind_name(ff_file_kind kind)
{
  static const char *const names[FF_FILE_KIND_COUNT] = {"scene", "model", "include", "mesh", "trajectory"};
  return (unsigned)kind < FF_FILE_KIND_COUNT ? names[kind] : "unknown";
}

ff_files *ff_files_create(void)
{
  return calloc(1, sizeof(ff_files));
}

void ff_files_destroy(ff_files *files)
{
  if (!files)
    return;
  ffi_arena_free(&files->arena);
  free(files->list);
  free(files);
}

int ff_files_count(const ff_files *files)
{
  return files ? files->count : 0;
}

const ff_file *ff_files_get(const ff_files *files, int index)
{
  return files && index >= 0 && index < files->count ? &files->list[index] : NULL;
}

const ff_file *ff_files_find(const ff_files *files, ff_file_kind kind, const char *name)
{
  for (int i = 0; i < ff_files_count(files); ++i)
    if (files->list[i].kind == kind && (!name || strcmp(files->list[i].name, name) == 0))
      return &files->list[i];
  return NULL;
}

const ff_file *ff_files_at(const ff_files *files, const char *path)
{
  for (int i = 0; path && i < ff_files_count(files); ++i)
    if (strcmp(files->list[i].path, path) == 0)
      return &files->list[i];
  return NULL;
}

static ff_status no_memory(const char *path, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory to keep it");
}

ff_status ff_files_add(ff_files *files, const ff_file *file, ff_error *error)
{
  if (!files || !file || !file->name || !file->path || (!file->data && file->size > 0) ||
      (unsigned)file->kind >= FF_FILE_KIND_COUNT)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_files_add",
                    "an argument is NULL, or the kind is unknown");
  if (ff_files_find(files, file->kind, file->name))
    return FF_OK;
  ff_file *grown = ffi_grow(files->list, files->count, &files->capacity, sizeof *grown);
  if (!grown)
    return no_memory(file->path, error);
  files->list = grown;
  ff_file copy = {.kind = file->kind, .size = file->size};
  char *data = file->size < (size_t)-1 ? ffi_arena_take(&files->arena, file->size + 1, 1) : NULL;
  copy.name = ffi_arena_string(&files->arena, file->name);
  copy.path = ffi_arena_string(&files->arena, file->path);
  copy.data = data;
  if (!data || !copy.name || !copy.path)
    return no_memory(file->path, error);
  if (file->size > 0)
    memcpy(data, file->data, file->size);
  files->list[files->count++] = copy;
  return FF_OK;
}

// ---- What readers ask for -------------------------------------------------------------------------------------------

ff_status ffi_files_read(const ffi_files_request *r, char **text, size_t *length, ff_error *error)
{
  if (!r->from) {
    const ff_status status = ffi_text_file_read(r->path, text, length, error);
    if (status != FF_OK || !r->keep)
      return status;
    const ff_file file = {.kind = r->kind, .name = r->name, .path = r->path, .data = *text, .size = *length};
    if (ff_files_add(r->keep, &file, error) == FF_OK)
      return FF_OK;
    free(*text);
    *text = NULL;
    return FF_ERROR_MEMORY;
  }
  const ff_file *file = ff_files_find(r->from, r->kind, r->name);
  if (!file)
    return ffi_fail(error, FF_ERROR_FILE, r->path, 0, NULL, "is not among the files that were kept");
  *text = malloc(file->size + 1);
  if (!*text)
    return ffi_fail(error, FF_ERROR_MEMORY, r->path, 0, NULL, "no memory to read it");
  memcpy(*text, file->data, file->size + 1);
  *length = file->size;
  return FF_OK;
}
