// A log takes its name when its head is complete, and is locked while it is written.
#define _GNU_SOURCE // F_OFD_SETLK, O_NOFOLLOW
#include "io/log/log_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- Names ----------------------------------------------------------------------------------------------------------

static char *join(const char *path, const char *ending)
{
  char *name = malloc(strlen(path) + strlen(ending) + 1);
  return name ? strcat(strcpy(name, path), ending) : NULL;
}

int ffi_log_place_create(ffi_log_place *place, const char *path)
{
  *place = (ffi_log_place){.path = join(path, ""), .part = join(path, ".part"), .kept = join(path, "~")};
  if (place->path && place->part && place->kept)
    return 1;
  ffi_log_place_free(place);
  return 0;
}

void ffi_log_place_free(ffi_log_place *place)
{
  free(place->path);
  free(place->part);
  free(place->kept);
  *place = (ffi_log_place){0};
}

// ---- Locks ----------------------------------------------------------------------------------------------------------

// One byte far behind any log's end: HDF5 itself locks whole files for a moment, in another way. The lock belongs to
// the open file, goes with it to its new name, and ends when the program does.
#ifdef F_OFD_SETLK
static struct flock far_byte(void)
{
  return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
}
#endif

// 0: another program has it. File systems without locks are accepted.
static int lock(int file)
{
#ifdef F_OFD_SETLK
  struct flock byte = far_byte();
  return fcntl(file, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
#else
  return file >= 0;
#endif
}

static int is_locked(int file)
{
#ifdef F_OFD_SETLK
  struct flock byte = far_byte();
  return fcntl(file, F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
#else
  return file < 0;
#endif
}

int ffi_log_place_is_busy(const char *path)
{
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return 0;
  const int is_busy = is_locked(file);
  close(file);
  return is_busy;
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

// Is it still the file of that name? Another program may have moved it between our opening and our lock.
static int has_name(int file, const char *name)
{
  struct stat ours, theirs;
  return fstat(file, &ours) == 0 && lstat(name, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
         ours.st_ino == theirs.st_ino;
}

static int give_up(int file, int code)
{
  close(file);
  errno = code;
  return -1;
}

// What a killed program has left there is of no use: it had no head.
int ffi_log_place_open(ffi_log_place *place)
{
  for (int tries = 0; tries < 100; ++tries) {
    const int file = open(place->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0)
      return -1;
    if (!lock(file))
      return give_up(file, EBUSY);
    if (!has_name(file, place->part)) {
      close(file);
      continue;
    }
    const int is_busy = ffi_log_place_is_busy(place->path);
    if (!is_busy && ftruncate(file, 0) == 0)
      return file;
    const int code = is_busy ? EBUSY : errno;
    unlink(place->part);
    return give_up(file, code);
  }
  errno = EBUSY;
  return -1;
}

// A file that has the name already is somebody's, or an earlier log whose successor did not end in order: it stays, now
// and at the end. A hard link has no moment without a log of that name, but not every file system has them.
static void keep(ffi_log_place *place)
{
  struct stat about;
  if (lstat(place->path, &about) == 0 && about.st_size > 0 && lstat(place->kept, &about) != 0)
    place->has_kept = link(place->path, place->kept) == 0 || rename(place->path, place->kept) == 0;
}

int ffi_log_place_move(ffi_log_place *place)
{
  keep(place);
  if (rename(place->part, place->path) == 0)
    return 1;
  const int code = errno;
  if (place->has_kept && rename(place->kept, place->path) == 0) // of two links to one file it does nothing
    unlink(place->kept);
  place->has_kept = 0;
  errno = code;
  return 0;
}

void ffi_log_place_end(ffi_log_place *place)
{
  if (place->has_kept)
    unlink(place->kept);
  place->has_kept = 0;
}

int ffi_log_place_is_lost(int file)
{
  struct stat about;
  return fstat(file, &about) == 0 && about.st_nlink == 0;
}
