// Elements of XML, their attributes as checked values, and messages that name the element and its line.
#include "io/xml/xml.h"

#include "base/decimal.h"
#include "base/fail.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ffi_xml_close(ffi_xml *xml)
{
  if (xml->doc)
    xmlFreeDoc(xml->doc);
  xml->doc = NULL;
}

// ---- Elements ---------------------------------------------------------------------------------------------

int ffi_xml_line(const xmlNode *node)
{
  return node ? (int)(intptr_t)node->_private : 0;
}

// A prefix that was declared is kept in node->ns; one that was not is part of node->name. So neither matches.
int ffi_xml_is(const xmlNode *node, const char *name)
{
  return node && node->type == XML_ELEMENT_NODE && !(node->ns && node->ns->prefix) &&
         strcmp((const char *)node->name, name) == 0;
}

static xmlNode *first_from(xmlNode *node, const char *name)
{
  while (node && !(node->type == XML_ELEMENT_NODE && (!name || ffi_xml_is(node, name))))
    node = node->next;
  return node;
}

xmlNode *ffi_xml_child(const xmlNode *node, const char *name)
{
  return node ? first_from(node->children, name) : NULL;
}

xmlNode *ffi_xml_next(const xmlNode *node, const char *name)
{
  return node ? first_from(node->next, name) : NULL;
}

// ---- Attributes -------------------------------------------------------------------------------------------

const char *ffi_xml_get(const xmlNode *node, const char *attribute)
{
  if (!node)
    return NULL;
  for (const xmlAttr *a = node->properties; a; a = a->next) {
    if (!a->ns && strcmp((const char *)a->name, attribute) == 0)
      return a->children && a->children->content ? (const char *)a->children->content : "";
  }
  return NULL;
}

const char *ffi_xml_require(ffi_xml *xml, const xmlNode *node, const char *attribute)
{
  const char *text = ffi_xml_get(node, attribute);
  if (!text)
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "has no attribute '%s'", attribute);
  else if (!*text)
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "attribute '%s' is empty", attribute);
  return text && *text ? text : NULL;
}

static const char spaces[] = " \t\r\n";

// The words for what is not finite: 'i' for an infinity, 'n' for a NaN, else 0.
static char non_finite(const char *token, size_t length)
{
  char word[10] = {0};
  if (length && (*token == '+' || *token == '-'))
    ++token, --length;
  if (length >= sizeof word)
    return 0;
  for (size_t i = 0; i < length; ++i)
    word[i] = (char)(token[i] >= 'A' && token[i] <= 'Z' ? token[i] + 32 : token[i]);
  const int is_known = !strcmp(word, "inf") || !strcmp(word, "infinity") || !strcmp(word, "nan");
  return (char)(is_known ? word[0] : 0);
}

static int read_token(ffi_xml *xml, const xmlNode *node, const char *attribute, const char *token,
                      size_t length, double *out)
{
  const int shown = length > 40 ? 40 : (int)length;
  double value = 0;
  const int is_number = ffi_decimal_read(token, length, &value);
  if ((is_number && !isfinite(value)) || (!is_number && non_finite(token, length))) {
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "attribute '%s': '%.*s' is not finite", attribute, shown, token);
    return 0;
  }
  if (!is_number) {
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "attribute '%s': '%.*s' is not a number", attribute, shown,
                 token);
    return 0;
  }
  *out = value;
  return 1;
}

static void fail_count(ffi_xml *xml, const xmlNode *node, const char *attribute, int least, int count)
{
  if (least == count)
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "attribute '%s' must have %d number%s", attribute, count,
                 count == 1 ? "" : "s");
  else
    ffi_xml_fail(xml, FF_ERROR_PARSE, node, "attribute '%s' must have %d to %d numbers", attribute, least,
                 count);
}

int ffi_xml_numbers(ffi_xml *xml, const xmlNode *node, const char *attribute, int least, int count,
                    double *out)
{
  const char *at = ffi_xml_get(node, attribute);
  if (!at)
    return 0;
  int n = 0;
  for (at += strspn(at, spaces); *at; at += strspn(at, spaces)) {
    const size_t length = strcspn(at, spaces);
    double value;
    if (!read_token(xml, node, attribute, at, length, &value))
      return 0;
    if (n == count) {
      fail_count(xml, node, attribute, least, count);
      return 0;
    }
    out[n++] = value;
    at += length;
  }
  if (n < least) {
    fail_count(xml, node, attribute, least, count);
    return 0;
  }
  return n;
}

int ffi_xml_count_words(const char *text)
{
  int count = 0;
  for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
    text += strcspn(text, " \t\r\n");
    ++count;
  }
  return count;
}

int ffi_xml_is_same(const char *a, const char *b)
{
  for (;;) {
    a += strspn(a, spaces);
    b += strspn(b, spaces);
    const size_t in_a = strcspn(a, spaces), in_b = strcspn(b, spaces);
    double x, y;
    if (!in_a || !in_b)
      return in_a == in_b;
    if (ffi_decimal_read(a, in_a, &x) && ffi_decimal_read(b, in_b, &y)
            ? x != y
            : in_a != in_b || strncmp(a, b, in_a) != 0)
      return 0;
    a += in_a;
    b += in_b;
  }
}

int ffi_xml_number(ffi_xml *xml, const xmlNode *node, const char *attribute, double *out)
{
  return ffi_xml_numbers(xml, node, attribute, 1, 1, out);
}

int ffi_xml_bound(ffi_xml *xml, const xmlNode *node, const char *attribute, double *out)
{
  const char *text = ffi_xml_get(node, attribute);
  const char *token = text ? text + strspn(text, spaces) : "";
  const size_t length = strcspn(token, spaces);
  const int is_alone = token[length + strspn(token + length, spaces)] == 0;
  if (!is_alone || non_finite(token, length) != 'i')
    return ffi_xml_number(xml, node, attribute, out);
  *out = *token == '-' ? -(double)INFINITY : (double)INFINITY;
  return 1;
}

// ---- Errors -----------------------------------------------------------------------------------------------

void ffi_xml_describe(const xmlNode *node, char *out, size_t size)
{
  const xmlNode *named = node;
  while (named && named->type == XML_ELEMENT_NODE && !ffi_xml_get(named, "name"))
    named = named->parent;
  const char *name = named && named->type == XML_ELEMENT_NODE && named->parent != (xmlNode *)named->doc
                         ? ffi_xml_get(named, "name")
                         : NULL;
  if (!name)
    snprintf(out, size, "<%.40s>", (const char *)node->name);
  else if (named == node)
    snprintf(out, size, "<%.40s> '%.60s'", (const char *)node->name, name);
  else
    snprintf(out, size, "<%.40s> in <%.20s> '%.40s'", (const char *)node->name, (const char *)named->name,
             name);
}

ff_status ffi_xml_fail(ffi_xml *xml, ff_status status, const xmlNode *node, const char *format, ...)
{
  if (xml->status != FF_OK)
    return xml->status;
  char text[600];
  char thing[128] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (node && node->type == XML_ELEMENT_NODE)
    ffi_xml_describe(node, thing, sizeof thing);
  xml->status = ffi_fail(xml->error, status, xml->file, ffi_xml_line(node), thing, "%s", text);
  return xml->status;
}
