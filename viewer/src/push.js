// Shift and drag takes hold of a link and draws it along: a spring from where it was touched to the pointer, in the
// plane through that point that faces the camera.
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { Arrow } from './arrow.js';

const MOST_OFTEN = 33; // milliseconds between two messages

export class Push {
  /** @param {number} stiffness of the spring [N/m] */
  constructor(stage, robot, controls, link, theme, stiffness) {
    Object.assign(this, { stage, robot, controls, link, stiffness });
    this.canvas = stage.renderer.domElement;
    this.ray = new Raycaster();
    this.plane = new Plane();
    this.target = new Vector3();
    this.arrow = new Arrow(theme);
    this.arrow.group.visible = false;
    stage.scene.add(this.arrow.group);
    this.canvas.addEventListener('pointerdown', (event) => this.take(event), { capture: true });
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const type of ['pointerup', 'pointercancel']) this.canvas.addEventListener(type, () => this.release());
  }

  aim(event) {
    const box = this.canvas.getBoundingClientRect();
    this.ray.setFromCamera(
      new Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height),
      this.stage.camera,
    );
  }

  take(event) {
    if (!event.shiftKey || event.button !== 0) return;
    this.aim(event);
    const [hit] = this.ray.intersectObject(this.robot.group, true).filter(({ object }) => object.visible);
    if (!hit) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.controls.enabled = false;
    this.held = { number: hit.object.userData.link, group: this.robot.links[hit.object.userData.link] };
    this.held.group.updateMatrixWorld();
    this.held.point = this.held.group.worldToLocal(hit.point.clone());
    this.plane.setFromNormalAndCoplanarPoint(this.stage.camera.getWorldDirection(new Vector3()), hit.point);
    this.move(event);
  }

  move(event) {
    if (!this.held) return;
    this.aim(event);
    if (!this.ray.ray.intersectPlane(this.plane, this.target)) return;
    this.show();
    if (performance.now() - (this.sent ?? 0) > MOST_OFTEN) this.send();
  }

  send() {
    const { number, point } = this.held;
    this.sent = performance.now();
    const values = [...point.toArray(), ...this.target.toArray(), this.stiffness];
    this.link.ask(`push ${number} ${values.map((x) => x.toFixed(5)).join(' ')}`);
  }

  release() {
    if (!this.held) return;
    this.held = null;
    this.controls.enabled = true;
    this.arrow.group.visible = false;
    this.stage.touch();
    this.link.ask('release');
  }

  /** The arrow, from where the link is now. */
  show() {
    if (!this.held) return;
    this.held.group.updateMatrixWorld();
    const from = this.held.group.localToWorld(this.held.point.clone());
    const way = this.target.clone().sub(from);
    const length = way.length();
    this.arrow.group.visible = length > 1e-6;
    this.arrow.group.position.copy(from);
    if (length > 1e-6) this.arrow.point(way.divideScalar(length), length, this.stage.size);
    this.stage.touch();
  }
}
