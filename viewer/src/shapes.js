// Geometry of a shape, in its own frame. Sizes are those of include/footfall/shape.h.
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Matrix4,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { meshGeometry } from './meshes.js';

/** three's cylinders stand along y, ours along z. */
const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

function hull(run, shape) {
  const xyz = run.floats(shape.vertices), points = [];
  for (let i = 0; i < xyz.length; i += 3) points.push(new Vector3(xyz[i], xyz[i + 1], xyz[i + 2]));
  return new ConvexGeometry(points);
}

/** Column c is at x = (c / (columns - 1) - 1/2) size[0], rows along y alike. */
function heightField(run, shape) {
  const heights = run.floats(shape.heights), { rows, columns, size } = shape;
  const points = [], faces = [];
  for (let r = 0; r < rows; ++r)
    for (let c = 0; c < columns; ++c)
      points.push((c / (columns - 1) - 0.5) * size[0], (r / (rows - 1) - 0.5) * size[1], heights[r * columns + c]);
  for (let r = 0; r + 1 < rows; ++r)
    for (let c = 0; c + 1 < columns; ++c) {
      const a = r * columns + c, b = a + columns;
      faces.push(a, a + 1, b + 1, a, b + 1, b);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}

const MAKERS = {
  sphere: (run, { size }) => new SphereGeometry(size[0], 32, 20),
  ellipsoid: (run, { size }) => new SphereGeometry(1, 40, 26).scale(size[0], size[1], size[2]),
  capsule: (run, { size }) => alongZ(new CapsuleGeometry(size[0], size[1], 10, 24)),
  box: (run, { size }) => new BoxGeometry(size[0], size[1], size[2]),
  cylinder: (run, { size }) => alongZ(new CylinderGeometry(size[0], size[0], size[1], 40)),
  disk: (run, { size }) => new CircleGeometry(size[0], 40),
  hull,
  mesh: meshGeometry,
  heightfield: heightField,
  'height field': heightField,
};

/** The geometry of a shape, null if it has none: points and planes, and meshes that were not found. */
export function shapeGeometry(run, shape) {
  return MAKERS[shape.type]?.(run, shape) ?? null;
}

const one = new Vector3(1, 1, 1);

export function shapeMatrix(shape, quaternion) {
  quaternion.fromArray(shape.quaternion);
  return new Matrix4().compose(new Vector3().fromArray(shape.position), quaternion, one);
}
