/// footfall.h: all of Footfall in one line.
///
/// Everything here is in the library footfall, which needs libc and libm only, except files.h, load.h, log.h,
/// log_record.h, propose.h, save.h, scene_load.h and trajectory.h: their functions are in footfall_io, which needs libxml2, libyaml and
/// libhdf5. A program that reads no files need not link it.
#ifndef FOOTFALL_FOOTFALL_H
#define FOOTFALL_FOOTFALL_H

#include <footfall/builder.h>
#include <footfall/c2a.h>
#include <footfall/compare.h>
#include <footfall/contact.h>
#include <footfall/control.h>
#include <footfall/control_feedback.h>
#include <footfall/control_gait.h>
#include <footfall/control_reference.h>
#include <footfall/controller.h>
#include <footfall/controls.h>
#include <footfall/cut.h>
#include <footfall/dynamics.h>
#include <footfall/element.h>
#include <footfall/ess.h>
#include <footfall/files.h>
#include <footfall/hard.h>
#include <footfall/impact.h>
#include <footfall/load.h>
#include <footfall/log.h>
#include <footfall/log_record.h>
#include <footfall/model.h>
#include <footfall/ode.h>
#include <footfall/option.h>
#include <footfall/parameters.h>
#include <footfall/place.h>
#include <footfall/plan.h>
#include <footfall/pose.h>
#include <footfall/propose.h>
#include <footfall/quantity.h>
#include <footfall/record.h>
#include <footfall/save.h>
#include <footfall/scene.h>
#include <footfall/scene_def.h>
#include <footfall/scene_load.h>
#include <footfall/scene_trial.h>
#include <footfall/shape.h>
#include <footfall/sim.h>
#include <footfall/status.h>
#include <footfall/trajectory.h>
#include <footfall/value.h>
#include <footfall/version.h>
#include <footfall/world.h>

#endif
