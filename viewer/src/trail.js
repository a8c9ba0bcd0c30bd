// The way of a robot's base: where it was, where it will be.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial } from 'three';
import { POSE_FLOATS } from './recording.js';

export class Trail {
  constructor(run, link, theme) {
    const frames = run.frameTimes.length, points = new Float32Array(3 * frames);
    for (let f = 0; f < frames; ++f)
      for (let k = 0; k < 3; ++k) points[3 * f + k] = run.poses[(f * run.links.length + link) * POSE_FLOATS + k];
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
    this.line = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.7 }));
    const setTheme = () =>
      this.line.material.color.set(run.number === 0 ? theme.css('muted') : theme.ghost(run.number));
    theme.addEventListener('change', setTheme);
    setTheme();
    this.line.frustumCulled = false;
  }
}
