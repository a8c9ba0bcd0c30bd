// What is looked at: how big it is, where it is, and what of it is followed.
import { Box3, Quaternion, Vector3 } from 'three';
import { assemble } from './recording.js';
import { shapeGeometry, shapeMatrix } from './shapes.js';

// looks at a run; how much farther than at first things may be at the end to be looked at as a whole
const SAMPLES = 12, MOST_GROWTH = 4;
// a run of so few seconds in which something goes so many times its size is looked at as a whole, too: a shot
const SHORT = 0.6, FAR = 3;
const NEAR = 1.8, NEAR_SHOT = 3; // scenery up to so many times as big belongs to the picture; what a shot hits does

const diagonal = (box) => box.getSize(new Vector3()).length();

/** The box of a robot over its whole run. */
function boxOfRun(robot) {
  const all = new Box3().setFromObject(robot.group), { frameTimes: [begin = 0], end } = robot.run;
  for (let i = 1; i <= SAMPLES; ++i) {
    robot.setTime(begin + ((end - begin) * i) / SAMPLES);
    all.expandByObject(robot.group);
  }
  robot.setTime(0);
  return all;
}

/** Boxes of what stands still and has an end. */
function sceneryBoxes(run) {
  return [...run.ground, ...run.scenery].flatMap((shape) => {
    const geometry = shape.type === 'plane' ? null : shapeGeometry(run, shape);
    geometry?.computeBoundingBox();
    return geometry ? [geometry.boundingBox.clone().applyMatrix4(shapeMatrix(shape, new Quaternion()))] : [];
  });
}

/** Robots that stand apart are looked at as a whole. */
function boxOfCrowd(first, run) {
  const all = first.clone(), offsets = assemble(run.bytes, run.crowd.offsets, 2, true), aside = new Vector3();
  for (let i = 0; i < offsets.length; i += 2)
    all.union(first.clone().translate(aside.set(offsets[i], offsets[i + 1], 0)));
  return all;
}

/** Which link is followed, -1: none, and the box that the picture shows at first. */
function frameOf(robot, run) {
  const roots = run.links.flatMap((link, i) => (link.parent < 0 ? [i] : []));
  const first = new Box3().setFromObject(robot.group);
  if (run.crowd?.is_apart) return { link: -1, box: boxOfCrowd(first, run) };
  if (first.isEmpty()) return { link: -1, box: new Box3(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1)) };
  const isShort = run.end > 0 && run.end < SHORT;
  const whole = roots.length === 1 && !isShort ? first : boxOfRun(robot);
  const growth = diagonal(whole) / diagonal(first);
  const isShot = roots.length === 1 && growth > FAR, isFollowed = roots.length === 1 && !isShot;
  const box = (isFollowed || (!isShot && growth > MOST_GROWTH) ? first : whole).clone();
  const size = diagonal(box);
  const middle = box.getCenter(new Vector3());
  const near = sceneryBoxes(run).filter(
    (other) => diagonal(other) < (isShot ? NEAR_SHOT : NEAR) * size && other.distanceToPoint(middle) < size,
  );
  if (isShot && near.length > 0) box.copy(first); // from the muzzle to what it hits, and not where it goes afterwards
  near.forEach((other) => box.union(other));
  return { link: isFollowed ? roots[0] : -1, box };
}

/**
 * @returns {{size: number, unit: number, weight: number, focus: object}}
 * `unit`: how big one of the things is that can touch each other [m], `weight`: of one of them [N]
 */
export function measure(robot, run) {
  const { link, box } = frameOf(robot, run);
  const centre = box.getCenter(new Vector3());
  const size = diagonal(box);
  const roots = run.links.filter(({ parent }) => parent < 0).length;
  const sizes = robot.links.map((group) => diagonal(new Box3().setFromObject(group))).sort((a, b) => a - b);
  const one = new Box3().setFromObject(robot.group);
  const unit = roots === 1 && !one.isEmpty() ? diagonal(one) : Math.min(size, 1.3 * sizes[sizes.length >> 1] || size);
  return {
    size,
    unit,
    weight: (9.81 * run.mass) / Math.max(1, roots),
    focus: { run, link, centre, height: link >= 0 ? centre.z - robot.links[link].position.z : 0 },
  };
}
