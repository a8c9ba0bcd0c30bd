// A crowd: further robots of a run, up to thousands, each shape drawn once for all of them. Poses are 16-bit numbers.
import { Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import { POSE_FLOATS, assemble, indexAt } from './recording.js';
import { solidMaterial } from './robot.js';
import { shapeGeometry, shapeMatrix } from './shapes.js';

const HALF = 32768; // what a position's 16-bit number is less than its steps from the lowest
const FAINTEST = 0.06, MOST = 0.42; // opacity of ghosts that stand in each other

const place = new Vector3(), from = new Quaternion(), to = new Quaternion(), one = new Vector3(1, 1, 1);
const pose = new Matrix4(), whole = new Matrix4();

/** 16-bit numbers that were stored as differences of a frame to that before it: first bytes, then second ones. */
function unpack(bytes, [begin, count], width) {
  const numbers = new Int16Array(count / 2);
  for (let i = 0; i < numbers.length; ++i) {
    numbers[i] = bytes[begin + i] | (bytes[begin + numbers.length + i] << 8);
    if (i >= width) numbers[i] += numbers[i - width];
  }
  return numbers;
}

export class Crowd {
  constructor(run, theme) {
    Object.assign(this, run.crowd, { run, theme, group: new Group() });
    this.width = run.links.length * POSE_FLOATS;
    this.frameTimes = assemble(run.bytes, this.times, 1);
    this.offsets = assemble(run.bytes, this.offsets, 2, true);
    this.numbers = unpack(run.bytes, this.poses, this.robots * this.width);
    this.materials = new Map();
    this.meshes = run.links.map((link) => this.makeLink(link));
    this.showCollision(false);
    theme.addEventListener('change', () => this.materials.get('ghost')?.color.set(theme.ghost(1)));
  }

  material(rgba, geometry) {
    const key = this.is_apart ? rgba.join() : 'ghost';
    if (!this.materials.has(key)) this.materials.set(key, this.is_apart ? solidMaterial(rgba, geometry) : this.ghost());
    return this.materials.get(key);
  }

  ghost() {
    return new MeshLambertMaterial({
      color: this.theme.ghost(1),
      transparent: true,
      opacity: Math.max(FAINTEST, MOST / Math.sqrt(this.robots)),
      depthWrite: false,
    });
  }

  makeLink(link) {
    const turn = new Quaternion(), hasVisual = link.shapes.some(({ visual }) => visual);
    return link.shapes.flatMap((shape) => {
      const geometry = shapeGeometry(this.run, shape);
      if (!geometry) return [];
      const mesh = new InstancedMesh(geometry, this.material(shape.rgba, geometry), this.robots);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = this.is_apart;
      mesh.userData = { isVisual: shape.visual || !hasVisual, isCollision: shape.collision };
      mesh.userData.matrix = shapeMatrix(shape, turn);
      this.group.add(mesh);
      return [mesh];
    });
  }

  showCollision(isShown) {
    for (const mesh of this.group.children)
      mesh.visible = isShown ? mesh.userData.isCollision : mesh.userData.isVisual;
  }

  /** Positions go straight from a frame to the next one, orientations the short way. */
  setTime(time) {
    const { frameTimes, robots, width } = this, frame = indexAt(frameTimes, time);
    const next = Math.min(frame + 1, frameTimes.length - 1), span = frameTimes[next] - frameTimes[frame];
    const part = span > 0 ? Math.min(1, Math.max(0, (time - frameTimes[frame]) / span)) : 0;
    this.meshes.forEach((meshes, link) => {
      for (let robot = 0; robot < robots && meshes.length > 0; ++robot) {
        const at = robot * width + link * POSE_FLOATS;
        this.readPose(frame * robots * width + at, next * robots * width + at, part, robot);
        for (const mesh of meshes) mesh.setMatrixAt(robot, whole.multiplyMatrices(pose, mesh.userData.matrix));
      }
      for (const mesh of meshes) mesh.instanceMatrix.needsUpdate = true;
    });
  }

  readPose(a, b, part, robot) {
    const { numbers, low, step, offsets } = this;
    const along = (k) => low[k] + step[k] * (HALF + numbers[a + k] + part * (numbers[b + k] - numbers[a + k]));
    place.set(along(0) + offsets[2 * robot], along(1) + offsets[2 * robot + 1], along(2));
    from.set(numbers[a + 3], numbers[a + 4], numbers[a + 5], numbers[a + 6]);
    to.set(numbers[b + 3], numbers[b + 4], numbers[b + 5], numbers[b + 6]);
    from.normalize();
    if (part > 0) from.slerp(to.normalize(), part);
    pose.compose(place, from, one);
  }

  /** How far they stand aside: visit(x, y). */
  forEachOffset(visit) {
    for (let i = 0; i < this.robots; ++i) visit(this.offsets[2 * i], this.offsets[2 * i + 1]);
  }
}
