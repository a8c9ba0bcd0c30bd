// What is drawn of a model: links that move and carry a shape, and the shapes of all, those that do not move
// where they are in the world.
#include "study/record.h"

// touch [links]: 1: a shape collides, 0: all are seen only, -1: it has none.
static void find_touch(const ff_model *model, int *touch)
{
  const ff_model_size size = ff_model_get_size(model);
  for (int l = 0; l < size.links; ++l)
    touch[l] = -1;
  for (int i = 0; i < size.shapes; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    if (shape.link >= 0 && touch[shape.link] < 1)
      touch[shape.link] = (shape.def.purpose & FF_SHAPE_COLLISION) != 0;
  }
}

// The shapes of a link of the model, -1: of the world, which is number `at` of those that are drawn; `place`
// is where their frame is.
static void add_shapes(const ff_record *r, int link, int at, const ff_pose *place, ff_record_shape *shapes,
                       int *count)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(r->def.model, i, &shape) == FF_OK; ++i)
    if (shape.link == link)
      shapes[(*count)++] = (ff_record_shape){i, at, ff_pose_compose(place, &shape.def.pose)};
}

// Link by link, then the world's own and those of links fixed to it.
static void list_shapes(ff_record *r, ff_record_shape *shapes, int *count)
{
  const ff_pose origin = ff_pose_identity();
  ff_link_info link;
  for (int i = 0; i < r->data.link_count; ++i)
    add_shapes(r, r->data.links[i].link, i, &origin, shapes, count);
  ff_dynamics_kinematics(r->dynamics, NULL, NULL, NULL);
  add_shapes(r, -1, -1, &origin, shapes, count);
  for (int l = 0; ff_model_link(r->def.model, l, &link) == FF_OK; ++l) {
    if (link.joint >= 0)
      continue;
    double position[3], R[9];
    ff_dynamics_frame_pose(r->dynamics, link.frame, position, R);
    const ff_pose place = ff_pose_from_rotation(position, R);
    add_shapes(r, l, -1, &place, shapes, count);
  }
}

int ffi_record_links_find(ff_record *r)
{
  const ff_model_size size = ff_model_get_size(r->def.model);
  const size_t room = (size_t)size.links + 1;
  int *touch = ffi_arena_take(&r->arena, room, sizeof *touch);
  ff_record_link *links = ffi_arena_take(&r->arena, room, sizeof *links);
  ff_record_shape *shapes = ffi_arena_take(&r->arena, (size_t)size.shapes + 1, sizeof *shapes);
  r->index = ffi_arena_take(&r->arena, room, sizeof *r->index);
  if (!touch || !links || !shapes || !r->index)
    return 0;
  find_touch(r->def.model, touch);
  for (int l = 0; l < size.links; ++l) {
    ff_link_info link;
    ff_model_link(r->def.model, l, &link);
    const int is_drawn = touch[l] >= 0 && link.joint >= 0;
    r->index[l] = is_drawn ? r->data.link_count : -1;
    if (is_drawn)
      links[r->data.link_count++] =
          (ff_record_link){l, link.parent >= 0 ? r->index[link.parent] : -1, touch[l]};
  }
  r->data.links = links;
  r->data.shapes = shapes;
  list_shapes(r, shapes, &r->data.shape_count);
  return 1;
}
