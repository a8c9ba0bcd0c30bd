// The file driver of HDF5 under a log. After the first failed write nothing more goes to the file.
#define _GNU_SOURCE // flock
#include "io/log/log_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Data that did not go to the file.
typedef struct kept {
  haddr_t at;
  size_t size;
  unsigned char *bytes;
} kept;

typedef struct disk_file {
  H5FD_t pub; // HDF5's own, first
  int file;
  haddr_t eoa, eof; // end of what HDF5 uses; of what it has written
  ffi_log_disk *disk;
  kept *list;
  int count, room;
  dev_t device;
  ino_t inode;
} disk_file;

typedef struct settings {
  ffi_log_disk *disk;
} settings;

// ---- Opening and closing --------------------------------------------------------------------------------------------

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most)
{
  const settings *given = H5Pget_driver_info(access);
  struct stat info;
  (void)name, (void)most;
  if (!given || !(flags & H5F_ACC_CREAT))
    return NULL;
  disk_file *f = calloc(1, sizeof *f);
  if (!f || fstat(given->disk->file, &info) != 0) {
    given->disk->error = errno;
    free(f);
    return NULL;
  }
  f->file = given->disk->file;
  f->disk = given->disk;
  f->device = info.st_dev;
  f->inode = info.st_ino;
  return &f->pub;
}

static herr_t close_file(H5FD_t *pub)
{
  disk_file *f = (disk_file *)pub;
  if (close(f->file) != 0 && !f->disk->error)
    f->disk->error = errno;
  f->disk->file = -1;
  for (int i = 0; i < f->count; ++i)
    free(f->list[i].bytes);
  free(f->list);
  free(f);
  return 0;
}

static int compare(const H5FD_t *a, const H5FD_t *b)
{
  const disk_file *x = (const disk_file *)a, *y = (const disk_file *)b;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return x->inode == y->inode ? 0 : x->inode < y->inode ? -1 : 1;
}

// Not FEAT_POSIX_COMPAT_HANDLE: HDF5 would look for the file by its name, which another program may have taken by then.
static herr_t query(const H5FD_t *pub, unsigned long *flags)
{
  (void)pub;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

// So that nobody else opens it for writing. File systems without locks are accepted.
static herr_t lock(H5FD_t *pub, hbool_t is_writer)
{
  const int file = ((disk_file *)pub)->file;
  return flock(file, (is_writer ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 || errno != EWOULDBLOCK ? 0 : -1;
}

static herr_t unlock(H5FD_t *pub)
{
  flock(((disk_file *)pub)->file, LOCK_UN);
  return 0;
}

// ---- Ends -----------------------------------------------------------------------------------------------------------

static haddr_t get_eoa(const H5FD_t *pub, H5FD_mem_t type)
{
  (void)type;
  return ((const disk_file *)pub)->eoa;
}

static herr_t set_eoa(H5FD_t *pub, H5FD_mem_t type, haddr_t at)
{
  (void)type;
  ((disk_file *)pub)->eoa = at;
  return 0;
}

static haddr_t get_eof(const H5FD_t *pub, H5FD_mem_t type)
{
  (void)type;
  return ((const disk_file *)pub)->eof;
}

static herr_t get_handle(H5FD_t *pub, hid_t access, void **handle)
{
  (void)access;
  *handle = &((disk_file *)pub)->file;
  return 0;
}

static herr_t truncate_file(H5FD_t *pub, hid_t transfer, hbool_t is_closing)
{
  disk_file *f = (disk_file *)pub;
  (void)transfer, (void)is_closing;
  if (f->eoa != f->eof && !f->disk->error && ftruncate(f->file, (off_t)f->eoa) != 0)
    f->disk->error = errno;
  f->eof = f->eoa;
  return 0;
}

// ---- Reading and writing --------------------------------------------------------------------------------------------

static herr_t keep(disk_file *f, haddr_t at, size_t size, const void *bytes)
{
  if (f->count == f->room) {
    const int room = 2 * f->room + 16;
    kept *larger = realloc(f->list, (size_t)room * sizeof *larger);
    if (!larger)
      return -1;
    f->list = larger;
    f->room = room;
  }
  unsigned char *copy = malloc(size);
  if (!copy)
    return -1;
  memcpy(copy, bytes, size);
  f->list[f->count++] = (kept){.at = at, .size = size, .bytes = copy};
  return 0;
}

static herr_t write_bytes(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                          const void *bytes)
{
  disk_file *f = (disk_file *)pub;
  size_t done = 0;
  (void)transfer;
  while (done < size && !f->disk->error) {
    const ssize_t got = pwrite(f->file, (const char *)bytes + done, size - done, (off_t)(at + done));
    if (got > 0)
      done += (size_t)got;
    else if (got == 0 || errno != EINTR)
      f->disk->error = got == 0 ? ENOSPC : errno;
  }
  f->eof = at + size > f->eof ? at + size : f->eof;
  return done == size || type == H5FD_MEM_DRAW || size == 0 ? 0 : keep(f, at, size, bytes);
}

// Unwritten data overrides the file's, the latest last.
static void read_kept(const disk_file *f, haddr_t at, size_t size, unsigned char *bytes)
{
  for (int i = 0; i < f->count; ++i) {
    const kept *k = &f->list[i];
    const haddr_t from = k->at > at ? k->at : at,
                  to = k->at + k->size < at + size ? k->at + k->size : at + size;
    if (from < to)
      memcpy(bytes + (from - at), k->bytes + (from - k->at), (size_t)(to - from));
  }
}

static herr_t read_bytes(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *bytes)
{
  const disk_file *f = (const disk_file *)pub;
  size_t done = 0;
  (void)type, (void)transfer;
  while (done < size) {
    const ssize_t got = pread(f->file, (char *)bytes + done, size - done, (off_t)(at + done));
    if (got < 0 && errno != EINTR)
      return -1;
    if (got == 0)
      break;
    done += got > 0 ? (size_t)got : 0;
  }
  memset((char *)bytes + done, 0, size - done); // beyond the end
  read_kept(f, at, size, bytes);
  return 0;
}

// ---- The driver -----------------------------------------------------------------------------------------------------

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION // since HDF5 1.14
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, // of those that HDF5 leaves to others
#endif
    .name = "footfall log",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(settings),
    .open = open_file,
    .close = close_file,
    .cmp = compare,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .get_handle = get_handle,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = truncate_file,
    .lock = lock,
    .unlock = unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

int ffi_log_disk_use(hid_t access, ffi_log_disk *disk)
{
  const settings given = {.disk = disk};
  disk->driver = H5FDregister(&driver);
  return disk->driver > 0 && H5Pset_driver(access, disk->driver, &given) >= 0;
}

// HDF5 1.10 uses a driver once more after closing a file, so it must still exist then.
void ffi_log_disk_release(ffi_log_disk *disk)
{
  if (disk->driver > 0)
    H5FDunregister(disk->driver);
  disk->driver = 0;
}
