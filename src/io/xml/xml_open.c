#include "io/xml/xml.h"

#include "base/fail.h"
#include "io/text_file.h"
#include "io/xml/xml_guard.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parser is libxml2's, told to build elements and attributes only: text (unless it is asked for), comments and processing
// instructions are dropped, a DOCTYPE may be there but may declare nothing. Its hooks see a parse_state
// through ctxt->_private.

// What a document may hold. 100,000 links with 40 elements and attributes each would fit; libxml2 needs about
// 220 bytes for each of them.
enum { MAX_NODES = 4000000, MAX_DEPTH = 250, MAX_NAMESPACES = 1000 };

typedef struct parse_state {
  const char *file;
  ff_error *error;
  ff_status status;  // the first failure
  int keeps_text;    // between tags
  int nodes;         // elements and attributes so far
  int namespaces;    // declarations so far
  char encoding[40]; // that the file claims to have, "" if it claims none or UTF-8
} parse_state;

static ff_status stop(xmlParserCtxt *ctxt, ff_status status, const char *text)
{
  parse_state *state = ctxt->_private;
  if (state->status == FF_OK)
    state->status =
        ffi_fail(state->error, status, state->file, ctxt->input ? ctxt->input->line : 0, NULL, "%s", text);
  xmlStopParser(ctxt);
  return state->status;
}

static ff_status status_of(const xmlError *e)
{
  if (e->code == XML_ERR_NO_MEMORY)
    return FF_ERROR_MEMORY;
  if (e->code == XML_ERR_NAME_TOO_LONG)
    return FF_ERROR_LIMIT;
  return FF_ERROR_PARSE;
}

// Everything libxml2 has to say arrives here instead of on stderr. Namespace errors (a prefix that nobody
// declared, common in the wild) and warnings are no failures; an entity that nobody declared is one even
// where XML calls it a warning.
#if LIBXML_VERSION >= 21200
static void on_error(void *data, const xmlError *e)
#else
static void on_error(void *data, xmlError *e)
#endif
{
  parse_state *state = data;
  const int is_failure = e->code == XML_WAR_UNDECLARED_ENTITY || e->code == XML_ERR_NO_MEMORY ||
                         (e->level >= XML_ERR_ERROR && e->domain != XML_FROM_NAMESPACE);
  if (state->status != FF_OK || !is_failure)
    return;
  // Bytes that are no UTF-8 and characters that are not allowed have the same code, but not the same text.
  const int is_encoding = e->code == XML_ERR_INVALID_ENCODING ||
                          (e->code == XML_ERR_INVALID_CHAR && e->message && strstr(e->message, "UTF-8"));
  if (is_encoding && state->encoding[0]) {
    state->status = ffi_fail(state->error, FF_ERROR_PARSE, state->file, e->line, NULL,
                             "encoding %s is not supported: save the file as UTF-8", state->encoding);
    return;
  }
  const char *text = e->message ? e->message : "unknown error";
  const int length = (int)strcspn(text, "\r\n");
  state->status = ffi_fail(state->error, status_of(e), state->file, e->line, NULL,
                           "not well-formed XML: %.*s", length, text);
}

// libxml2 knows the line where a start tag ends, in 16 bits. The line where it starts is found by going back
// to its '<', which cannot occur inside the tag, and is kept in the node's _private.
static int tag_line(const xmlParserCtxt *ctxt)
{
  const xmlParserInput *input = ctxt->input;
  int line = input->line;
  for (const xmlChar *c = input->cur; c > input->base && *c != '<'; --c)
    line -= *c == '\n';
  return line < 1 ? 1 : line;
}

static void on_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int namespace_count, const xmlChar **namespaces, int attribute_count,
                       int default_count, const xmlChar **attributes)
{
  xmlParserCtxt *ctxt = ctx;
  parse_state *state = ctxt->_private;
  state->namespaces += namespace_count;
  state->nodes += 1 + attribute_count;
  if (state->nodes > MAX_NODES) {
    stop(ctxt, FF_ERROR_LIMIT, "more than 4 million elements and attributes");
    return;
  }
  if (state->namespaces > MAX_NAMESPACES) {
    stop(ctxt, FF_ERROR_LIMIT, "more than 1000 name spaces");
    return;
  }
  if (ctxt->nodeNr >= MAX_DEPTH) {
    stop(ctxt, FF_ERROR_LIMIT, "elements nested more than 250 deep");
    return;
  }
  const int line = tag_line(ctxt);
  xmlSAX2StartElementNs(ctx, name, prefix, uri, namespace_count, namespaces, attribute_count, default_count,
                        attributes);
  if (ctxt->node && !ctxt->node->_private)
    ctxt->node->_private = (void *)(intptr_t)line;
}

static const char declarations_refused[] =
    "the DOCTYPE declares entities or attributes; such declarations are not read, write their text out";

