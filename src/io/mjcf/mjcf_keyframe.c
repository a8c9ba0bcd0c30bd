// <keyframe> of MJCF: postures of the model.
#include "io/mjcf/mjcf.h"

#include "math/quaternion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ffi_mjcf_word key_words[] = {
    {"name", FFI_MJCF_READ, NULL},    {"qpos", FFI_MJCF_READ, NULL},     {"time", FFI_MJCF_QUIET, NULL},
    {"qvel", FFI_MJCF_SETTING, NULL}, {"act", FFI_MJCF_SETTING, NULL},   {"ctrl", FFI_MJCF_SETTING, NULL},
    {"mpos", FFI_MJCF_SETTING, NULL}, {"mquat", FFI_MJCF_SETTING, NULL}, {NULL, FFI_MJCF_READ, NULL},
};

// MuJoCo's coordinates of one joint, quaternion w x y z, to ours.
int ffi_mjcf_keyframe_convert(const ffi_mjcf_joint *joint, const double *qpos, double q[7])
{
  const int has_position = joint->type == FFI_MJCF_FREE;
  if (joint->type != FFI_MJCF_FREE && joint->type != FFI_MJCF_BALL) {
    q[0] = qpos[0];
    return 1;
  }
  for (int i = 0; i < 3 && has_position; ++i)
    q[i] = qpos[i];
  const double *w = qpos + (has_position ? 3 : 0);
  double *out = q + (has_position ? 3 : 0);
  const double xyzw[4] = {w[1], w[2], w[3], w[0]};
  memcpy(out, xyzw, sizeof xyzw);
  return has_position ? 7 : 4;
}

// MuJoCo's qpos0: the pose as written, each coordinate at its ref.
void ffi_mjcf_keyframe_reference(const ffi_mjcf *m, double *qpos)
{
  for (int i = 0; i < m->joint_count; ++i) {
    const ffi_mjcf_joint *joint = &m->joints[i];
    const ff_pose *pose = &m->bodies[joint->body].pose;
    const double *q = pose->quaternion;
    if (joint->type == FFI_MJCF_FREE) {
      const double free_q[7] = {
          pose->position[0], pose->position[1], pose->position[2], q[3], q[0], q[1], q[2]};
      memcpy(qpos, free_q, sizeof free_q);
      qpos += 7;
    } else if (joint->type == FFI_MJCF_BALL) {
      const double ball_q[4] = {1, 0, 0, 0};
      memcpy(qpos, ball_q, sizeof ball_q);
      qpos += 4;
    } else {
      *qpos++ = joint->ref;
    }
  }
}

// The first joint whose quaternion is zero, and so no orientation; -1 if there is none.
static int find_zero_quaternion(const ffi_mjcf *m, const double *qpos)
{
  for (int i = 0; i < m->joint_count; ++i) {
    double q[7], unit[4];
    const int count = ffi_mjcf_keyframe_convert(&m->joints[i], qpos, q);
    if (count >= 4 && !ffi_quat_normalize(q + count - 4, unit))
      return i;
    qpos += count;
  }
  return -1;
}

// Of the right length? An empty model is usually a part of one.
static void check_length(ffi_mjcf *m, const xmlNode *node)
{
  const char *text = ffi_xml_get(node, "qpos");
  const int count = text ? ffi_xml_count_words(text) : 0;
  if (!text || count == m->nq)
    return;
  if (m->nq == 0)
    ffi_mjcf_fail(
        m, FF_ERROR_PARSE, node,
        "attribute 'qpos' has %d numbers, but there are no joints: this file seems to be a part of a robot, "
        "so load the file that includes it",
        count);
  else
    ffi_mjcf_fail(m, FF_ERROR_PARSE, node,
                  "attribute 'qpos' must have %d number%s, as many as the joints have coordinates, not %d",
                  m->nq, m->nq == 1 ? "" : "s", count);
}

