// <include> of MJCF: several files, walked as if they were one.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // stat under -std=c17
#endif

#include "io/mjcf/mjcf.h"

#include "io/file/files.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Included documents are not copied into the main one: each stays its own, so that every element keeps its file and
// line. Each file may be included once only, as in MuJoCo, so an <include> and its file belong to each other, and
// walking into and out of a file is a matter of following these two pointers.

static ffi_mjcf_file *file_of(const xmlNode *node)
{
  return node->doc->_private;
}

ffi_mjcf_file *ffi_mjcf_include_file(const xmlNode *node)
{
  return file_of(node);
}

const xmlNode *ffi_mjcf_include_parent(const xmlNode *node)
{
  const xmlNode *parent = node->parent;
  if (!parent || parent == (const xmlNode *)node->doc)
    return NULL;
  const int is_root = parent->parent == (const xmlNode *)parent->doc;
  const xmlNode *include = is_root ? file_of(parent)->include : NULL;
  return include ? ffi_mjcf_include_parent(include) : parent;
}

static const xmlNode *included_root(const ffi_mjcf *m, const xmlNode *include)
{
  for (const ffi_mjcf_file *f = m->main_file.next; f; f = f->next) {
    if (f->include == include)
      return xmlDocGetRootElement(f->xml.doc);
  }
  return NULL; // not opened: a failure is on record
}

static const xmlNode *settle(const ffi_mjcf *m, const xmlNode *parent, const xmlNode *node)
{
  for (;;) {
    if (node && !ffi_xml_is(node, "include"))
      return node;
    if (node) {
      const xmlNode *root = included_root(m, node);
      parent = root ? root : parent;
      node = root ? ffi_xml_child(root, NULL) : ffi_xml_next(node, NULL);
      continue;
    }
    // The end of these siblings; if they were an included file's, go on behind its <include>.
    const int is_root = parent->parent == (const xmlNode *)parent->doc;
    const xmlNode *include = is_root ? file_of(parent)->include : NULL;
    if (!include)
      return NULL;
    parent = include->parent;
    node = ffi_xml_next(include, NULL);
  }
}

const xmlNode *ffi_mjcf_include_child(const ffi_mjcf *m, const xmlNode *node)
{
  return settle(m, node, ffi_xml_child(node, NULL));
}

const xmlNode *ffi_mjcf_include_next(const ffi_mjcf *m, const xmlNode *node)
{
  return settle(m, node->parent, ffi_xml_next(node, NULL));
}

int ffi_mjcf_include_enter(ffi_mjcf *m, const xmlNode *node)
{
  if (++m->depth > FFI_MJCF_MAX_DEPTH)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "nested more than %d deep", FFI_MJCF_MAX_DEPTH);
  return !ffi_mjcf_failed(m);
}

void ffi_mjcf_include_leave(ffi_mjcf *m)
{
  --m->depth;
}

// ---- Opening ------------------------------------------------------------------------------------------------

// A name in the arena: a folder, with its final '/', and the rest.
static char *join(ffi_mjcf *m, const char *folder, size_t length, const char *rest)
{
  char *path = ffi_arena_take(&m->arena, length + strlen(rest) + 1, 1);
  if (!path) {
    ffi_mjcf_no_memory(m);
    return NULL;
  }
  memcpy(path, folder, length);
  strcpy(path + length, rest);
  return path;
}

// The file that was not included: the main one, or that of an attached model.
static const ffi_mjcf_file *model_of(const ffi_mjcf_file *file)
{
  while (file->include)
    file = file_of(file->include);
  return file;
}

// Is it open already in this model, under any name? A loop has a message of its own.
static int is_repeated(ffi_mjcf *m, const xmlNode *include, const struct stat *info)
{
  const ffi_mjcf_file *same = &m->main_file;
  while (same &&
         !(model_of(same) == model_of(file_of(include)) && same->device == (unsigned long long)info->st_dev &&
           same->inode == (unsigned long long)info->st_ino))
    same = same->next;
  if (!same)
    return 0;
  for (const xmlNode *from = include; from; from = file_of(from)->include) {
    if (file_of(from) == same) {
      ffi_mjcf_fail(m, FF_ERROR_MODEL, include, "'%.200s' includes itself", ffi_xml_get(include, "file"));
      return 1;
    }
  }
  ffi_mjcf_fail(m, FF_ERROR_MODEL, include, "'%.200s' is included twice", ffi_xml_get(include, "file"));
  return 1;
}

// The identity of a file: by the file system, or of a kept file by its place in the list.
static int look_at(const ffi_mjcf *m, const char *name, const char *path, struct stat *info)
{
  if (!m->def->from)
    return stat(path, info) == 0 && S_ISREG(info->st_mode);
  const ff_file *kept = ff_files_find(m->def->from, FF_FILE_INCLUDE, name);
  memset(info, 0, sizeof *info);
  info->st_ino = kept ? (ino_t)(uintptr_t)kept : 0;
  return kept != NULL;
}