static void on_entity(void *ctx, const xmlChar *name, int type, const xmlChar *public_id,
                      const xmlChar *system_id, xmlChar *content)
{
  (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
  stop(ctx, FF_ERROR_PARSE, declarations_refused);
}

static void on_unparsed_entity(void *ctx, const xmlChar *name, const xmlChar *public_id,
                               const xmlChar *system_id, const xmlChar *notation)
{
  (void)name, (void)public_id, (void)system_id, (void)notation;
  stop(ctx, FF_ERROR_PARSE, declarations_refused);
}

static void on_attribute_declaration(void *ctx, const xmlChar *element, const xmlChar *name, int type,
                                     int kind, const xmlChar *value, xmlEnumeration *tree)
{
  (void)element, (void)name, (void)type, (void)kind, (void)value;
  xmlFreeEnumeration(tree);
  stop(ctx, FF_ERROR_PARSE, declarations_refused);
}

static void on_element_declaration(void *ctx, const xmlChar *name, int type, xmlElementContent *content)
{
  (void)name, (void)type, (void)content;
  stop(ctx, FF_ERROR_PARSE, declarations_refused);
}

static void set_hooks(xmlSAXHandler *sax, int keeps_text)
{
  sax->startElementNs = on_element;
  sax->entityDecl = on_entity;
  sax->unparsedEntityDecl = on_unparsed_entity;
  sax->attributeDecl = on_attribute_declaration;
  sax->elementDecl = on_element_declaration;
  sax->notationDecl = NULL;
  sax->internalSubset = NULL;
  sax->externalSubset = NULL;
  sax->resolveEntity = NULL;
  sax->reference = NULL;
  sax->comment = NULL;
  sax->processingInstruction = NULL;
  if (!keeps_text)
    sax->characters = NULL;
  sax->ignorableWhitespace = NULL;
  sax->cdataBlock = NULL;
}

// `length` is at most FFI_TEXT_FILE_MAX. The encoding a file claims is ignored: it must be UTF-8 (or ASCII).
static xmlDoc *parse(parse_state *state, const char *text, size_t length)
{
  const int options = XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_COMPACT | XML_PARSE_NOCDATA;
  xmlParserCtxt *ctxt = xmlNewParserCtxt();
  if (!ctxt) {
    state->status =
        ffi_fail(state->error, FF_ERROR_MEMORY, state->file, 0, NULL, "no memory for the XML parser");
    return NULL;
  }
  set_hooks(ctxt->sax, state->keeps_text);
  ctxt->_private = state;
  xmlDoc *doc = xmlCtxtReadMemory(ctxt, text, (int)length, NULL, NULL, options);
  if (state->status == FF_OK && (!doc || !ctxt->wellFormed || !xmlDocGetRootElement(doc)))
    state->status = ffi_fail(state->error, FF_ERROR_PARSE, state->file, 0, NULL, "not well-formed XML");
  xmlFreeParserCtxt(ctxt);
  if (state->status == FF_OK)
    return doc;
  xmlFreeDoc(doc);
  return NULL;
}

// The value of encoding="..." in <?xml ... ?>, unless it is UTF-8.
static void find_encoding(const char *text, size_t length, char out[40])
{
  char head[200];
  const size_t n = length < sizeof head - 1 ? length : sizeof head - 1;
  memcpy(head, text, n);
  head[n] = 0;
  out[0] = 0;
  const char *end = strstr(head, "?>"), *at = strstr(head, "<?xml") ? strstr(head, "encoding") : NULL;
  if (!at || !end || at > end)
    return;
  at += strlen("encoding");
  at += strspn(at, " \t\r\n=\"'");
  const size_t count = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");
  if (count == 0 || count >= 40 || (count == 5 && xmlStrncasecmp(BAD_CAST at, BAD_CAST "utf-8", 5) == 0))
    return;
  memcpy(out, at, count);
  out[count] = 0;
}

static void start_libxml(void)
{
  xmlInitParser();
}

static pthread_once_t libxml_once = PTHREAD_ONCE_INIT;

static ff_status open_memory(const char *file, const char *text, size_t length, int keeps_text,
                             ff_error *error, ffi_xml *out)
{
  parse_state state = {.file = file, .error = error, .status = FF_OK, .keeps_text = keeps_text};
  if (length > FFI_TEXT_FILE_MAX)
    return ffi_fail(error, FF_ERROR_LIMIT, file, 0, NULL, "larger than %d MiB", FFI_TEXT_FILE_MAX >> 20);
  state.status = ffi_xml_guard(file, text, length, error);
  if (state.status != FF_OK)
    return state.status;
  find_encoding(text, length, state.encoding);
  pthread_once(&libxml_once, start_libxml);
  // The handler that is set here is this thread's alone; libxml2 keeps one per thread.
  const xmlStructuredErrorFunc old_handler = xmlStructuredError;
  void *old_data = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(&state, on_error);
  out->doc = parse(&state, text, length);
  xmlSetStructuredErrorFunc(old_data, old_handler);
  return state.status;
}

ff_status ffi_xml_open(const char *path, const char *text, size_t length, ff_error *error, ffi_xml *out)
{
  *out = (ffi_xml){.file = path, .is_memory = text != NULL, .error = error, .status = FF_OK};
  if (text) {
    out->status = open_memory(path, text, length, 0, error, out);
    return out->status;
  }
  char *data = NULL;
  size_t size = 0;
  out->status = ffi_text_file_read(path, &data, &size, error);
  if (out->status == FF_OK)
    out->status = open_memory(path, data, size, 0, error, out);
  free(data);
  return out->status;
}

ff_status ffi_xml_open_with_text(const char *name, const char *text, size_t length, ff_error *error,
                                 ffi_xml *out)
{
  *out = (ffi_xml){.file = name, .is_memory = 1, .error = error, .status = FF_OK};
  out->status = open_memory(name, text, length, 1, error, out);
  return out->status;
}

void ffi_xml_close(ffi_xml *xml)
{
  if (xml->doc)
    xmlFreeDoc(xml->doc);
  xml->doc = NULL;
}
