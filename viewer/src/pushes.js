// Pushes that the scene itself gives: an arrow whose head is where it pushes, as long as a contact's of the same force. What is behind the robot shines through it.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, Vector3 } from 'three';

const up = new Vector3(0, 1, 0), way = new Vector3(), point = new Vector3();

export class Pushes {
  /** @param {(force: number) => number} lengthOf an arrow [m]
   *  @param {number} size of the robot [m] */
  constructor(run, robot, theme, lengthOf, size) {
    Object.assign(this, { pushes: run.pushes ?? [], robot, group: new Group() });
    const materials = [new MeshLambertMaterial(), new MeshBasicMaterial({ transparent: true, opacity: 0.3, depthTest: false })];
    const setTheme = () => materials.forEach((material) => material.color.set(theme.push));
    this.arrows = this.pushes.map((push) => this.arrow(push, lengthOf(Math.hypot(...push.force)), size, materials));
    this.arrows.forEach((arrow) => this.group.add(arrow));
    theme.addEventListener('change', setTheme);
    setTheme();
  }

  /** It ends at its own origin. */
  arrow({ force }, length, size, materials) {
    const head = Math.min(0.3 * length, 0.1 * size), thick = Math.min(0.014 * size, 0.12 * length);
    const shaft = new CylinderGeometry(thick, thick, length - head, 14).translate(0, -head - (length - head) / 2, 0);
    const tip = new ConeGeometry(0.45 * head, head, 18).translate(0, -head / 2, 0), group = new Group();
    for (const material of materials) group.add(new Mesh(shaft, material), new Mesh(tip, material));
    if (Math.hypot(...force) > 0) group.quaternion.setFromUnitVectors(up, way.fromArray(force).normalize());
    return group;
  }

  setTime(time) {
    this.pushes.forEach(({ link, at, from, duration }, i) => {
      const isActing = time >= from && time <= from + duration;
      this.arrows[i].visible = isActing;
      if (!isActing) return;
      const body = this.robot.links[link];
      this.arrows[i].position.copy(point.fromArray(at).applyQuaternion(body.quaternion).add(body.position));
    });
  }
}
