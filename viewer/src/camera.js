// Where one looks from: orbit with the mouse, follow the robot, four fixed views.
import { Quaternion, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const VIEWS = { oblique: [-0.62, -1, 0.42], side: [0, -1, 0.08], front: [1, 0, 0.08], top: [0, -0.001, 1] };
const WINDOW = 0.35; // seconds over which the robot's way is smoothed

export class Camera {
  /** @param {object} focus {run, link} that is followed, link -1: nothing to follow; {centre} else
   *  @param {Vector3} up normal of the ground: views are meant from above it */
  constructor(stage, focus, up) {
    this.stage = stage;
    this.focus = focus;
    this.tilt = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    this.isFollowing = focus.link >= 0;
    this.point = new Vector3();
    this.last = new Vector3();
    this.controls = new OrbitControls(stage.camera, stage.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.53 * Math.PI;
    this.controls.minDistance = 0.2 * stage.size;
    this.controls.maxDistance = 18 * stage.size;
    this.controls.addEventListener('change', () => stage.touch());
    this.focusAt(0, this.last);
    this.view('oblique', 0);
  }

  /** Where the robot is, but for its steps and its bobbing. */
  focusAt(time, out) {
    const { run, link, centre, height } = this.focus;
    if (link < 0) return out.copy(centre);
    run.smoothPosition(link, time, WINDOW, out);
    out.z += height;
    return out;
  }

  view(name, time) {
    const { camera, size } = this.stage;
    this.focusAt(this.isFollowing ? time : 0, this.last);
    this.controls.target.copy(this.last);
    camera.position
      .fromArray(VIEWS[name])
      .applyQuaternion(this.tilt)
      .normalize()
      .multiplyScalar(1.9 * size)
      .add(this.last);
    this.controls.update();
  }

  follow(isFollowing, time) {
    this.isFollowing = isFollowing && this.focus.link >= 0;
    this.focusAt(time, this.last);
  }

  setTime(time) {
    if (!this.isFollowing) return;
    this.focusAt(time, this.point).sub(this.last);
    this.controls.target.add(this.point);
    this.stage.camera.position.add(this.point);
    this.last.add(this.point);
  }

  update() {
    this.controls.update();
    return this.controls.target;
  }
}
