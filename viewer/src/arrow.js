// An arrow that stands for a push: a shaft and a head, solid, and seen faintly through what is before it.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, Vector3 } from 'three';

const up = new Vector3(0, 1, 0);
const SHAFT = new CylinderGeometry(1, 1, 1, 14).translate(0, 0.5, 0);
const HEAD = new ConeGeometry(1, 1, 18).translate(0, 0.5, 0);

export class Arrow {
  constructor(theme) {
    this.group = new Group();
    const materials = [
      new MeshLambertMaterial(),
      new MeshBasicMaterial({ transparent: true, opacity: 0.3, depthTest: false }),
    ];
    const setTheme = () => materials.forEach((material) => material.color.set(theme.push));
    this.shafts = materials.map((material) => new Mesh(SHAFT, material));
    this.heads = materials.map((material) => new Mesh(HEAD, material));
    this.group.add(...this.shafts, ...this.heads);
    theme.addEventListener('change', setTheme);
    setTheme();
  }

  /** From the place of its group, `way` is a unit vector; `size` of what it stands at [m] says how thick it may be. */
  point(way, length, size) {
    const head = Math.min(0.3 * length, 0.1 * size), thick = Math.min(0.014 * size, 0.12 * length);
    this.length = length;
    this.group.quaternion.setFromUnitVectors(up, way);
    for (const shaft of this.shafts) shaft.scale.set(thick, length - head, thick);
    for (const mesh of this.heads) {
      mesh.position.y = length - head;
      mesh.scale.set(0.45 * head, head, 0.45 * head);
    }
  }
}
