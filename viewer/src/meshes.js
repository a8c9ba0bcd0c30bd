// Meshes in files, as they were found beside the robot's description: STL, OBJ, COLLADA. A file that cannot be read is
// left out; its link keeps its other shapes.
import { BufferAttribute, BufferGeometry } from 'three';
import { ColladaLoader } from 'three/addons/loaders/ColladaLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { mergeGeometries, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';

const CREASE = 0.6; // radians between faces that still look round
const MOST_CREASED = 60000; // triangles; finding neighbours takes time

/** Normals by the faces, whatever the file says about them: many say nothing, or zero. */
function shaded(geometry) {
  const bare = new BufferGeometry().setAttribute('position', geometry.getAttribute('position').clone());
  if (geometry.index) bare.setIndex(geometry.index.clone());
  const triangles = (geometry.index ?? geometry.getAttribute('position')).count / 3;
  if (triangles <= MOST_CREASED) return toCreasedNormals(bare, CREASE);
  const faces = bare.index ? bare.toNonIndexed() : bare;
  faces.computeVertexNormals();
  return faces;
}

/** The colours of a part's materials, at its corners: `groups` of them may have different ones. */
function paint(geometry, groups, materials) {
  const colours = new Float32Array(3 * geometry.getAttribute('position').count);
  for (const { start, count, materialIndex } of groups)
    for (let i = start; i < Math.min(start + count, colours.length / 3); ++i)
      (materials[materialIndex] ?? materials[0]).color.toArray(colours, 3 * i);
  return geometry.setAttribute('color', new BufferAttribute(colours, 3));
}

/** All triangles below an object as one geometry, with their colours if asked for. */
function flatten(object, isPainted) {
  const parts = [];
  object.updateMatrixWorld(true);
  object.traverse((child) => {
    if (!child.isMesh) return;
    const part = shaded(child.geometry).applyMatrix4(child.matrixWorld), materials = [child.material].flat();
    const groups = Array.isArray(child.material) ? child.geometry.groups : [];
    const all = [{ start: 0, count: Infinity, materialIndex: 0 }];
    parts.push(isPainted ? paint(part, groups.length ? groups : all, materials) : part);
  });
  return parts.length ? mergeGeometries(parts) : null;
}

/**
 * The axes of the file are the shape's, whatever it says about up: this is the custom around URDF. Its unit and its
 * nodes count, and colours of its materials, but for those of images.
 */
function collada(text) {
  const bare = text
    .replace(/<library_images>[\s\S]*?<\/library_images>/g, '')
    .replace(/<up_axis>.*?<\/up_axis>/g, '<up_axis>Y_UP</up_axis>');
  return flatten(new ColladaLoader().parse(bare, '').scene, /<library_materials/.test(text));
}

const READERS = {
  stl: (bytes) => shaded(new STLLoader().parse(bytes)),
  obj: (bytes) => flatten(new OBJLoader().parse(new TextDecoder().decode(bytes))),
  dae: (bytes) => collada(new TextDecoder().decode(bytes)),
};

export function meshGeometry(run, shape) {
  const reader = READERS[shape.decimated ? 'stl' : shape.mesh_file?.split('.').pop().toLowerCase()];
  if (!reader || shape.mesh[1] === 0) return null;
  try {
    return reader(run.raw(shape.mesh))?.scale(...shape.scale) ?? null;
  } catch {
    return null;
  }
}
