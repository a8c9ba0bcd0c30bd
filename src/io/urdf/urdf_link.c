// <link> of URDF: inertia and shapes.
#include "io/urdf/urdf.h"

// ---- Inertia ----------------------------------------------------------------------------------------------

static void read_moments(ffi_urdf *u, const xmlNode *node, double matrix[6])
{
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  for (int i = 0; i < 6; ++i) {
    const int is_diagonal = i == 0 || i == 3 || i == 5;
    if (!ffi_xml_number(u->xml, node, names[i], &matrix[i]) && is_diagonal)
      ffi_xml_fail(u->xml, FF_ERROR_PARSE, node, "has no attribute '%s'", names[i]);
  }
}

// A link without <inertial> is massless. <inertia> is about the centre of mass, in the axes of <origin>.
static void read_inertia(ffi_urdf *u, const ffi_urdf_link *link, ff_inertia *out)
{
  *out = ff_inertia_zero();
  const xmlNode *inertial = ffi_urdf_value_only(u, link->node, "inertial");
  if (!inertial)
    return;
  const xmlNode *mass = ffi_urdf_value_only(u, inertial, "mass");
  const xmlNode *inertia = ffi_urdf_value_only(u, inertial, "inertia");
  ff_inertia own = ff_inertia_zero();
  if (!mass)
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, inertial, "has no <mass>");
  else if (!ffi_urdf_value_amount(u, mass, "value", &own.mass))
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, mass, "has no attribute 'value'");
  if (inertia)
    read_moments(u, inertia, own.matrix);
  else
    ffi_urdf_warn(u, link->node, "has a mass but no <inertia>: it is taken as a point mass");
  const ff_pose pose = ffi_urdf_value_pose(u, ffi_urdf_value_only(u, inertial, "origin"));
  *out = ff_inertia_transform(&pose, &own);
}

ff_status ffi_urdf_link_inertias(ffi_urdf *u)
{
  for (int i = u->link_count - 1; i >= 0 && u->xml->status == FF_OK; --i) { // children before parents
    ffi_urdf_link *link = &u->links[u->order[i]];
    read_inertia(u, link, &link->inertia);
    const double *I = link->inertia.matrix;
    link->has_weight |= link->inertia.mass != 0 || I[0] != 0 || I[3] != 0 || I[5] != 0;
    if (link->joint >= 0)
      u->links[u->joints[link->joint].parent].has_weight |= link->has_weight;
  }
  return u->xml->status;
}

ff_inertia ffi_urdf_link_least_inertia(void)
{
  ff_inertia out = ff_inertia_zero();
  out.mass = 1e-3;
  out.matrix[0] = out.matrix[3] = out.matrix[5] = 1e-6;
  return out;
}

// ---- Shapes -----------------------------------------------------------------------------------------------

// Bullet's <contact><lateral_friction value="..."/>...</contact>. What it leaves out has the default.
static void read_contact(ffi_urdf *u, const ffi_urdf_link *link, ff_material *out)
{
  *out = ff_material_default();
  const xmlNode *contact = ffi_urdf_value_only(u, link->node, "contact");
  const xmlNode *stiffness = ffi_xml_child(contact, "stiffness");
  const xmlNode *restitution = ffi_xml_child(contact, "restitution");
  const xmlNode *tangential = ffi_xml_child(contact, "tangential_restitution"); // ours
  ffi_urdf_value_amount(u, ffi_xml_child(contact, "lateral_friction"), "value", &out->friction);
  ffi_urdf_value_amount(u, ffi_xml_child(contact, "damping"), "value", &out->damping);
  ffi_urdf_value_amount(u, stiffness, "value", &out->stiffness);
  ffi_urdf_value_amount(u, restitution, "value", &out->restitution);
  ffi_urdf_value_amount(u, tangential, "value", &out->tangential_restitution);
  ffi_urdf_value_amount(u, ffi_xml_child(contact, "spinning_friction"), "value", &out->torsional_friction);
  ffi_urdf_value_amount(u, ffi_xml_child(contact, "rolling_friction"), "value", &out->rolling_friction);
  if (out->stiffness == 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, stiffness, "the stiffness of a contact must be > 0");
  if (out->restitution > 1)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, restitution, "the restitution is %g, it must lie in 0..1",
                 out->restitution);
  if (out->tangential_restitution > 1)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, tangential, "the tangential restitution is %g, it must lie in 0..1",
                 out->tangential_restitution);
}

static void add_shape(ffi_urdf *u, const ffi_urdf_link *link, const xmlNode *node,
                      const ff_material *material)
{
  ff_shape_def shape = ff_shape_def_default();
  shape.purpose = material ? FF_SHAPE_COLLISION : FF_SHAPE_VISUAL;
  shape.pose = ffi_urdf_value_pose(u, ffi_urdf_value_only(u, node, "origin"));
  const char *name = ffi_xml_get(node, "name");
  shape.name = name && *name ? ffi_urdf_value_name(u, node, "name") : NULL;
  if (material)
    shape.material = *material;
  else
    ffi_urdf_material_color(u, node, shape.rgba);
  if (!ffi_urdf_geometry_read(u, node, &shape) || u->xml->status != FF_OK)
    return;
  ffi_urdf_at(u, node);
  ffi_urdf_collision_add_shape(u, link->id, link->name, &shape);
}

ff_status ffi_urdf_link_shapes(ffi_urdf *u, ffi_urdf_link *link)
{
  read_contact(u, link, &link->contact);
  for (const xmlNode *node = ffi_xml_child(link->node, "visual"); node; node = ffi_xml_next(node, "visual"))
    add_shape(u, link, node, NULL);
  for (const xmlNode *node = ffi_xml_child(link->node, "collision"); node;
       node = ffi_xml_next(node, "collision"))
    add_shape(u, link, node, &link->contact);
  return u->xml->status;
}