// The name of a file as seen from the main file, and its path: relative to the main file's folder, and if there is none
// relative to the folder of the file that includes it, as in MuJoCo. If there is none either, the first path is for the
// message.
static int find_file(ffi_mjcf *m, const xmlNode *include, const char **name, char **path, struct stat *info)
{
  const char *from = file_of(include)->name, *slash = strrchr(from, '/');
  const size_t length = slash ? (size_t)(slash - from) + 1 : 0;
  const char *main_folder = **name == '/' ? "" : m->folder;
  *path = join(m, main_folder, strlen(main_folder), *name);
  if (!*path || look_at(m, *name, *path, info))
    return *path != NULL;
  if (!length || **name == '/')
    return 0;
  char *beside = join(m, from, length, *name);
  char *other = beside
                    ? join(m, *beside == '/' ? "" : m->folder, *beside == '/' ? 0 : strlen(m->folder), beside)
                    : NULL;
  if (!other || !look_at(m, beside, other, info))
    return 0;
  *name = beside;
  *path = other;
  return 1;
}

// The name of a file that a node asks for, its path and its identity. 0 after a failure.
static int look_for(ffi_mjcf *m, const xmlNode *node, const char **name, char **path, struct stat *info)
{
  *name = ffi_xml_require(ffi_mjcf_at(m, node), node, "file");
  if (!*name)
    return 0;
  if (ffi_xml_child(node, NULL)) {
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "must be empty");
    return 0;
  }
  if (strlen(*name) > FFI_MJCF_MAX_PATH) {
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "attribute 'file' is longer than %d characters",
                  FFI_MJCF_MAX_PATH);
    return 0;
  }
  *path = NULL;
  if (find_file(m, node, name, path, info))
    return 1;
  if (*path)
    ffi_mjcf_fail(m, FF_ERROR_FILE, node, "there is no file '%.300s'", *path);
  return 0;
}

// Read a file that was found; not in the list yet. NULL after a failure.
static ffi_mjcf_file *read_file(ffi_mjcf *m, const xmlNode *node, const char *name, const char *path)
{
  if (++m->file_count > FFI_MJCF_MAX_FILES) {
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d files", FFI_MJCF_MAX_FILES);
    return NULL;
  }
  ffi_mjcf_file *file = ffi_arena_take(&m->arena, 1, sizeof *file);
  if (!file) {
    ffi_mjcf_no_memory(m);
    return NULL;
  }
  char *text = NULL;
  size_t length = 0;
  const ffi_files_request request = {m->def->keep, m->def->from, FF_FILE_INCLUDE, name, path};
  m->xml->status = ffi_files_read(&request, &text, &length, m->xml->error);
  if (!ffi_mjcf_failed(m))
    m->xml->status = ffi_xml_open(path, text, length, m->xml->error, &file->xml);
  free(text);
  if (ffi_mjcf_failed(m))
    return NULL;
  file->name = name;
  file->xml.doc->_private = file;
  return file;
}

void ffi_mjcf_include_append(ffi_mjcf *m, ffi_mjcf_file *file)
{
  ffi_mjcf_file *last = &m->main_file;
  while (last->next)
    last = last->next;
  last->next = file;
}

static void identify(ffi_mjcf_file *file, const struct stat *info)
{
  file->device = (unsigned long long)info->st_dev;
  file->inode = (unsigned long long)info->st_ino;
}

static void open_include(ffi_mjcf *m, const xmlNode *include)
{
  const char *name;
  char *path;
  struct stat info;
  if (!look_for(m, include, &name, &path, &info) || is_repeated(m, include, &info))
    return;
  ffi_mjcf_file *file = read_file(m, include, name, path);
  if (!file)
    return;
  file->include = include;
  identify(file, &info);
  ffi_mjcf_include_append(m, file);
}

// The next element of a document, children first; NULL at the end.
static const xmlNode *following(const xmlNode *node)
{
  const xmlNode *child = ffi_xml_child(node, NULL);
  if (child)
    return child;
  while (node && node->type == XML_ELEMENT_NODE) {
    const xmlNode *next = ffi_xml_next(node, NULL);
    if (next)
      return next;
    node = node->parent;
  }
  return NULL;
}

// All that files from `f` on include. Files found on the way join the end of the list, so theirs are opened too.
static void open_from(ffi_mjcf *m, ffi_mjcf_file *f)
{
  for (; f; f = f->next) {
    const xmlNode *node = xmlDocGetRootElement(f->xml.doc);
    for (; node && !ffi_mjcf_failed(m); node = following(node)) {
      if (ffi_xml_is(node, "include"))
        open_include(m, node);
    }
  }
}

ffi_mjcf_file *ffi_mjcf_include_open_file(ffi_mjcf *m, const xmlNode *node)
{
  const char *name;
  char *path;
  struct stat info;
  if (!look_for(m, node, &name, &path, &info))
    return NULL;
  ffi_mjcf_file *file = read_file(m, node, name, path);
  if (!file)
    return NULL;
  identify(file, &info);
  ffi_mjcf_include_append(m, file);
  open_from(m, file);
  return ffi_mjcf_failed(m) ? NULL : file;
}

void ffi_mjcf_include_open(ffi_mjcf *m)
{
  struct stat info;
  m->file_count = 1;
  m->main_file.name = "";
  if (!m->xml->is_memory && !m->def->from && stat(m->main_file.xml.file, &info) == 0)
    identify(&m->main_file, &info);
  open_from(m, &m->main_file);
}

void ffi_mjcf_include_close(ffi_mjcf *m)
{
  for (ffi_mjcf_file *f = m->main_file.next; f; f = f->next)
    ffi_xml_close(&f->xml);
}
