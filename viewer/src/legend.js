// What the picture means: colours of contacts, and the runs with what came of them.
import { h } from './dom.js';

const milliseconds = (dt) => `${Number((1000 * dt).toPrecision(4))} ms`;

function runLine(run, theme, isShown, onToggle) {
  const dot = h('i.dot');
  dot.style.background = run.number === 0 ? 'var(--text)' : theme.ghost(run.number);
  const line = h('button.run', { ariaPressed: isShown(run.number), title: run.failure ?? `${run.title}, ${run.file}`, onclick: () => onToggle(run.number) },
    dot, h('b', { textContent: run.label }), h('span', { textContent: run.label.includes(' ms') ? '' : milliseconds(run.dt) }),
    run.failure ? h('em', { textContent: `ended at ${run.end.toPrecision(3)} s` }) : null);
  line.classList.toggle('is-hidden', !isShown(run.number));
  return line;
}

export class Legend {
  /** @param {(run: number) => boolean} isShown */
  constructor(runs, theme, isShown, onToggle) {
    Object.assign(this, { runs, theme, isShown, onToggle });
    this.element = h('div.legend');
    theme.addEventListener('change', () => this.draw());
    this.draw();
  }

  draw() {
    const meanings = [['sticks', 1], ['slips', 2]].map(([text, mode]) => {
      const dot = h('i.dot');
      dot.style.background = this.theme.contact(mode);
      return h('span.meaning', {}, dot, text);
    });
    this.element.replaceChildren(
      h('div.runs', {}, ...this.runs.map((run) => runLine(run, this.theme, this.isShown, this.onToggle))),
      h('div.meanings', {}, ...meanings));
  }
}
