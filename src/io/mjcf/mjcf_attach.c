// <attach> of MJCF: see mjcf_attach.h. Names get the prefix, and so does what refers to them; the outermost class
// of the model becomes a class of its own, with MuJoCo's settings; elements that refer to what is not attached stay
// behind.
#include "io/mjcf/mjcf_attach.h"

#include "io/mjcf/mjcf_reference.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ELEMENTS = 1000000, MOST_LEVELS = 100, ROOM = 2 * FF_MAX_NAME + 16 };

static const ffi_mjcf_word attach_words[] = {{"model", FFI_MJCF_READ, NULL},
                                             {"body", FFI_MJCF_READ, NULL},
                                             {"prefix", FFI_MJCF_READ, NULL},
                                             {NULL, FFI_MJCF_READ, NULL}};

int ffi_mjcf_attach_is_source(const ffi_mjcf_file *file)
{
  while (file->include)
    file = ffi_mjcf_include_file(file->include);
  return file->part && file->part->asked;
}

int ffi_mjcf_attach_is_part(const xmlNode *node)
{
  return ffi_mjcf_include_file(node)->part != NULL;
}

const ffi_mjcf_compiler *ffi_mjcf_attach_compiler(const ffi_mjcf *m, const xmlNode *node)
{
  const ffi_mjcf_attach_part *part = node ? ffi_mjcf_include_file(node)->part : NULL;
  return part ? &part->compiler : &m->compiler;
}

// ---- Sources --------------------------------------------------------------------------------------------------------

// The elements of one section of a source, all sections of that name: the first and the next after one.
static const xmlNode *next_section(const ffi_mjcf *m, const xmlNode *section, const char *name)
{
  while (section && !ffi_xml_is(section, name))
    section = ffi_mjcf_include_next(m, section);
  return section;
}

static const xmlNode *first_section(const ffi_mjcf *m, const ffi_mjcf_file *source, const char *name)
{
  return next_section(m, ffi_mjcf_include_child(m, xmlDocGetRootElement(source->xml.doc)), name);
}

// Folders of meshes are relative to the model's own file.
static void set_folder(ffi_mjcf *m, const ffi_mjcf_file *source, ffi_mjcf_compiler *c)
{
  const char *meshes = c->mesh_folder ? c->mesh_folder : c->asset_folder ? c->asset_folder : "";
  const char *slash = strrchr(source->name, '/');
  const size_t length = slash && *meshes != '/' ? (size_t)(slash - source->name) + 1 : 0;
  char *folder = ffi_arena_take(&m->arena, length + strlen(meshes) + 1, 1);
  if (!folder) {
    ffi_mjcf_no_memory(m);
    return;
  }
  memcpy(folder, source->name, length);
  strcpy(folder + length, meshes);
  c->mesh_folder = folder;
}

static void read_compiler(ffi_mjcf *m, ffi_mjcf_file *source)
{
  const ffi_mjcf_compiler own = m->compiler; // not read yet: MuJoCo's settings
  const xmlNode *section = first_section(m, source, "compiler");
  for (; section && !ffi_mjcf_failed(m);
       section = next_section(m, ffi_mjcf_include_next(m, section), "compiler"))
    ffi_mjcf_compiler_read(m, section);
  source->part->compiler = m->compiler;
  m->compiler = own;
  set_folder(m, source, &source->part->compiler);
}

static ffi_mjcf_file *open_source(ffi_mjcf *m, const xmlNode *model)
{
  for (ffi_mjcf_file *f = m->main_file.next; f; f = f->next)
    if (f->part && f->part->asked == model)
      return f;
  ffi_mjcf_file *file = ffi_mjcf_include_open_file(m, model);
  if (!file)
    return NULL;
  const xmlNode *root = xmlDocGetRootElement(file->xml.doc);
  if (!ffi_xml_is(root, "mujoco"))
    ffi_mjcf_fail(m, FF_ERROR_UNSUPPORTED, root, "is no MJCF: <attach> takes nothing else");
  file->part = ffi_arena_take(&m->arena, 1, sizeof *file->part);
  if (!file->part) {
    ffi_mjcf_no_memory(m);
    return NULL;
  }
  file->part->asked = model;
  if (!ffi_mjcf_failed(m))
    read_compiler(m, file);
  return file;
}

