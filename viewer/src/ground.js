// Ground and scenery: planes get a grid that fades into the distance, all else is solid; links that are fixed to the
// world have their own colours.
import {
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
} from 'three';
import { solidMaterial } from './robot.js';
import { shapeGeometry, shapeMatrix } from './shapes.js';

const gridVertex = /* glsl */ `
  varying vec2 place;
  uniform vec2 centre;
  void main() {
    place = position.xy + centre;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const gridFragment = /* glsl */ `
  varying vec2 place;
  uniform vec2 centre;
  uniform vec3 base, horizon, line;
  uniform float spacing, reach, solid;
  float grid(float step, float width) {
    vec2 at = place / step;
    vec2 off = abs(fract(at - 0.5) - 0.5) / fwidth(at);
    return 1.0 - clamp(min(off.x, off.y) / width, 0.0, 1.0);
  }
  void main() {
    float away = length(place - centre) / reach;
    float fade = 1.0 - smoothstep(0.15, 1.0, away);
    float fine = grid(spacing, 1.0) * 0.28 * (1.0 - smoothstep(0.05, 0.35, away));
    float coarse = grid(10.0 * spacing, 1.3) * 0.75;
    vec3 colour = mix(horizon, base, fade);
    colour = mix(colour, line, max(fine, coarse) * fade);
    gl_FragColor = vec4(colour, mix(0.5 * fade, 1.0, solid));
    #include <colorspace_fragment>
  }`;

/** Lines as on planes for what is solid, seen from above: they go by place in the world. */
function addLines(material, spacing, line) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { spacing: { value: spacing }, line: { value: line } });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 place;')
      .replace(
        '#include <project_vertex>',
        '#include <project_vertex>\nplace = (modelMatrix * vec4(transformed, 1.0)).xyz;',
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
        varying vec3 place;
        uniform float spacing;
        uniform vec3 line;
        float grid(float step, float width) {
          vec2 at = place.xy / step;
          vec2 off = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), 1e-6);
          return 1.0 - clamp(min(off.x, off.y) / width, 0.0, 1.0);
        }`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        float flatness = smoothstep(0.2, 0.5, abs(normalize(cross(dFdx(place), dFdy(place))).z));
        diffuseColor.rgb = mix(diffuseColor.rgb, line,
          flatness * max(0.3 * grid(spacing, 1.0), 0.75 * grid(10.0 * spacing, 1.3)));`,
      );
  };
}

const isGrey = ([r, g, b, a]) => r === g && g === b && a === 1;
const isFloor = (normal) => normal.z > 0.4;

export class Ground {
  constructor(run, theme, size) {
    this.theme = theme;
    this.size = size;
    this.group = new Group();
    this.grids = [];
    this.moving = [];
    this.solid = new MeshStandardMaterial({ roughness: 0.95, metalness: 0, side: DoubleSide });
    this.line = new Color();
    addLines(this.solid, this.spacing, this.line);
    const drawn = new Set(run.scenery.filter(({ visual }) => visual).map(({ link }) => link));
    for (const shape of [...run.ground, ...run.scenery])
      if (shape.link === undefined || shape.visual || !drawn.has(shape.link)) this.addShape(run, shape);
    theme.addEventListener('change', () => this.setTheme());
    this.setTheme();
  }

  /** The normal of the first plane that one can stand on. */
  get up() {
    const normals = this.grids.map(({ holder }) => new Vector3(0, 0, 1).applyQuaternion(holder.quaternion));
    return normals.find(isFloor) ?? new Vector3(0, 0, 1);
  }

  /** Distance of fine lines: a power of ten that suits what stands on it. */
  get spacing() {
    return 10 ** Math.round(Math.log10(this.size) - 0.9);
  }

  addShape(run, shape) {
    const holder = new Group();
    holder.applyMatrix4(shapeMatrix(shape, new Quaternion()));
    if (shape.type === 'plane') this.addPlane(holder);
    else {
      const geometry = shapeGeometry(run, shape);
      if (geometry) holder.add(this.solidMesh(geometry, shape));
    }
    if (shape.velocity?.some((v) => v !== 0))
      this.moving.push({ holder, shape, start: holder.position.clone(), turn: holder.quaternion.clone() });
    this.group.add(holder);
  }

  /** Links that are fixed to the world look as the robot's others do. What is no link has the ground's colour if its
   *  own is grey, as readers' defaults are, and the ground's lines. */
  solidMesh(geometry, { link, rgba }) {
    const isOwn = link !== undefined || (rgba && !isGrey(rgba));
    const material = isOwn ? solidMaterial(rgba, geometry) : this.solid;
    if (isOwn && link === undefined) addLines(material, this.spacing, this.line);
    const mesh = new Mesh(geometry, material);
    mesh.receiveShadow = mesh.castShadow = true;
    return mesh;
  }

  /** Seen from above only. Walls end soon, and let through what is behind them. */
  addPlane(holder) {
    const isFlat = isFloor(new Vector3(0, 0, 1).applyQuaternion(holder.quaternion));
    const reach = (isFlat ? 24 : 0.7) * this.size, geometry = new PlaneGeometry(2 * reach, 2 * reach);
    const material = new ShaderMaterial({
      vertexShader: gridVertex,
      fragmentShader: gridFragment,
      transparent: !isFlat,
      depthWrite: isFlat,
      uniforms: {
        centre: { value: { x: 0, y: 0 } },
        base: { value: new Color() },
        horizon: { value: new Color() },
        line: { value: new Color() },
        spacing: { value: this.spacing },
        reach: { value: reach },
        solid: { value: Number(isFlat) },
      },
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    const grid = new Mesh(geometry, material), shadow = new Mesh(geometry, new ShadowMaterial());
    shadow.receiveShadow = true;
    shadow.renderOrder = 1;
    shadow.visible = isFlat;
    holder.add(grid, shadow);
    this.grids.push({ holder, grid, shadow });
  }

  setTheme() {
    const look = this.theme.stage;
    this.line.set(look.line);
    this.solid.color.set(look.solid);
    for (const { grid, shadow } of this.grids) {
      grid.material.uniforms.base.value.set(look.ground);
      grid.material.uniforms.horizon.value.set(look.horizon);
      grid.material.uniforms.line.value.set(look.line);
      shadow.material.opacity = look.shadow;
    }
  }

  /** Who is below a floor is seen through it. */
  setDepth(point) {
    const local = new Vector3();
    for (const { holder, grid, shadow } of this.grids) {
      holder.updateMatrixWorld();
      const isBelow = holder.worldToLocal(local.copy(point)).z < -0.1 * this.size;
      if (shadow.visible === isBelow && isFloor(new Vector3(0, 0, 1).applyQuaternion(holder.quaternion))) {
        grid.material.uniforms.solid.value = Number(!isBelow);
        grid.material.transparent = isBelow;
        grid.material.depthWrite = !isBelow;
        shadow.visible = !isBelow;
      }
    }
  }

  /** Grids go along with whoever looks, in their own planes; their lines stay where they are. */
  centreOn(point) {
    const local = new Vector3();
    for (const { holder, grid, shadow } of this.grids) {
      holder.updateMatrixWorld();
      holder.worldToLocal(local.copy(point));
      grid.position.set(local.x, local.y, 0);
      shadow.position.copy(grid.position);
      grid.material.uniforms.centre.value = { x: local.x, y: local.y };
    }
  }

  setTime(time) {
    for (const { holder, shape, start, turn } of this.moving) {
      const [x, y, z, ...spin] = shape.velocity, axis = new Vector3(...spin), rate = axis.length();
      holder.position.set(start.x + x * time, start.y + y * time, start.z + z * time);
      holder.quaternion.copy(turn);
      if (rate > 0)
        holder.quaternion.premultiply(new Quaternion().setFromAxisAngle(axis.divideScalar(rate), rate * time));
    }
  }
}
