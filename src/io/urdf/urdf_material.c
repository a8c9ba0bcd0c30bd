#include "io/urdf/urdf_reader.h"

#include "base/grow.h"

#include <string.h>

// A <material> is a colour. It may be defined at the top or in any <visual>, and be used by its name
// anywhere, also before it is defined. The first definition of a name counts for those that only name it.

// Returns whether the material has a colour itself. Colours outside 0..1 are brought inside, with a warning
// where asked.
static int read_rgba(ffi_urdf *u, const xmlNode *material, int may_warn, double rgba[4])
{
  const xmlNode *color = ffi_xml_child(material, "color");
  double value[4] = {0, 0, 0, 1};
  if (!ffi_xml_numbers(u->xml, color, "rgba", 3, 4, value))
    return 0;
  int is_outside = 0;
  for (int i = 0; i < 4; ++i) {
    is_outside |= value[i] < 0 || value[i] > 1;
    rgba[i] = value[i] < 0 ? 0 : value[i] > 1 ? 1 : value[i];
  }
  if (is_outside && may_warn)
    ffi_urdf_warn(u, material, "its colour %g %g %g %g is not within 0..1 and is cut to it", value[0],
                  value[1], value[2], value[3]);
  return 1;
}

static void define(ffi_urdf *u, const xmlNode *material, int may_warn)
{
  const char *name = ffi_xml_get(material, "name");
  ffi_urdf_color color;
  if (!name || !*name || ffi_names_find(&u->color_names, name) >= 0 ||
      !read_rgba(u, material, may_warn, color.rgba))
    return;
  void *items = ffi_grow(u->colors, u->color_count, &u->color_capacity, sizeof *u->colors);
  if (items)
    u->colors = items;
  if (!items || !ffi_names_reserve(&u->color_names)) {
    ffi_urdf_no_memory(u);
    return;
  }
  ffi_names_put(&u->color_names, name, u->color_count);
  u->colors[u->color_count++] = color;
}

ff_status ffi_urdf_material_read(ffi_urdf *u)
{
  for (const xmlNode *node = ffi_xml_child(u->robot, "material"); node; node = ffi_xml_next(node, "material"))
    define(u, node, 1);
  for (int i = 0; i < u->link_count; ++i) {
    const xmlNode *visual = ffi_xml_child(u->links[i].node, "visual");
    for (; visual; visual = ffi_xml_next(visual, "visual"))
      define(u, ffi_xml_child(visual, "material"), 0); // the visual itself will warn
  }
  return u->xml->status;
}

void ffi_urdf_material_color(ffi_urdf *u, const xmlNode *visual, double rgba[4])
{
  const xmlNode *material = ffi_xml_child(visual, "material");
  const char *name = ffi_xml_get(material, "name");
  if (!material || read_rgba(u, material, 1, rgba) || !name || !*name)
    return;
  const int color = ffi_names_find(&u->color_names, name);
  if (color >= 0)
    memcpy(rgba, u->colors[color].rgba, sizeof u->colors[color].rgba);
  else if (!ffi_xml_child(material, "texture"))
    ffi_urdf_warn(u, material, "no material of this name has a colour; the default is taken");
}
