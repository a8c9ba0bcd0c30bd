// The three-dimensional view: renderer, light, shadow, sky. What stands in it is added by others.
import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  NeutralToneMapping,
  PCFSoftShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { forPeople } from './dom.js';

export class Stage {
  /** @param {number} size of what is looked at [m] */
  constructor(parent, theme, size) {
    this.parent = parent;
    this.theme = theme;
    this.size = size;
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'high-performance' });
    if (!context)
      throw forPeople(
        'This browser does not draw in three dimensions: WebGL 2 is switched off or missing. ' +
          'Switch on graphics acceleration in its settings, or open this file in another browser.',
      );
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.debug.checkShaderErrors = false; // asking for them waits for every single program
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.domElement.tabIndex = 0;
    parent.append(this.renderer.domElement);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, size / 100, size * 100);
    this.camera.up.set(0, 0, 1);
    this.addLights();
    this.setTheme();
    theme.addEventListener('change', () => this.setTheme());
    new ResizeObserver(() => this.resize()).observe(parent);
    this.resize();
  }

  addLights() {
    this.ambient = new HemisphereLight(0xffffff, 0x8090a0, 1);
    this.ambient.position.set(0, 0, 1);
    this.sun = new DirectionalLight(0xffffff, 2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.normalBias = 0.006 * this.size;
    const half = 1.6 * this.size, box = this.sun.shadow.camera;
    Object.assign(box, {
      left: -half,
      right: half,
      top: half,
      bottom: -half,
      near: 0.1 * this.size,
      far: 9 * this.size,
    });
    this.sunWay = new Vector3(0.45, -0.62, 1).normalize().multiplyScalar(4.5 * this.size);
    this.fill = new DirectionalLight(0xbfd4ff, 1); // from the other side, so that nothing in the shade is flat
    this.fill.position.set(-0.8, 0.5, 0.35);
    this.scene.add(this.ambient, this.sun, this.sun.target, this.fill);
  }

  setTheme() {
    const look = this.theme.stage;
    this.scene.background = new Color(look.horizon);
    this.scene.fog = new Fog(look.horizon, 6 * this.size, 22 * this.size);
    this.ambient.intensity = look.ambient;
    this.fill.intensity = look.fill;
    this.sun.intensity = look.light;
    this.touch();
  }

  /** Shadows are sharp around one place: where one looks. */
  lightAround(point) {
    this.sun.target.position.copy(point);
    this.sun.position.copy(point).add(this.sunWay);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  /** What is seen has changed: the next picture must be drawn. */
  touch() {
    this.isStale = true;
  }

  render() {
    this.renderer.render(this.scene, this.camera);
    this.isStale = false;
  }
}
