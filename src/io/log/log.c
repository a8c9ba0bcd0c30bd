// Types of a log's records for HDF5, attributes and texts, and why HDF5 failed.
#include "io/log/log.h"

#include "io/log/log_sum.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Records --------------------------------------------------------------------------------------------------------

typedef struct field {
  const char *name;
  size_t at;
  int count; // 1: a number, more: an array
} field;

static int insert(hid_t record, hid_t type, const field *fields, size_t count)
{
  int is_good = 1;
  for (size_t i = 0; i < count; ++i) {
    const hsize_t size = (hsize_t)fields[i].count;
    const hid_t array = size > 1 ? H5Tarray_create2(type, 1, &size) : H5Tcopy(type);
    is_good = is_good && H5Tinsert(record, fields[i].name, fields[i].at, array) >= 0;
    H5Tclose(array);
  }
  return is_good;
}

#define AT(record, name, count)                                                                              \
  {                                                                                                          \
#name, offsetof(record, name), count                                                                     \
  }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static hid_t finish(hid_t record, int is_good)
{
  if (is_good)
    return record;
  H5Tclose(record);
  return -1;
}

hid_t ffi_log_step_type(void)
{
  static const field longs[] = {AT(ffi_log_step, step, 1), AT(ffi_log_step, contacts_end, 1)};
  static const field ints[] = {
      AT(ffi_log_step, contacts, 1),       AT(ffi_log_step, slipping, 1),
      AT(ffi_log_step, pieces, 1),         AT(ffi_log_step, touchdowns, 1),
      AT(ffi_log_step, liftoffs, 1),       AT(ffi_log_step, slips, 1),
      AT(ffi_log_step, sticks, 1),         AT(ffi_log_step, events_capped, 1),
      AT(ffi_log_step, factorisations, 1), AT(ffi_log_step, substeps, 1),
      AT(ffi_log_step, capped, 1),         AT(ffi_log_step, integrator_steps, 1),
      AT(ffi_log_step, rejected, 1),       AT(ffi_log_step, inaccurate, 1),
      AT(ffi_log_step, projections, 1),    AT(ffi_log_step, located, 1),
      AT(ffi_log_step, iterations, 1),     AT(ffi_log_step, converged, 1),
      AT(ffi_log_step, fallbacks, 1),
  };
  static const field doubles[] = {AT(ffi_log_step, penetration, 1), AT(ffi_log_step, force_error, 1),
                                  AT(ffi_log_step, residual, 1), AT(ffi_log_step, drift, 1),
                                  AT(ffi_log_step, drift_angle, 1)};
  const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(ffi_log_step));
  return finish(record, insert(record, H5T_NATIVE_INT64, longs, COUNT(longs)) &&
                            insert(record, H5T_NATIVE_INT32, ints, COUNT(ints)) &&
                            insert(record, H5T_NATIVE_DOUBLE, doubles, COUNT(doubles)));
}

hid_t ffi_log_contact_type(void)
{
  static const field ints[] = {AT(ffi_log_contact, id, 1),      AT(ffi_log_contact, shape_a, 1),
                               AT(ffi_log_contact, shape_b, 1), AT(ffi_log_contact, ground, 1),
                               AT(ffi_log_contact, link_a, 1),  AT(ffi_log_contact, link_b, 1),
                               AT(ffi_log_contact, mode, 1)};
  static const field floats[] = {AT(ffi_log_contact, point, 3), AT(ffi_log_contact, normal, 3),
                                 AT(ffi_log_contact, force, 3), AT(ffi_log_contact, slip, 2),
                                 AT(ffi_log_contact, penetration, 1)};
  const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(ffi_log_contact));
  return finish(record, insert(record, H5T_NATIVE_INT32, ints, COUNT(ints)) &&
                            insert(record, H5T_NATIVE_FLOAT, floats, COUNT(floats)));
}

hid_t ffi_log_ground_type(void)
{
  static const field ints[] = {AT(ffi_log_ground, type, 1), AT(ffi_log_ground, rows, 1),
                               AT(ffi_log_ground, columns, 1), AT(ffi_log_ground, gives_pair, 1)};
  static const field doubles[] = {AT(ffi_log_ground, position, 3),  AT(ffi_log_ground, quaternion, 4),
                                  AT(ffi_log_ground, size, 3),      AT(ffi_log_ground, velocity, 6),
                                  AT(ffi_log_ground, stiffness, 1), AT(ffi_log_ground, damping, 1),
                                  AT(ffi_log_ground, friction, 1)};
  const hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(ffi_log_ground));
  return finish(record, insert(record, H5T_NATIVE_INT32, ints, COUNT(ints)) &&
                            insert(record, H5T_NATIVE_DOUBLE, doubles, COUNT(doubles)));
}

