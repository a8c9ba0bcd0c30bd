/// xml.h: reading XML with line numbers, on libxml2.
///
/// A document is parsed with entities not expanded, no network, and libxml2's own limits on nesting and size
/// left on. Elements are libxml2's own (xmlNode); the functions here read their attributes with checked
/// conversions and precise errors. Each reader function takes an ffi_xml, which knows the file's name and
/// where errors go; after the first failure its `status` is set and stays set, so a caller may read several
/// attributes and check once.
#ifndef FFI_IO_XML_H
#define FFI_IO_XML_H

#include <footfall/status.h>

#include <libxml/tree.h>
#include <stddef.h>

typedef struct ffi_xml {
  const char *file; ///< for messages
  int is_memory;    ///< not read from `file`: relative paths start in the working folder
  xmlDoc *doc;
  ff_error *error;  ///< may be NULL
  ff_status status; ///< FF_OK until the first failure
} ffi_xml;

/// Parse a file, or memory (text != NULL). On failure nothing is left to free.
ff_status ffi_xml_open(const char *path, const char *text, size_t length, ff_error *error, ffi_xml *out);
/// The same from memory, and text between tags is kept.
ff_status ffi_xml_open_with_text(const char *name, const char *text, size_t length, ff_error *error,
                                 ffi_xml *out);
void ffi_xml_close(ffi_xml *xml);

int ffi_xml_line(const xmlNode *node);
int ffi_xml_is(const xmlNode *node, const char *name);         ///< an element of that name?
xmlNode *ffi_xml_child(const xmlNode *node, const char *name); ///< first child element, any name if NULL
xmlNode *ffi_xml_next(const xmlNode *node, const char *name);  ///< next sibling element, any name if NULL

/// An attribute's text inside the document (valid until close), NULL if it is absent.
const char *ffi_xml_get(const xmlNode *node, const char *attribute);

/// Fail unless present and not empty.
const char *ffi_xml_require(ffi_xml *xml, const xmlNode *node, const char *attribute);

/// Up to `count` finite numbers separated by white space, at least `least`. Absent: `out` is untouched and 0
/// is returned. Returns how many were read; fails on malformed or infinite numbers, and on too many or too
/// few.
int ffi_xml_numbers(ffi_xml *xml, const xmlNode *node, const char *attribute, int least, int count,
                    double *out);

/// How many words a text has.
int ffi_xml_count_words(const char *text);

/// Are two texts equal word by word, numbers by value ("1.0" is "1")?
int ffi_xml_is_same(const char *a, const char *b);

/// One finite number; absent: out untouched, 0 returned.
int ffi_xml_number(ffi_xml *xml, const xmlNode *node, const char *attribute, double *out);

/// One number that may be infinite ("inf", "-Infinity"); absent: out untouched, 0 returned. NaN is refused.
int ffi_xml_bound(ffi_xml *xml, const xmlNode *node, const char *attribute, double *out);

/// A node in words, for messages: "<joint> 'hip'", or for one without a name "<axis> in <joint> 'hip'".
void ffi_xml_describe(const xmlNode *node, char *out, size_t size);

/// Record a failure at a node: "file:line: <element> 'name': text". Keeps the first one. Returns its status.
ff_status ffi_xml_fail(ffi_xml *xml, ff_status status, const xmlNode *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
