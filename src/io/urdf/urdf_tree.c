// Links and joints of URDF, connected by name: the tree, its root, parents before children.
#include "io/urdf/urdf.h"

#include "base/grow.h"

#include <stdio.h>
#include <string.h>

// ---- Listing links and joints -----------------------------------------------------------------------------

static ff_status add_link(ffi_urdf *u, const xmlNode *node)
{
  const char *name = ffi_urdf_value_name(u, node, "name");
  if (!name)
    return u->xml->status;
  const int other = ffi_names_find(&u->link_names, name);
  if (other >= 0)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is already a link of this name, at line %d",
                        ffi_xml_line(u->links[other].node));
  if (u->link_count >= FF_MAX_LINKS)
    return ffi_xml_fail(u->xml, FF_ERROR_LIMIT, node, "there are more than %d links", FF_MAX_LINKS);
  void *items = ffi_grow(u->links, u->link_count, &u->link_capacity, sizeof *u->links);
  if (items)
    u->links = items;
  if (!items || !ffi_names_reserve(&u->link_names))
    return ffi_urdf_no_memory(u);
  ffi_names_put(&u->link_names, name, u->link_count);
  u->links[u->link_count++] = (ffi_urdf_link){.name = name, .node = node, .joint = -1, .id = FF_WORLD};
  return FF_OK;
}

static ff_status add_joint(ffi_urdf *u, const xmlNode *node)
{
  const char *name = ffi_urdf_value_name(u, node, "name");
  if (!name)
    return u->xml->status;
  const int other = ffi_names_find(&u->joint_names, name);
  if (other >= 0)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is already a joint of this name, at line %d",
                        ffi_xml_line(u->joints[other].node));
  if (u->joint_count >= FF_MAX_LINKS)
    return ffi_xml_fail(u->xml, FF_ERROR_LIMIT, node, "there are more than %d joints", FF_MAX_LINKS);
  void *items = ffi_grow(u->joints, u->joint_count, &u->joint_capacity, sizeof *u->joints);
  if (items)
    u->joints = items;
  if (!items || !ffi_names_reserve(&u->joint_names))
    return ffi_urdf_no_memory(u);
  ffi_names_put(&u->joint_names, name, u->joint_count);
  u->joints[u->joint_count++] = (ffi_urdf_joint){.name = name, .node = node};
  return FF_OK;
}

static ff_status list_elements(ffi_urdf *u)
{
  for (const xmlNode *node = ffi_xml_child(u->robot, NULL); node; node = ffi_xml_next(node, NULL)) {
    if (ffi_xml_is(node, "link"))
      add_link(u, node);
    else if (ffi_xml_is(node, "joint"))
      add_joint(u, node);
    if (u->xml->status != FF_OK)
      return u->xml->status;
  }
  if (u->link_count == 0)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, u->robot, "there is no <link> in it%s",
                        ffi_xml_child(u->robot, "disable_collisions") || ffi_xml_child(u->robot, "group")
                            ? ": it is an SRDF, which is read beside its URDF"
                            : "");
  return u->xml->status;
}

// ---- Connecting them --------------------------------------------------------------------------------------

// The link that a joint's <parent> or <child> names, or -1.
static int find_end(ffi_urdf *u, const xmlNode *joint, const char *end)
{
  const xmlNode *node = ffi_urdf_value_only(u, joint, end);
  if (!node) {
    ffi_xml_fail(u->xml, FF_ERROR_PARSE, joint, "has no <%s>", end);
    return -1;
  }
  const char *name = ffi_urdf_value_name(u, node, "link");
  if (!name)
    return -1;
  const int link = ffi_names_find(&u->link_names, name);
  if (link < 0)
    ffi_xml_fail(u->xml, FF_ERROR_MODEL, node, "there is no link '%.80s'", name);
  return link;
}

