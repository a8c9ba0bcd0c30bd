#include "io/urdf/urdf_reader.h"

#include <string.h>

// Xacro is a macro language on top of URDF. A file that still holds macros is a template, not a robot;
// reading it anyway would lose parts of it silently. The declaration of the name space alone is harmless:
// processed files keep it.

static int is_xacro(const xmlNode *node)
{
  const char *prefix = node->ns ? (const char *)node->ns->prefix : NULL;
  return (prefix && strcmp(prefix, "xacro") == 0) || strncmp((const char *)node->name, "xacro:", 6) == 0;
}

// "${...}" and "$(...)" are xacro's expressions. Returns the attribute that holds one, or NULL.
static const xmlAttr *find_expression(const xmlNode *node)
{
  for (const xmlAttr *a = node->properties; a; a = a->next) {
    const char *text = a->children ? (const char *)a->children->content : NULL;
    if (text && (strstr(text, "${") || strstr(text, "$(")))
      return a;
  }
  return NULL;
}

// The element after `node` in document order, below `top`.
static const xmlNode *next_in_document(const xmlNode *node, const xmlNode *top)
{
  const xmlNode *next = ffi_xml_child(node, NULL);
  while (!next && node != top) {
    next = ffi_xml_next(node, NULL);
    node = node->parent;
  }
  return next;
}

ff_status ffi_urdf_xacro_refuse(ffi_urdf *u)
{
  for (const xmlNode *node = u->robot; node && u->xml->status == FF_OK;
       node = next_in_document(node, u->robot)) {
    const xmlAttr *expression = find_expression(node);
    if (is_xacro(node))
      ffi_xml_fail(u->xml, FF_ERROR_UNSUPPORTED, node, "this is a xacro file, not URDF: run xacro first");
    else if (expression)
      ffi_xml_fail(u->xml, FF_ERROR_UNSUPPORTED, node,
                   "attribute '%.40s' is the xacro expression '%.80s': run xacro first",
                   (const char *)expression->name, (const char *)expression->children->content);
  }
  return u->xml->status;
}
