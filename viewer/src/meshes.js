// Meshes in files, as they were found beside the robot's description: STL, OBJ, COLLADA. A file that cannot be read is left out; its link keeps
// its other shapes.
import { BufferGeometry } from 'three';
import { ColladaLoader } from 'three/addons/loaders/ColladaLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/** All triangles below an object as one geometry, with positions and normals alone. */
function flatten(object) {
  const parts = [];
  object.updateMatrixWorld(true);
  object.traverse((child) => {
    if (!child.isMesh) return;
    const source = child.geometry.index ? child.geometry.toNonIndexed() : child.geometry;
    const part = new BufferGeometry();
    part.setAttribute('position', source.getAttribute('position').clone());
    if (source.getAttribute('normal')) part.setAttribute('normal', source.getAttribute('normal').clone());
    else part.computeVertexNormals();
    parts.push(part.applyMatrix4(child.matrixWorld));
  });
  return parts.length ? mergeGeometries(parts) : null;
}

/** The axes of the file are the shape's, whatever it says about up: so is it around URDF. Its unit and its nodes count. */
function collada(text) {
  const bare = text.replace(/<library_images>[\s\S]*?<\/library_images>/g, '').replace(/<up_axis>.*?<\/up_axis>/g, '<up_axis>Y_UP</up_axis>');
  return flatten(new ColladaLoader().parse(bare, '').scene);
}

const READERS = {
  stl: (bytes) => new STLLoader().parse(bytes),
  obj: (bytes) => flatten(new OBJLoader().parse(new TextDecoder().decode(bytes))),
  dae: (bytes) => collada(new TextDecoder().decode(bytes)),
};

export function meshGeometry(run, shape) {
  const reader = READERS[shape.mesh_file?.split('.').pop().toLowerCase()];
  if (!reader || shape.mesh[1] === 0) return null;
  try {
    return reader(run.raw(shape.mesh))?.scale(...shape.scale) ?? null;
  } catch {
    return null;
  }
}
