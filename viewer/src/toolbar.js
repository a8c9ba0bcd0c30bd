// Switches over the picture, each with its key.
import { h, icon } from './dom.js';

/**
 * @typedef {{name: string, key: string, path: string, get: () => boolean, set: (on: boolean) => void,
 *   isAction?: boolean}} Tool
 */
/** @param {Tool[]} tools */
export class Toolbar {
  constructor(tools) {
    this.tools = tools;
    this.buttons = tools.map((tool) =>
      h(
        'button.tool',
        { title: `${tool.name} (${tool.key.toUpperCase()})`, ariaLabel: tool.name, onclick: () => this.use(tool) },
        icon(tool.path),
      ),
    );
    this.element = h('div.toolbar', {}, ...this.buttons);
    this.show();
  }

  use(tool) {
    tool.set(!tool.get());
    this.show();
  }

  show() {
    this.tools.forEach((tool, i) => {
      if (!tool.isAction) this.buttons[i].setAttribute('aria-pressed', tool.get());
    });
  }

  /** The tool of a key, if it has one. */
  press(key) {
    const tool = this.tools.find((one) => one.key === key);
    if (tool) this.use(tool);
    return Boolean(tool);
  }
}
