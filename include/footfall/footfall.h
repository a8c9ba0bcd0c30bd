/// footfall.h: includes all of Footfall.
///
/// The library footfall needs only libc and libm. Functions that read or write files are in the library footfall_io,
/// which needs libxml2, libyaml and libhdf5: those of files.h, load.h, log.h, mesh.h, propose.h, save.h,
/// scene_load.h and trajectory.h. A program without files need not link it.
#ifndef FOOTFALL_FOOTFALL_H
#define FOOTFALL_FOOTFALL_H

#include <footfall/batch.h>
#include <footfall/builder.h>
#include <footfall/c2a.h>
#include <footfall/collision.h>
#include <footfall/compare.h>
#include <footfall/contact.h>
#include <footfall/control.h>
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
#include <footfall/mesh.h>
#include <footfall/model.h>
#include <footfall/ode.h>
#include <footfall/option.h>
#include <footfall/parameters.h>
#include <footfall/place.h>
#include <footfall/pose.h>
#include <footfall/propose.h>
#include <footfall/quantity.h>
#include <footfall/record.h>
#include <footfall/save.h>
#include <footfall/scene.h>
#include <footfall/scene/scene_batch.h>
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