const char *const ffi_log_energy_names[FFI_LOG_ENERGIES] = {"kinetic", "potential",     "elastic",
                                                            "total",   "control_power", "control_work"};

// ---- Attributes and texts -------------------------------------------------------------------------------------------

int ffi_log_put_texts(hid_t object, const char *name, const char *const *texts, int count)
{
  size_t size = 1;
  for (int i = 0; i < count; ++i)
    size = strlen(texts[i]) + 1 > size ? strlen(texts[i]) + 1 : size;
  char *packed = calloc((size_t)count + 1, size);
  if (!packed)
    return 0;
  for (int i = 0; i < count; ++i)
    memcpy(packed + (size_t)i * size, texts[i], strlen(texts[i]));
  const hsize_t length = (hsize_t)count;
  const hid_t type = H5Tcopy(H5T_C_S1);
  int is_good = H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  const hid_t space = H5Screate_simple(1, &length, NULL);
  const hid_t dataset = H5Dcreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  is_good = is_good && dataset >= 0 &&
            (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed) >= 0) &&
            ffi_log_put_sum(dataset, packed, (size_t)count * size);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  free(packed);
  return is_good;
}

int ffi_log_put_text(hid_t object, const char *name, const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  int is_good = H5Tset_size(type, strlen(text) + 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  is_good = is_good && attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return is_good;
}

int ffi_log_put_number(hid_t object, const char *name, hid_t type, const void *value)
{
  const hid_t space = H5Screate(H5S_SCALAR),
              attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int is_good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  H5Aclose(attribute);
  H5Sclose(space);
  return is_good;
}

char *ffi_log_get_text(hid_t object, const char *name)
{
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), file_type = H5Aget_type(attribute),
              type = H5Tcopy(H5T_C_S1);
  const int is_text =
      file_type >= 0 && H5Tget_class(file_type) == H5T_STRING && H5Tis_variable_str(file_type) == 0;
  const size_t size = is_text ? H5Tget_size(file_type) : 0;
  char *text = size > 0 && size < ((size_t)1 << 20) ? calloc(size + 1, 1) : NULL;
  if (text && (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
               H5Aread(attribute, type, text) < 0)) {
    free(text);
    text = NULL;
  }
  H5Tclose(type);
  H5Tclose(file_type);
  H5Aclose(attribute);
  return text;
}

int ffi_log_get_number(hid_t object, const char *name, hid_t type, void *value)
{
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  const int is_good =
      attribute >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, value) >= 0;
  H5Sclose(space);
  H5Aclose(attribute);
  return is_good;
}

int ffi_log_put_sum(hid_t dataset, const void *bytes, size_t size)
{
  const uint64_t sum = ffi_log_sum_add(ffi_log_sum_begin(0), bytes, size);
  return ffi_log_put_number(dataset, "sum", H5T_NATIVE_UINT64, &sum);
}

int ffi_log_has_sum(hid_t dataset, const void *bytes, size_t size)
{
  uint64_t sum;
  if (H5Aexists(dataset, "sum") <= 0)
    return 1;
  return ffi_log_get_number(dataset, "sum", H5T_NATIVE_UINT64, &sum) &&
         ffi_log_sum_is(ffi_log_sum_add(ffi_log_sum_begin(0), bytes, size), sum);
}

// ---- Quiet ----------------------------------------------------------------------------------------------------------

ffi_log_quiet ffi_log_be_quiet(void)
{
  ffi_log_quiet quiet = {.code = errno};
  H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  errno = 0;
  return quiet;
}

void ffi_log_be_as_before(const ffi_log_quiet *quiet)
{
  H5Eset_auto2(H5E_DEFAULT, quiet->print, quiet->data);
  errno = quiet->code;
}

static void stop_printing(void)
{
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// HDF5 is in use already, so it is asked to end after us.
void ffi_log_be_quiet_at_exit(void)
{
  static atomic_flag is_set = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_set))
    atexit(stop_printing);
}

typedef struct found {
  char *text;
  size_t size;
} found;

// The innermost entry that quotes strerror(), or the innermost of all.
static herr_t look(unsigned depth, const H5E_error2_t *entry, void *data)
{
  static const char before[] = "error message = '";
  const found *out = data;
  const char *reason = entry->desc ? strstr(entry->desc, before) : NULL;
  (void)depth;
  if (!reason && entry->desc && !out->text[0])
    snprintf(out->text, out->size, "HDF5: %.200s", entry->desc);
  if (!reason)
    return 0;
  reason += sizeof before - 1;
  snprintf(out->text, out->size, "%.*s", (int)strcspn(reason, "'"), reason);
  return 1;
}

void ffi_log_reason(char *text, size_t size)
{
  found out = {.text = text, .size = size};
  text[0] = '\0';
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &out);
  if (!text[0])
    snprintf(text, size, "HDF5 gives no reason");
}