static ff_status connect(ffi_urdf *u, int index)
{
  ffi_urdf_joint *joint = &u->joints[index];
  joint->parent = find_end(u, joint->node, "parent");
  joint->child = joint->parent < 0 ? -1 : find_end(u, joint->node, "child");
  if (joint->child < 0)
    return u->xml->status;
  ffi_urdf_link *child = &u->links[joint->child];
  if (joint->parent == joint->child)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, joint->node, "it joins link '%.80s' to itself", child->name);
  if (child->joint >= 0)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, joint->node,
                        "link '%.80s' has two parents: it is also the child of joint '%.80s', at line %d",
                        child->name, u->joints[child->joint].name,
                        ffi_xml_line(u->joints[child->joint].node));
  child->joint = index;
  return u->xml->status;
}

static int parent_of(const ffi_urdf *u, int link)
{
  return u->links[link].joint < 0 ? -1 : u->joints[u->links[link].joint].parent;
}

// Following parents from a link that no root reaches ends in a cycle. link_count steps are enough to be on it.
static ff_status fail_cycle(ffi_urdf *u, int link)
{
  for (int i = 0; i < u->link_count; ++i)
    link = parent_of(u, link);
  char text[300];
  size_t used = (size_t)snprintf(text, sizeof text, "%.40s", u->links[link].name);
  int at = parent_of(u, link);
  for (int i = 0; i < 4 && at != link; ++i, at = parent_of(u, at))
    used += (size_t)snprintf(text + used, sizeof text - used, ", whose parent is %.40s", u->links[at].name);
  return ffi_xml_fail(u->xml, FF_ERROR_MODEL, u->joints[u->links[link].joint].node,
                      "the joints form a cycle: %s, %s", text,
                      at == link ? "whose parent is the first" : "and so on back to the first");
}

static ff_status find_root(ffi_urdf *u)
{
  char names[300] = "";
  size_t used = 0;
  int roots = 0;
  int second = -1;
  u->root = -1;
  for (int i = 0; i < u->link_count; ++i) {
    if (u->links[i].joint >= 0)
      continue;
    if (roots == 1)
      second = i;
    if (roots < 5)
      used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.40s'", roots ? ", " : "",
                               u->links[i].name);
    u->root = roots++ ? u->root : i;
  }
  if (roots == 0)
    return fail_cycle(u, 0);
  if (roots > 1)
    return ffi_xml_fail(u->xml, FF_ERROR_MODEL, u->links[second].node,
                        "there are %d links that are no joint's child, and a URDF robot has one root: %s%s",
                        roots, names, roots > 5 ? ", ..." : "");
  return FF_OK;
}

// Breadth first from the root. Children of a link are chained through first[link] and next[child].
static ff_status put_in_order(ffi_urdf *u)
{
  const size_t n = (size_t)u->link_count;
  int *first = ffi_arena_take(&u->arena, n, sizeof *first);
  int *next = ffi_arena_take(&u->arena, n, sizeof *next);
  u->order = ffi_arena_take(&u->arena, n, sizeof *u->order);
  if (!first || !next || !u->order)
    return ffi_urdf_no_memory(u);
  for (int i = 0; i < u->link_count; ++i)
    first[i] = next[i] = -1;
  for (int i = u->link_count - 1; i >= 0; --i) {
    const int parent = parent_of(u, i);
    if (parent < 0)
      continue;
    next[i] = first[parent];
    first[parent] = i;
  }
  int count = 1;
  u->order[0] = u->root;
  for (int i = 0; i < count; ++i) {
    for (int child = first[u->order[i]]; child >= 0; child = next[child])
      u->order[count++] = child;
  }
  if (count == u->link_count)
    return FF_OK;
  // A link was not reached. It has a parent, and so on: a cycle beside the tree.
  for (int i = 0; i < count; ++i)
    first[u->order[i]] = -2;
  int link = 0;
  while (first[link] == -2)
    ++link;
  return fail_cycle(u, link);
}

ff_status ffi_urdf_tree_read(ffi_urdf *u)
{
  ff_status status = list_elements(u);
  for (int i = 0; status == FF_OK && i < u->joint_count; ++i)
    status = connect(u, i);
  if (status == FF_OK)
    status = find_root(u);
  if (status == FF_OK)
    status = put_in_order(u);
  return status;
}