// The <model> of a name in the files that are walked, or NULL.
static const xmlNode *find_model(const ffi_mjcf *m, const char *name)
{
  for (const ffi_mjcf_file *f = &m->main_file; f; f = f->next) {
    if (ffi_mjcf_attach_is_source(f))
      continue;
    const xmlNode *section = ffi_xml_child(xmlDocGetRootElement(f->xml.doc), "asset");
    for (; section; section = ffi_xml_next(section, "asset"))
      for (const xmlNode *model = ffi_xml_child(section, "model"); model;
           model = ffi_xml_next(model, "model")) {
        const char *other = ffi_xml_get(model, "name"), *file = ffi_xml_get(model, "file");
        if (other ? strcmp(other, name) == 0 : file && strncmp(file, name, strlen(name)) == 0)
          return model;
      }
  }
  return NULL;
}

static const xmlNode *find_body(const ffi_mjcf *m, const xmlNode *parent, const char *name)
{
  const xmlNode *node = ffi_mjcf_include_child(m, parent), *found = NULL;
  for (; node && !found; node = ffi_mjcf_include_next(m, node)) {
    const char *own = ffi_xml_is(node, "body") ? ffi_mjcf_value_text(node, "name") : NULL;
    if (own && strcmp(own, name) == 0)
      found = node;
    else if (ffi_xml_is(node, "body") || ffi_xml_is(node, "frame"))
      found = find_body(m, node, name);
  }
  return found;
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

typedef struct work {
  ffi_mjcf *m;
  const xmlNode *node; // <attach>
  ffi_mjcf_file *source;
  const char *prefix;
  char class[ROOM];                          // the outermost class of the model
  ffi_names names[FFI_MJCF_REFERENCE_KINDS]; // of what is attached, without the prefix
  int level;
} work;

static void put_attribute(work *w, xmlNode *node, const char *name, const char *text)
{
  if (!xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)text))
    ffi_mjcf_no_memory(w->m);
}

static void put_prefixed(work *w, xmlNode *node, const char *attribute, const char *text)
{
  char name[ROOM];
  if (strlen(text) + strlen(w->prefix) > FF_MAX_NAME)
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, w->node,
                  "attribute '%s' of <%.40s> is longer than %d bytes with the prefix", attribute,
                  (const char *)node->name, FF_MAX_NAME);
  if (ffi_mjcf_failed(w->m))
    return;
  snprintf(name, sizeof name, "%s%s", w->prefix, text);
  put_attribute(w, node, attribute, name);
}

static void put_class(work *w, xmlNode *node, const char *attribute, const char *class)
{
  if (!class || strcmp(class, "main") == 0)
    put_attribute(w, node, attribute, w->class);
  else
    put_prefixed(w, node, attribute, class);
}

