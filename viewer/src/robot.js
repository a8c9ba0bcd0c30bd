// What moves: a group for each link, placed by the frames of a run. The first run looks as its description says; others
// are ghosts in one colour.
import {
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';
import { COARSE, POSE_FLOATS, indexAt } from './recording.js';
import { shapeGeometry, shapeMatrix } from './shapes.js';

const GHOSTLY = 0.42, OVER = 0.14; // opacity of ghosts, and of those whose run has failed

const from = new Quaternion(), to = new Quaternion(), end = new Vector3();

export class Robot {
  constructor(run, theme) {
    this.run = run;
    this.theme = theme;
    this.isGhost = run.number > 0;
    this.group = new Group();
    this.materials = new Map();
    this.geometries = new Map(); // of equal shapes, one for all
    this.links = run.links.map((link, i) => this.makeLink(link, i));
    this.showCollision(false);
    this.setTime(0);
    if (this.isGhost)
      theme.addEventListener('change', () => this.materials.get('ghost')?.color.set(theme.ghost(run.number)));
  }

  geometry(shape) {
    const key = [shape.type, ...shape.size, shape.vertices, shape.mesh, shape.heights].join();
    if (!this.geometries.has(key)) this.geometries.set(key, shapeGeometry(this.run, shape));
    return this.geometries.get(key);
  }

  material(rgba, geometry) {
    const key = this.isGhost ? 'ghost' : `${rgba.join()} ${isPainted(rgba, geometry)}`;
    if (!this.materials.has(key))
      this.materials.set(key, this.isGhost ? this.ghostMaterial() : solidMaterial(rgba, geometry));
    return this.materials.get(key);
  }

  /** Behind what is solid where both are in the same place. */
  ghostMaterial() {
    return new MeshLambertMaterial({
      color: this.theme.ghost(this.run.number),
      transparent: true,
      opacity: GHOSTLY,
      ...this.behind(),
    });
  }

  behind() {
    return { polygonOffset: true, polygonOffsetFactor: 2 * this.run.number, polygonOffsetUnits: 2 * this.run.number };
  }

  /** Ghosts fill the depth first, so that only their outsides are seen. */
  addVeil(group, mesh) {
    this.veil ??= new MeshBasicMaterial({ colorWrite: false, transparent: true, ...this.behind() });
    const veil = new Mesh(mesh.geometry, this.veil);
    veil.applyMatrix4(mesh.matrix);
    veil.userData = mesh.userData;
    veil.renderOrder = 2 * this.run.number;
    mesh.renderOrder = 2 * this.run.number + 1;
    group.add(veil);
  }

  makeLink(link, number) {
    const group = new Group(), quaternion = new Quaternion();
    const hasVisual = link.shapes.some((shape) => shape.visual);
    group.name = link.name;
    for (const shape of link.shapes) {
      const geometry = this.geometry(shape);
      if (!geometry) continue;
      const mesh = new Mesh(geometry, this.material(shape.rgba, geometry));
      mesh.applyMatrix4(shapeMatrix(shape, quaternion));
      mesh.updateMatrix();
      mesh.castShadow = mesh.receiveShadow = !this.isGhost;
      mesh.userData = { link: number, isVisual: shape.visual || !hasVisual, isCollision: shape.collision };
      group.add(mesh);
      if (this.isGhost) this.addVeil(group, mesh);
    }
    this.group.add(group);
    return group;
  }

  /** What touches in place of what is drawn. */
  showCollision(isShown) {
    this.group.traverse((child) => {
      if (child.isMesh) child.visible = isShown ? child.userData.isCollision : child.userData.isVisual;
    });
  }

  /** One link stands out; -1: none does. */
  highlight(number) {
    this.links.forEach((group, i) =>
      group.traverse((child) => {
        if (!child.isMesh || this.isGhost) return;
        if (i === number && !child.userData.plain) {
          child.userData.plain = child.material;
          child.material = child.material.clone();
          child.material.emissive = new Color(this.theme.contact(1));
          child.material.emissiveIntensity = 0.35;
        } else if (i !== number && child.userData.plain) {
          child.material = child.userData.plain;
          child.userData.plain = null;
        }
      }));
  }

  /**
   * Between two frames positions go straight, orientations the short way; where frames are far apart the last one
   * stays, as its contacts do.
   */
  setTime(time) {
    const { frameTimes, poses } = this.run, stride = this.links.length * POSE_FLOATS;
    const frame = indexAt(frameTimes, time), next = Math.min(frame + 1, frameTimes.length - 1);
    const span = frameTimes[next] - frameTimes[frame];
    const part = span > 0 && span <= COARSE ? Math.min(1, Math.max(0, (time - frameTimes[frame]) / span)) : 0;
    if (this.isGhost)
      this.materials.forEach(
        (material) => (material.opacity = this.run.failure && time > this.run.end ? OVER : GHOSTLY),
      );
    this.links.forEach((group, i) => {
      const a = frame * stride + i * POSE_FLOATS, b = next * stride + i * POSE_FLOATS;
      group.position.fromArray(poses, a).lerp(end.fromArray(poses, b), part);
      group.quaternion.copy(from.fromArray(poses, a + 3)).slerp(to.fromArray(poses, b + 3), part);
    });
  }
}

/** A mesh file's own colours show where the robot's description has none: its default is this grey. */
function isPainted(rgba, geometry) {
  return geometry.hasAttribute('color') && rgba.every((value, i) => value === (i < 3 ? 0.7 : 1));
}

export function solidMaterial(rgba, geometry) {
  const [r, g, b, a] = rgba, vertexColors = isPainted(rgba, geometry);
  const color = vertexColors ? new Color(1, 1, 1) : new Color().setRGB(r, g, b, 'srgb');
  return new MeshStandardMaterial({
    color, vertexColors, roughness: 0.52, metalness: 0.12, transparent: a < 1, opacity: a,
  });
}
