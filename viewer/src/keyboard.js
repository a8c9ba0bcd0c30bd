// Keys, and the page that lists them.
import { h } from './dom.js';

export class Keyboard {
  /** @param {{keys: string[], shown?: string, does: string, act: (event: KeyboardEvent) => void}[]} bindings */
  constructor(bindings) {
    this.help = h(
      'dialog.help',
      { onclick: (event) => event.target === this.help && this.help.close() },
      this.table(bindings),
    );
    // space plays after a click, too
    document.addEventListener(
      'click',
      (event) =>
        event.detail > 0 && document.activeElement?.matches('button, summary') && document.activeElement.blur(),
    );
    document.addEventListener('keydown', (event) => {
      const isTyping = event.target.matches('input, select') && event.key !== 'Escape';
      const isPressing = event.target.matches('button, summary') && (event.key === ' ' || event.key === 'Enter');
      if (isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey) return;
      const binding = bindings.find(({ keys }) => keys.includes(event.key) || keys.includes(event.key.toLowerCase()));
      if (!binding) return;
      event.preventDefault();
      binding.act(event);
    });
  }

  table(bindings) {
    const rows = bindings
      .filter(({ does }) => does)
      .map(({ keys, shown, does }) =>
        h(
          'tr',
          {},
          h('td', {}, ...(shown ?? keys[0].toUpperCase()).split(' ').map((key) => h('kbd', { textContent: key }))),
          h('td', { textContent: does }),
        ),
      );
    return h(
      'div',
      {},
      h('h2', { textContent: 'Keys' }),
      h('table', {}, ...rows),
      h('p', {
        textContent:
          'Drag turns, right drag moves, wheel zooms. Click a part of the robot for its signals. ' +
          'In plots: click goes to a time, drag zooms, double click shows all.',
      }),
      h('form', { method: 'dialog' }, h('button', { textContent: 'Close' })),
    );
  }

  toggleHelp() {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
}
