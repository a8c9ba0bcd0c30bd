// What it means for the motion that a thing of MJCF is ignored: worst first.
#include "io/mjcf/mjcf.h"

#include <string.h>

// `part` is a part of how the thing is called in the list of ignored things; the first row that fits counts.
static const struct {
  const char *part, *text;
} rows[] = {
    // Bodies are not where they should be.
    {"in <deformable>", "these soft bodies are missing"},
    {"'mocap' of <body>", "these bodies stay where they are"},
    {"meshes that are not", "they touch nothing"},
    {"meshes whose points", "they touch nothing"},
    {"<flex> in <equality>", "what they hold together comes apart"},
    {"<distance> in <equality>", "what they hold together comes apart"},
    {"in <equality> of a spatial tendon", "what they hold together comes apart"},
    // Nothing drives or holds.
    {"in <actuator>", "what they drive moves as if they were switched off"},
    {"actuators ", "what they drive moves as if they were switched off"},
    {"<spatial> in <tendon>", "what they hold or drive moves freely"},
    {"<plugin>", "the forces that it makes are missing"},
    {"<extension>", "the forces that plugins make are missing"},
    {"the range of a ball joint", "these joints turn without limit"},
    // What touches.
    {"<pair> of a geom", "these geoms do not touch"},
    {"<key> of an attached", "these postures are missing"},
    {"the friction of MuJoCo between", "the smaller number counts, so they slide at another force"},
    {"friction of <pair> depends", "its first number counts in all directions"},
    {"'margin' of <pair>", "contact begins when surfaces meet, not before"},
    {"'gap' of <pair>", "contact begins when surfaces meet, not before"},
    {"in <geom>", "the forces that it makes are missing"},
    // Forces of another size.
    {"actuatorfrcrange is not symmetric", "the weaker side is too strong"},
    {"of <flag>", "what it switches off acts here"},
    {"'actuatorgroupdisable'", "actuators act that should be switched off"},
    {"'density' of <option>", "no drag and no buoyancy act"},
    {"'viscosity' of <option>", "no drag acts"},
    {"'wind' of <option>", "no wind blows"},
    {"'fluid", "no drag, lift or added mass acts"},
    {"'timeconst'", "these actuators act at once"},
    {"'o_", "contacts keep their own settings"},
    {"'actuatorgravcomp'", "carried weight does not count against the motors' limits"},
    {"'actuatorfrc", "the force on these tendons has no limit"},
    {"'armature' of <", "these tendons have no inertia of their own"},
    {"'margin' of <fixed>", "these stops act at the limit, not before"},
    {"'margin' of <tendon>", "these stops act at the limit, not before"},
    {"'margin' of <joint>", "these stops act at the limit, not before"},
    {"'margin' of <geom>", "contact begins when surfaces meet, not before"},
    {"'gap' of <geom>", "contact begins when surfaces meet, not before"},
    {"limit' of <", "these stops have the stiffness that the simulation chooses"},
    {"friction' of <", "dry friction holds as stiffly as the simulation chooses"},
    {"of <connect>", "this loop is as stiff as contacts are by default"},
    {"of <weld>", "this weld is as stiff as contacts are by default"},
    {"'sol", "this is as stiff as the simulation chooses"},
    {"'align' of", "free joints have the axes as written; the motion is the same"},
    {"'alignfree'", "free joints have the axes as written; the motion is the same"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const char *ffi_mjcf_consequence_of(const ffi_mjcf_ignored *ignored, int *rank)
{
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (strstr(ignored->what, rows[i].part)) {
      *rank = i;
      return rows[i].text;
    }
  }
  *rank = ROW_COUNT + (ignored->fate == FFI_MJCF_UNKNOWN);
  return ignored->fate == FFI_MJCF_UNKNOWN ? "not known to this reader, the motion may differ from MuJoCo's"
                                           : "the motion may differ from MuJoCo's";
}
