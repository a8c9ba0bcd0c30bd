// Queries of a model: sizes, things by index and by name. Joints and frames are found by binary search in sorted
// tables.
#include "model/model.h"

#include <string.h>

const char *ff_model_name(const ff_model *model)
{
  return model->name;
}

ff_model_size ff_model_get_size(const ff_model *model)
{
  return model->size;
}

double ff_model_mass(const ff_model *model)
{
  return model->mass;
}

void ff_model_gravity(const ff_model *model, double gravity[3])
{
  memcpy(gravity, model->gravity, sizeof model->gravity);
}

static int is_index(int i, int count)
{
  return i >= 0 && i < count;
}

ff_status ff_model_joint(const ff_model *model, int joint, ff_joint_info *out)
{
  if (!model || !out || !is_index(joint, model->size.joints))
    return FF_ERROR_ARGUMENT;
  *out = model->joints[joint];
  return FF_OK;
}

ff_status ff_model_link(const ff_model *model, int link, ff_link_info *out)
{
  if (!model || !out || !is_index(link, model->size.links))
    return FF_ERROR_ARGUMENT;
  *out = model->links[link];
  return FF_OK;
}

ff_status ff_model_frame(const ff_model *model, int frame, ff_frame_info *out)
{
  if (!model || !out || !is_index(frame, model->size.frames))
    return FF_ERROR_ARGUMENT;
  const ffi_frame *f = &model->frames[frame];
  *out = (ff_frame_info){.name = f->name, .joint = f->body - 1, .link = f->link};
  return FF_OK;
}

ff_status ff_model_shape(const ff_model *model, int shape, ff_shape_info *out)
{
  if (!model || !out || !is_index(shape, model->size.shapes))
    return FF_ERROR_ARGUMENT;
  *out = model->shapes[shape];
  return FF_OK;
}

ff_status ff_model_actuator(const ff_model *model, int actuator, ff_actuator_info *out)
{
  if (!model || !out || !is_index(actuator, model->size.actuators))
    return FF_ERROR_ARGUMENT;
  *out = model->actuators[actuator];
  return FF_OK;
}

ff_status ff_model_tendon(const ff_model *model, int tendon, ff_tendon_info *out)
{
  if (!model || !out || !is_index(tendon, model->size.tendons))
    return FF_ERROR_ARGUMENT;
  *out = model->tendons[tendon];
  return FF_OK;
}

ff_status ff_model_element(const ff_model *model, int element, ff_element_def *out)
{
  if (!model || !out || !is_index(element, model->size.elements))
    return FF_ERROR_ARGUMENT;
  *out = model->elements[element];
  return FF_OK;
}

ff_status ff_model_exclusion(const ff_model *model, int exclusion, int links[2])
{
  if (!model || !links || !is_index(exclusion, model->size.exclusions))
    return FF_ERROR_ARGUMENT;
  memcpy(links, model->exclusions[exclusion], sizeof model->exclusions[exclusion]);
  return FF_OK;
}

ff_status ff_model_pair(const ff_model *model, int pair, ff_shape_pair *out)
{
  if (!model || !out || !is_index(pair, model->size.pairs))
    return FF_ERROR_ARGUMENT;
  *out = model->pairs[pair];
  return FF_OK;
}

ff_parent_rule ff_model_parent_rule(const ff_model *model)
{
  return model ? model->parent_rule : FF_PARENT_SPARED;
}

int ff_model_find_joint(const ff_model *model, const char *name)
{
  for (int low = 0, high = model->size.joints; name && low < high;) {
    const int middle = low + (high - low) / 2, joint = model->joints_by_name[middle];
    const int order = strcmp(model->joints[joint].name, name);
    if (order == 0)
      return joint;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int ff_model_find_frame(const ff_model *model, const char *name)
{
  for (int low = 0, high = model->size.frames; name && low < high;) {
    const int middle = low + (high - low) / 2, frame = model->frames_by_name[middle];
    const int order = strcmp(model->frames[frame].name, name);
    if (order == 0)
      return frame;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int ff_model_find_link(const ff_model *model, const char *name)
{
  const int frame = ff_model_find_frame(model, name); // link i is frame i + 1
  return frame >= 1 && frame <= model->size.links ? frame - 1 : -1;
}

int ff_model_find_element(const ff_model *model, const char *name)
{
  for (int i = 0; name && i < model->size.elements; ++i)
    if (model->elements[i].name && strcmp(model->elements[i].name, name) == 0)
      return i;
  return -1;
}

int ff_model_find_tendon(const ff_model *model, const char *name)
{
  for (int i = 0; name && i < model->size.tendons; ++i)
    if (strcmp(model->tendons[i].name, name) == 0)
      return i;
  return -1;
}

int ff_model_find_posture(const ff_model *model, const char *name)
{
  for (int i = 0; name && i < model->size.postures; ++i)
    if (strcmp(model->postures[i].name, name) == 0)
      return i;
  return -1;
}

const char *ff_model_warning(const ff_model *model, int warning)
{
  return is_index(warning, model->size.warnings) ? model->warnings[warning] : NULL;
}

const double *ff_model_posture(const ff_model *model, int posture)
{
  return is_index(posture, model->size.postures) ? model->postures[posture].q : NULL;
}

const char *ff_model_posture_name(const ff_model *model, int posture)
{
  return is_index(posture, model->size.postures) ? model->postures[posture].name : NULL;
}
