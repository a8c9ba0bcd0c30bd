// A file that takes its name when it has begun, and is locked while it is written.
#define _GNU_SOURCE // F_OFD_SETLK, O_NOFOLLOW
#include "cli/files/growing_file.h"

#include "cli/files/atomic_file.h"
#include "cli/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Locks ----------------------------------------------------------------------------------------------------------

// One byte far behind the end of any file. The lock belongs to the open file, goes with it to its new name, and ends
// when the program does. File systems without locks are accepted.
static int lock(int file)
{
#ifdef F_OFD_SETLK
  struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
  return fcntl(file, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
#else
  return file >= 0;
#endif
}

static int is_busy(const char *path)
{
  int is_locked = 0;
#ifdef F_OFD_GETLK
  struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  is_locked = file >= 0 && fcntl(file, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
  if (file >= 0)
    close(file);
#endif
  return is_locked;
}

// Is it still the file of that name? Another program may have moved it between our opening and our lock.
static int has_name(int file, const char *name)
{
  struct stat ours, theirs;
  return fstat(file, &ours) == 0 && lstat(name, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
         ours.st_ino == theirs.st_ino;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// An empty FILE.part with a lock; -1 with errno.
static int open_part(const ffi_growing_file *f)
{
  int file, tries = 0;
  for (;;) {
    file = open(f->part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
      return -1;
    const int is_ours = lock(file);
    if (!is_ours || ++tries == 100) {
      close(file);
      errno = EBUSY;
      return -1;
    }
    if (has_name(file, f->part))
      break;
    close(file);
  }
  const int is_taken = is_busy(f->place);
  if (!is_taken && ftruncate(file, 0) == 0)
    return file;
  const int code = is_taken ? EBUSY : errno;
  remove(f->part);
  close(file);
  errno = code;
  return -1;
}

int ffi_growing_file_open(ffi_growing_file *f, const char *path)
{
  *f = (ffi_growing_file){.descriptor = -1};
  if (!ffi_atomic_file_has_part(path)) {
    f->is_moved = 1;
    f->descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return f->descriptor >= 0;
  }
  if (access(path, F_OK) == 0 && access(path, W_OK) != 0) // rename() would replace it nevertheless
    return 0;
  f->place = ffi_atomic_file_target(path);
  f->part = ffi_atomic_file_part(path);
  f->kept = ffi_memory_need(NULL, strlen(f->place) + 2);
  strcat(strcpy(f->kept, f->place), "~");
  f->descriptor = open_part(f);
  if (f->descriptor >= 0)
    return 1;
  const int code = errno;
  ffi_growing_file_free(f);
  errno = code;
  return 0;
}

// Another name for the file in place. A file that has that name already is somebody's, or an earlier one whose
// successor is not complete: it stays, now and at the end. File systems without hard links keep nothing.
static void keep(ffi_growing_file *f)
{
  struct stat about;
  if (lstat(f->place, &about) == 0 && about.st_size > 0)
    f->has_kept = link(f->place, f->kept) == 0;
}

int ffi_growing_file_move(ffi_growing_file *f)
{
  if (f->is_moved)
    return 1;
  keep(f);
  f->is_moved = ffi_atomic_file_move(f->part, f->place);
  if (!f->is_moved && f->has_kept) {
    const int code = errno;
    remove(f->kept);
    errno = code;
  }
  f->has_kept = f->has_kept && f->is_moved;
  return f->is_moved;
}

int ffi_growing_file_close(ffi_growing_file *f, int is_complete)
{
  struct stat about;
  int code = 0;
  if (f->descriptor < 0)
    return 1;
  if (is_complete && !ffi_growing_file_move(f))
    code = errno;
  if (f->part && !f->is_moved)
    remove(f->part);
  const int is_lost = f->part && f->is_moved && fstat(f->descriptor, &about) == 0 && about.st_nlink == 0;
  if (close(f->descriptor) != 0 && code == 0)
    code = errno;
  if (is_lost && code == 0)
    code = ESTALE;
  f->descriptor = -1;
  if (is_complete && code == 0 && f->has_kept) {
    remove(f->kept);
    f->has_kept = 0;
  }
  errno = code;
  return code == 0;
}

void ffi_growing_file_free(ffi_growing_file *f)
{
  free(f->part);
  free(f->place);
  free(f->kept);
  *f = (ffi_growing_file){.descriptor = -1};
}

const char *ffi_growing_file_reason(int code)
{
  if (code == EBUSY)
    return "another program is writing this file. Wait until it has ended, or choose another file";
  if (code == ESTALE)
    return "it was removed or replaced while it was written, and its rows are lost";
  return strerror(code);
}
