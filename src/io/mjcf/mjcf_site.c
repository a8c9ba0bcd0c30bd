#include "io/mjcf/mjcf_reader.h"

#include "base/grow.h"

static const ffi_mjcf_word site_words[] = {
    {"name", FFI_MJCF_READ, NULL},      {"class", FFI_MJCF_READ, NULL},  {"pos", FFI_MJCF_READ, NULL},
    {"quat", FFI_MJCF_READ, NULL},      {"euler", FFI_MJCF_READ, NULL},  {"axisangle", FFI_MJCF_READ, NULL},
    {"xyaxes", FFI_MJCF_READ, NULL},    {"zaxis", FFI_MJCF_READ, NULL},  {"fromto", FFI_MJCF_READ, NULL},
    {"type", FFI_MJCF_QUIET, NULL},     {"group", FFI_MJCF_QUIET, NULL}, {"size", FFI_MJCF_QUIET, NULL},
    {"material", FFI_MJCF_QUIET, NULL}, {"rgba", FFI_MJCF_QUIET, NULL},  {"user", FFI_MJCF_QUIET, NULL},
    {NULL, FFI_MJCF_READ, NULL},
};

void ffi_mjcf_site_attributes(ffi_mjcf *m, const xmlNode *node, ffi_mjcf_place *place)
{
  ffi_mjcf_ignored_check(m, node, site_words);
  if (ffi_mjcf_value_numbers(m, node, "fromto", 6, 6, place->fromto))
    place->has_fromto = 1;
  ffi_mjcf_value_pose(m, node, &place->pose);
}

// Sites become frames; one without a name could be found by nobody.
void ffi_mjcf_site_read(ffi_mjcf *m, const xmlNode *node, int body, int class_id, const ff_pose *frame)
{
  ffi_mjcf_site site = {.node = node, .name = ffi_mjcf_value_text(node, "name"), .body = body};
  double half_length;
  site.place = m->classes[ffi_mjcf_class_of(m, node, "class", class_id)].site;
  ffi_mjcf_site_attributes(m, node, &site.place);
  if (site.place.has_fromto && !ffi_mjcf_value_fromto(&site.place, &half_length))
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "the two points of 'fromto' must differ");
  site.place.pose = ff_pose_compose(frame, &site.place.pose);
  ffi_mjcf_name_remember(m, &m->site_names, node, site.name, m->site_count);
  if (m->site_count >= FF_MAX_LINKS)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "more than %d sites", FF_MAX_LINKS);
  if (ffi_mjcf_failed(m) || !site.name)
    return;
  ffi_mjcf_site *grown = ffi_grow(m->sites, m->site_count, &m->site_capacity, sizeof *grown);
  if (!grown) {
    ffi_mjcf_no_memory(m);
    return;
  }
  m->sites = grown;
  m->sites[m->site_count++] = site;
}