void ffi_mjcf_keyframe_first(ffi_mjcf *m, double *qpos)
{
  const xmlNode *root = xmlDocGetRootElement(m->xml->doc), *node = NULL;
  const xmlNode *section = ffi_mjcf_include_child(m, root);
  for (; section && !node; section = ffi_mjcf_include_next(m, section)) {
    if (ffi_xml_is(section, "keyframe"))
      node = ffi_mjcf_include_child(m, section);
  }
  ffi_mjcf_keyframe_reference(m, qpos);
  if (!node)
    return;
  check_length(m, node);
  ffi_mjcf_value_numbers(m, node, "qpos", m->nq, m->nq, qpos);
  if (find_zero_quaternion(m, qpos) >= 0) // it is left out
    ffi_mjcf_keyframe_reference(m, qpos);
}

static void set_posture(ffi_mjcf *m, const char *name, const double *qpos)
{
  for (int i = 0; i < m->joint_count && !ffi_mjcf_failed(m); ++i) {
    double q[7];
    const int count = ffi_mjcf_keyframe_convert(&m->joints[i], qpos, q);
    qpos += count;
    m->xml->status = ff_builder_set_posture(m->builder, name, m->joints[i].link, q, count, m->xml->error);
  }
}

static void warn_of_zero_quaternion(ffi_mjcf *m, const xmlNode *node, const char *key, int joint)
{
  char text[400];
  snprintf(text, sizeof text,
           "keyframe '%.80s' is left out: the quaternion of joint '%.80s' in its qpos is zero", key,
           m->joints[joint].name);
  ffi_mjcf_ignored_warn_at(m, ffi_mjcf_file_of(node), ffi_xml_line(node), text);
}

static void read_key(ffi_mjcf *m, const xmlNode *node, double *qpos)
{
  const char *name = ffi_mjcf_value_text(node, "name");
  ffi_mjcf_ignored_check(m, node, key_words);
  ffi_mjcf_keyframe_reference(m, qpos);
  check_length(m, node);
  ffi_mjcf_value_numbers(m, node, "qpos", m->nq, m->nq, qpos);
  if (!name && !ffi_mjcf_failed(m))
    name = ffi_mjcf_name_unique(m, &m->key_names, "key%d", m->key_count);
  ++m->key_count;
  if (ffi_mjcf_failed(m))
    return;
  const int zero = find_zero_quaternion(m, qpos);
  ffi_mjcf_build_source(m, node);
  if (zero < 0)
    set_posture(m, name, qpos);
  else
    warn_of_zero_quaternion(m, node, name, zero);
}

// Given names are remembered before any is generated.
void ffi_mjcf_keyframe_remember(ffi_mjcf *m, const xmlNode *section)
{
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node)) {
    if (!ffi_xml_is(node, "key"))
      ffi_mjcf_fail(m, FF_ERROR_PARSE, node, "is not an element of <keyframe>");
    else
      ffi_mjcf_name_remember(m, &m->key_names, node, ffi_mjcf_value_text(node, "name"), 0);
  }
}

void ffi_mjcf_keyframe_read(ffi_mjcf *m, const xmlNode *section)
{
  double *qpos = malloc(sizeof *qpos * (size_t)(m->nq + 1));
  if (!qpos) {
    ffi_mjcf_no_memory(m);
    return;
  }
  const xmlNode *node = ffi_mjcf_include_child(m, section);
  for (; node && !ffi_mjcf_failed(m); node = ffi_mjcf_include_next(m, node))
    read_key(m, node, qpos);
  free(qpos);
}

void ffi_mjcf_keyframe_add_reference(ffi_mjcf *m)
{
  int has_reference = 0;
  for (int i = 0; i < m->joint_count; ++i)
    has_reference |= m->joints[i].ref != 0;
  if (!has_reference || ffi_names_find(&m->key_names, "qpos0") >= 0)
    return;
  double *qpos = malloc(sizeof *qpos * (size_t)(m->nq + 1));
  if (qpos) {
    ffi_mjcf_keyframe_reference(m, qpos);
    set_posture(m, "qpos0", qpos);
  } else {
    ffi_mjcf_no_memory(m);
  }
  free(qpos);
}
