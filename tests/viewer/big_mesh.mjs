// big_mesh.mjs STL DAE: writes a bumpy ring of 450,000 triangles in both formats, 22 MB of binary STL and 24 MB of
// COLLADA.
import { writeFileSync } from 'node:fs';

const ROWS = 375, COLUMNS = 600, TAU = 2 * Math.PI;
const point = (i, j) => {
  const u = (TAU * (i % ROWS)) / ROWS, v = (TAU * (j % COLUMNS)) / COLUMNS;
  const r = 0.08 + 0.008 * Math.sin(7 * u) * Math.cos(11 * v), away = 0.2 + r * Math.cos(u);
  return [away * Math.cos(v), away * Math.sin(v), r * Math.sin(u)];
};
const number = (i, j) => (i % ROWS) * COLUMNS + (j % COLUMNS);
const bytes = Buffer.alloc(84 + 50 * 2 * ROWS * COLUMNS);
const points = [], corners = [];
let at = 84;
bytes.writeUInt32LE(2 * ROWS * COLUMNS, 80);
const put = (...places) => {
  [0, 0, 0, ...places.flatMap(([i, j]) => point(i, j))].forEach((x, k) => bytes.writeFloatLE(x, at + 4 * k));
  at += 50;
  places.forEach(([i, j]) => corners.push(number(i, j), number(i, j))); // of points, and of normals
};
for (let i = 0; i < ROWS; ++i)
  for (let j = 0; j < COLUMNS; ++j) {
    points.push(...point(i, j).map((x) => x.toFixed(6)));
    put([i, j], [i + 1, j], [i + 1, j + 1]);
    put([i, j], [i + 1, j + 1], [i, j + 1]);
  }
writeFileSync(process.argv[2], bytes);
writeFileSync(process.argv[3], `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="${points.length}">${points.join(' ')}</float_array>
<technique_common><accessor source="#a" count="${points.length / 3}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source>
<source id="n"><float_array id="b" count="3">0 0 1</float_array>
<technique_common><accessor source="#b" count="1" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="${corners.length / 6}"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/><p>${corners.join(' ')}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>`);
