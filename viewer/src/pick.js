// Which link is under the pointer. A click that moved is a drag, and picks nothing.
import { Raycaster, Vector2 } from 'three';

export class Picker {
  constructor(stage, robot, onPick) {
    const canvas = stage.renderer.domElement, ray = new Raycaster(), at = new Vector2();
    let pressed = null;
    const linkAt = (event) => {
      const box = canvas.getBoundingClientRect();
      at.set((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
      ray.setFromCamera(at, stage.camera);
      const hits = ray.intersectObject(robot.group, true).filter((hit) => hit.object.visible);
      return hits.length ? hits[0].object.userData.link : -1;
    };
    canvas.addEventListener('pointerdown', (event) => (pressed = event));
    canvas.addEventListener('pointerup', (event) => {
      const moved = pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY);
      if (pressed && pressed.button === 0 && moved < 4) onPick(linkAt(event));
      pressed = null;
    });
  }
}
