// What the picture means: colours of contacts, and the runs with what came of them.
import { h } from './dom.js';
import { HEIGHTS } from './footfall_chart.js';

const milliseconds = (dt) => `${Number((1000 * dt).toPrecision(4))} ms`;

function runLine(run, theme, isShown, onToggle) {
  const dot = h('i.dot');
  dot.style.background = run.number === 0 ? 'var(--text)' : theme.ghost(run.number);
  const line = h(
    'button.run',
    {
      ariaPressed: isShown(run.number),
      title: run.failure ?? run.warning ?? `${run.title}, ${run.file}. Click to hide or show it.`,
      onclick: () => onToggle(run.number),
    },
    dot,
    h('b', { textContent: run.label }),
    h('span', { textContent: run.label.includes(' ms') ? '' : milliseconds(run.dt) }),
    run.failure ? h('em', { textContent: `ended at ${Number(run.end.toPrecision(3))} s` }) : null,
    run.warning
      ? h('em', {
          textContent: run.warning.includes('passed through') ? 'passed through' : run.warning.replace(/:.*$/s, ''),
        })
      : null,
  );
  line.classList.toggle('is-hidden', !isShown(run.number));
  return line;
}

export class Legend {
  /** @param {(run: number) => boolean} isShown */
  constructor(runs, theme, isShown, onToggle, isLive) {
    Object.assign(this, { runs, theme, isShown, onToggle, isLive });
    this.element = h('div.legend');
    theme.addEventListener('change', () => this.draw());
    this.draw();
  }

  draw() {
    const meanings = [
      [
        'sticks',
        this.theme.contact(1),
        'A contact that sticks: its force is inside the friction cone. ' +
          'An arrow of half the robot’s size is its weight.',
      ],
      ['slips', this.theme.contact(2), 'A contact that slips: its force is on the friction cone.'],
      ['no force', this.theme.contact(0), 'Shapes that overlap, but do not push.'],
      ...(this.runs[0].pushes?.length || this.isLive
        ? [['push', this.theme.push, 'A force from outside: of the scene, or of your hand.']]
        : []),
    ].map(([text, colour, title], i) => {
      const mark = h(i < 3 ? 'i.bar' : 'i.dot'); // bars as in the chart below
      mark.style.background = colour;
      if (i < 3) mark.style.height = `${HEIGHTS[[1, 2, 0][i]]}px`;
      return h('span.meaning', { title }, mark, text);
    });
    this.element.replaceChildren(
      h('div.runs', {}, ...this.runs.map((run) => runLine(run, this.theme, this.isShown, this.onToggle))),
      h('div.meanings', {}, ...meanings));
  }
}
