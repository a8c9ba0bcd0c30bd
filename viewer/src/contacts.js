// Contacts: a dot where it touches, an arrow for the force on the link, a cone that the force must stay in. Colours say
// whether it sticks or slips.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import { indexAt } from './recording.js';

const MOST = 600; // contacts drawn at once
const LONGEST = 1.1; // arrow, times the size of the robot
const HEAD = 0.24; // of an arrow's length, at most
const up = new Vector3(0, 1, 0), away = new Vector3(), place = new Vector3(), scale = new Vector3();
const turn = new Quaternion(), matrix = new Matrix4(), colour = new Color();

/** Geometry of unit size that stands on the origin, along y. */
const standing = (geometry, shift) => geometry.translate(0, shift, 0);

export class Contacts {
  /** @param {number} size of a robot [m], its diagonal
   *  @param {number} weight of it [N]: an arrow of that is half as long as the robot */
  constructor(run, theme, size, weight) {
    this.run = run;
    this.theme = theme;
    this.size = size;
    this.weight = Math.max(1e-9, weight);
    this.group = new Group();
    const lit = () => new MeshLambertMaterial();
    this.dots = this.add(new SphereGeometry(1, 16, 12), lit());
    this.shafts = this.add(standing(new CylinderGeometry(1, 1, 1, 14), 0.5), lit());
    this.heads = this.add(standing(new ConeGeometry(1, 1, 18), 0.5), lit());
    this.cones = this.add(new ConeGeometry(1, 1, 40, 1, true).rotateX(Math.PI).translate(0, 0.5, 0),
      new MeshBasicMaterial({ transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false }));
    this.rims = this.add(
      new CylinderGeometry(1, 1, 0.02, 40, 1, true).translate(0, 1, 0),
      new MeshBasicMaterial({ transparent: true, opacity: 0.6, side: DoubleSide }),
    );
    this.dots.visible = run.number === 0;
  }

  add(geometry, material) {
    const mesh = new InstancedMesh(geometry, material, MOST);
    mesh.frustumCulled = false;
    mesh.setColorAt(0, colour.set(0xffffff)); // so that the colours exist
    this.group.add(mesh);
    return mesh;
  }

  showForces(isShown) {
    this.shafts.visible = this.heads.visible = isShown;
  }

  showCones(isShown) {
    this.cones.visible = this.rims.visible = isShown;
  }

  put(mesh, number, across, along) {
    mesh.setMatrixAt(number, matrix.compose(place, turn, scale.set(across, along, across)));
    mesh.setColorAt(number, colour);
  }

  /**
   * The length of an arrow: as the force up to the weight, then as its logarithm, and never longer than LONGEST, so
   * that impacts stay in the picture.
   */
  lengthOf(force) {
    const part = force / this.weight;
    return Math.min(LONGEST, 0.5 * (part <= 1 ? part : 1 + 0.35 * Math.log(part))) * this.size;
  }

  /** Those of other runs are thinner, so that both are seen where they agree. */
  putForce(number, force) {
    const length = this.lengthOf(force.length()), thick = (this.run.number === 0 ? 0.011 : 0.005) * this.size;
    const head = Math.min(HEAD * length, 0.09 * this.size);
    if (length > 1e-6) turn.setFromUnitVectors(up, force.normalize());
    this.put(this.shafts, number, Math.min(thick, 0.12 * length), length - head);
    place.addScaledVector(force, length - head);
    this.put(this.heads, number, (this.run.number === 0 ? 0.42 : 0.25) * head, head);
  }

  putCone(number, normal, friction) {
    const along = 0.16 * this.size / Math.hypot(1, Math.min(friction, 4)), across = Math.min(friction, 4) * along;
    turn.setFromUnitVectors(up, normal);
    this.put(this.cones, number, across, along);
    this.put(this.rims, number, across, along);
  }

  setTime(time) {
    const { run } = this, frame = indexAt(run.frameTimes, time);
    const isOver = run.failure && time > run.end;
    let count = 0;
    run.forEachContact(frame, (link, mode, at, data) => {
      if (count >= MOST || isOver) return;
      colour.set(run.number === 0 ? this.theme.contact(mode) : this.theme.ghost(run.number));
      turn.identity();
      place.fromArray(data, at + 2);
      this.put(this.dots, count, 0.016 * this.size, 0.016 * this.size);
      this.putCone(count, away.fromArray(data, at + 5), data[at + 11]);
      this.putForce(count, away.fromArray(data, at + 8));
      ++count;
    });
    for (const mesh of [this.dots, this.shafts, this.heads, this.cones, this.rims]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
    this.count = count;
  }
}
