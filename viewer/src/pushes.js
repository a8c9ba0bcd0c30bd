// Pushes that the scene itself gives: an arrow whose head is where it pushes, as long as a contact's of the same force.
import { Group, Vector3 } from 'three';
import { Arrow } from './arrow.js';

const point = new Vector3();

export class Pushes {
  /** @param {(force: number) => number} lengthOf an arrow [m]
   *  @param {number} size of the robot [m] */
  constructor(run, robot, theme, lengthOf, size) {
    this.group = new Group();
    this.robot = robot;
    this.pushes = (run.pushes ?? []).filter(({ force }) => Math.hypot(...force) > 0).map((push) => {
      const force = new Vector3().fromArray(push.force);
      const length = lengthOf(force.length());
      const way = force.normalize();
      const arrow = new Arrow(theme);
      arrow.point(way, length, size);
      this.group.add(arrow.group);
      return { ...push, arrow, back: way.clone().multiplyScalar(-length) };
    });
  }

  setTime(time) {
    for (const { arrow, link, at, from, duration, back } of this.pushes) {
      const body = this.robot.links[link];
      arrow.group.visible = time >= from && time <= from + duration;
      arrow.group.position.copy(point.fromArray(at).applyQuaternion(body.quaternion).add(body.position)).add(back);
    }
  }
}