// Names and references of one element.
static void rename_one(work *w, xmlNode *node)
{
  static const char *const others[] = {"name", "mesh", "hfield", "material", "texture", "model"};
  const int is_attach = ffi_xml_is(node, "attach");
  for (int i = 0; i < FFI_MJCF_REFERENCES && !is_attach; ++i) {
    const char *attribute = ffi_mjcf_reference_list[i].attribute,
               *text = ffi_mjcf_value_text(node, attribute);
    if (text && !(ffi_mjcf_reference_list[i].kind == FFI_MJCF_REFERENCE_BODY && strcmp(text, "world") == 0))
      put_prefixed(w, node, attribute, text);
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (ffi_mjcf_value_text(node, others[i]))
      put_prefixed(w, node, others[i], ffi_mjcf_value_text(node, others[i]));
  if (is_attach) {
    const char *inner = ffi_xml_get(node, "prefix");
    put_prefixed(w, node, "prefix", inner ? inner : "");
  }
  if (ffi_mjcf_value_text(node, "class"))
    put_class(w, node, "class", ffi_mjcf_value_text(node, "class"));
  if (ffi_mjcf_value_text(node, "childclass"))
    put_class(w, node, "childclass", ffi_mjcf_value_text(node, "childclass"));
}

static xmlNode *add_element(work *w, xmlNode *to, const char *name)
{
  xmlNode *node = xmlNewDocNode(to->doc, NULL, (const xmlChar *)name, NULL);
  if (!node) {
    ffi_mjcf_no_memory(w->m);
    return NULL;
  }
  xmlAddChild(to, node);
  node->_private = w->node->_private;
  return node;
}

// An element with its attributes, renamed, but without what is in it.
static xmlNode *copy_one(work *w, const xmlNode *from, xmlNode *to)
{
  xmlNode *copy = xmlDocCopyNode((xmlNode *)(uintptr_t)from, to->doc, 2);
  if (!copy) {
    ffi_mjcf_no_memory(w->m);
    return NULL;
  }
  xmlAddChild(to, copy);
  copy->_private = from->_private;
  if (++w->m->copies > MOST_ELEMENTS)
    ffi_mjcf_fail(w->m, FF_ERROR_LIMIT, w->node, "makes more than %d elements", MOST_ELEMENTS);
  if (!ffi_mjcf_failed(w->m))
    rename_one(w, copy);
  return ffi_mjcf_failed(w->m) ? NULL : copy;
}

static xmlNode *copy_tree(work *w, const xmlNode *from, xmlNode *to)
{
  xmlNode *copy = ffi_mjcf_include_enter(w->m, from) ? copy_one(w, from, to) : NULL;
  const xmlNode *child = ffi_mjcf_include_child(w->m, from);
  for (; copy && child && !ffi_mjcf_failed(w->m); child = ffi_mjcf_include_next(w->m, child))
    copy_tree(w, child, copy);
  ffi_mjcf_include_leave(w->m);
  return copy;
}

// A document of the attached model, in place of `include`.
static xmlNode *add_document(work *w, xmlNode *include)
{
  ffi_mjcf *m = w->m;
  ffi_mjcf_file *file = ffi_arena_take(&m->arena, 1, sizeof *file);
  ffi_mjcf_attach_part *part = ffi_arena_take(&m->arena, 1, sizeof *part);
  xmlDoc *doc = include && file && part ? xmlNewDoc((const xmlChar *)"1.0") : NULL;
  xmlNode *root = doc ? xmlNewDocNode(doc, NULL, (const xmlChar *)"mujocoinclude", NULL) : NULL;
  if (!root) {
    xmlFreeDoc(doc);
    ffi_mjcf_no_memory(m);
    return NULL;
  }
  xmlDocSetRootElement(doc, root);
  root->_private = w->node->_private;
  file->xml = w->source->xml;
  file->xml.doc = doc;
  file->include = include;
  file->name = w->source->name;
  part->compiler = w->source->part->compiler;
  file->part = part;
  doc->_private = file;
  ffi_mjcf_include_append(m, file);
  return root;
}

// ---- What refers to the bodies --------------------------------------------------------------------------------------

static void remember(work *w, ffi_mjcf_reference_kind kind, const xmlNode *node)
{
  const char *name = ffi_mjcf_value_text(node, "name");
  if (!name || ffi_names_find(&w->names[kind], name) >= 0)
    return;
  if (ffi_names_reserve(&w->names[kind]))
    ffi_names_put(&w->names[kind], name, 0);
  else
    ffi_mjcf_no_memory(w->m);
}

// Also names of a <replicate>, which stand for those of its copies.
static void collect(work *w, const xmlNode *node)
{
  const ffi_mjcf_reference_kind kind = ffi_mjcf_reference_kind_of((const char *)node->name);
  if (kind < FFI_MJCF_REFERENCE_KINDS)
    remember(w, kind, node);
  const xmlNode *child = ffi_mjcf_include_child(w->m, node);
  for (; child && !ffi_mjcf_failed(w->m); child = ffi_mjcf_include_next(w->m, child))
    collect(w, child);
}

// Is all that an element refers to attached?
static int is_complete(const work *w, const xmlNode *node)
{
  for (int i = 0; i < FFI_MJCF_REFERENCES; ++i) {
    const char *name = ffi_mjcf_value_text(node, ffi_mjcf_reference_list[i].attribute);
    const ffi_mjcf_reference_kind kind = ffi_mjcf_reference_list[i].kind;
    if (name && !(kind == FFI_MJCF_REFERENCE_BODY && strcmp(name, "world") == 0) &&
        ffi_names_find(&w->names[kind], name) < 0)
      return 0;
  }
  const xmlNode *child = ffi_mjcf_include_child(w->m, node);
  for (; child; child = ffi_mjcf_include_next(w->m, child))
    if (!is_complete(w, child))
      return 0;
  return 1;
}

// An element of a section that says what it starts from.
static void copy_element(work *w, const xmlNode *element, xmlNode *to)
{
  static const char *const without[] = {"exclude", "model", "texture", "skin", NULL};
  const char *file =
      ffi_xml_is(element, "mesh") || ffi_xml_is(element, "hfield") ? ffi_xml_get(element, "file") : NULL;
  xmlNode *copy = copy_tree(w, element, to);
  int has_class = !ffi_xml_is(element, "hfield");
  for (int i = 0; without[i]; ++i)
    has_class &= !ffi_xml_is(element, without[i]);
  if (copy && has_class && !ffi_mjcf_value_text(element, "class"))
    put_attribute(w, copy, "class", w->class);
  if (copy && file && !ffi_mjcf_value_text(element, "name"))
    put_prefixed(w, copy, "name", ffi_mjcf_asset_name_of_file(w->m, file));
}

static void copy_section(work *w, const xmlNode *section, xmlNode *to)
{
  xmlNode *copy = copy_one(w, section, to);
  const int is_tendon = ffi_xml_is(section, "tendon"), is_asset = ffi_xml_is(section, "asset");
  const xmlNode *element = ffi_mjcf_include_child(w->m, section);
  for (; copy && element && !ffi_mjcf_failed(w->m); element = ffi_mjcf_include_next(w->m, element)) {
    if (!is_asset && !is_complete(w, element))
      continue;
    if (is_tendon)
      remember(w, FFI_MJCF_REFERENCE_TENDON, element);
    copy_element(w, element, copy);
  }
}

// The outermost class is there even if the model has no <default>.
static void copy_sections(work *w, xmlNode *to)
{
  static const char *const names[] = {"asset", "tendon", "contact", "equality", "actuator"};
  ffi_mjcf *m = w->m;
  xmlNode *first = add_element(w, to, "default");
  if (first)
    put_attribute(w, first, "class", w->class);
  const xmlNode *section = first_section(m, w->source, "default");
  for (; section && !ffi_mjcf_failed(m);
       section = next_section(m, ffi_mjcf_include_next(m, section), "default")) {
    xmlNode *copy = copy_tree(w, section, to);
    if (copy)
      put_attribute(w, copy, "class", w->class);
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    for (section = first_section(m, w->source, names[i]); section && !ffi_mjcf_failed(m);
         section = next_section(m, ffi_mjcf_include_next(m, section), names[i]))
      copy_section(w, section, to);
  for (section = first_section(m, w->source, "keyframe"); section && !ffi_mjcf_failed(m);
       section = next_section(m, ffi_mjcf_include_next(m, section), "keyframe"))
    if (ffi_mjcf_include_child(m, section))
      ffi_mjcf_ignored_add(m, ffi_mjcf_include_child(m, section), FFI_MJCF_PHYSICS,
                           "<key> of an attached model");
}

// ---- <attach> -------------------------------------------------------------------------------------------------------

// The class that holds around a body, as the model has it.
static const char *class_around(const xmlNode *node)
{
  const char *class = NULL;
  for (node = ffi_mjcf_include_parent(node); node && !class; node = ffi_mjcf_include_parent(node))
    class = ffi_mjcf_value_text(node, "childclass");
  return class;
}

static void copy_bodies(work *w, const xmlNode *body, xmlNode *to)
{
  xmlNode *frame = add_element(w, to, "frame");
  if (!frame)
    return;
  put_class(w, frame, "childclass", body ? class_around(body) : NULL);
  if (body) {
    collect(w, body);
    copy_tree(w, body, frame);
    return;
  }
  const xmlNode *world = first_section(w->m, w->source, "worldbody");
  for (; world; world = next_section(w->m, ffi_mjcf_include_next(w->m, world), "worldbody")) {
    collect(w, world);
    const xmlNode *node = ffi_mjcf_include_child(w->m, world);
    for (; node && !ffi_mjcf_failed(w->m); node = ffi_mjcf_include_next(w->m, node))
      copy_tree(w, node, frame);
  }
}

static const xmlNode *find_attached(work *w, const char *name)
{
  const xmlNode *body = NULL, *world = first_section(w->m, w->source, "worldbody");
  for (; world && !body; world = next_section(w->m, ffi_mjcf_include_next(w->m, world), "worldbody"))
    body = find_body(w->m, world, name);
  if (!body)
    ffi_mjcf_fail(w->m, FF_ERROR_MODEL, w->node, "there is no body '%.100s' in '%.200s'", name,
                  w->source->xml.file);
  return body;
}

// Puts the bodies in place of the <attach>, and the rest at the end of the main file.
static void copy_model(work *w)
{
  ffi_mjcf *m = w->m;
  xmlNode *place = (xmlNode *)(uintptr_t)w->node;
  const char *name = ffi_mjcf_value_text(w->node, "body");
  const xmlNode *body = name ? find_attached(w, name) : NULL;
  if (ffi_mjcf_failed(m))
    return;
  xmlNode *bodies = add_document(w, place);
  if (bodies)
    copy_bodies(w, body, bodies);
  xmlNode *rest =
      ffi_mjcf_failed(m) ? NULL : add_element(w, xmlDocGetRootElement(m->main_file.xml.doc), "include");
  xmlNode *sections = rest ? add_document(w, rest) : NULL;
  if (sections)
    copy_sections(w, sections);
  xmlNodeSetName(place,
                 (const xmlChar *)"include"); // its attributes are those of <attach>, and not read any more
}

static int level_of(const xmlNode *node)
{
  int level = 0;
  for (const ffi_mjcf_file *f = ffi_mjcf_include_file(node); f->include;
       f = ffi_mjcf_include_file(f->include))
    level += f->part != NULL;
  return level;
}

static void expand(ffi_mjcf *m, const xmlNode *node)
{
  const char *name = ffi_xml_require(ffi_mjcf_at(m, node), node, "model");
  const char *prefix = ffi_xml_get(node, "prefix");
  work w = {.m = m, .node = node, .prefix = prefix ? prefix : ""};
  ffi_mjcf_ignored_check(m, node, attach_words);
  if (ffi_xml_child(node, NULL))
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "must be empty");
  if (ffi_mjcf_failed(m))
    return;
  const xmlNode *model = find_model(m, name);
  if (!model)
    ffi_mjcf_fail(m, FF_ERROR_MODEL, node, "there is no <model> '%.100s' in <asset>", name);
  else if (level_of(node) > MOST_LEVELS)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "models that attach models, more than %d levels", MOST_LEVELS);
  else if (strlen(w.prefix) + strlen(name) > FF_MAX_NAME)
    ffi_mjcf_fail(m, FF_ERROR_LIMIT, node, "attribute 'prefix' is longer than %d bytes", FF_MAX_NAME);
  else
    w.source = open_source(m, model);
  if (ffi_mjcf_failed(m))
    return;
  snprintf(w.class, sizeof w.class, *w.prefix ? "%smain" : "main of %s", *w.prefix ? w.prefix : name);
  copy_model(&w);
  for (int kind = 0; kind < FFI_MJCF_REFERENCE_KINDS; ++kind)
    ffi_names_free(&w.names[kind]);
}

static void expand_inside(ffi_mjcf *m, const xmlNode *parent, int depth)
{
  if (depth > FFI_MJCF_MAX_DEPTH)
    return; // told of where it is read
  for (const xmlNode *node = ffi_xml_child(parent, NULL), *next; node && !ffi_mjcf_failed(m); node = next) {
    next = ffi_xml_next(node, NULL);
    if (ffi_xml_is(node, "attach"))
      expand(m, node);
    else
      expand_inside(m, node, depth + 1);
  }
}

// What is attached joins the end of the list, so what it attaches is found too.
void ffi_mjcf_attach_expand(ffi_mjcf *m)
{
  for (ffi_mjcf_file *f = &m->main_file; f && !ffi_mjcf_failed(m); f = f->next)
    if (!ffi_mjcf_attach_is_source(f))
      expand_inside(m, xmlDocGetRootElement(f->xml.doc), 0);
}
