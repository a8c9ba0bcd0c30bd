// What can be changed while a scene runs.
import { figure, h } from './dom.js';

const FIELDS = [
  { key: 'dt', field: 'dt', label: 'dt', unit: 'ms', scale: 1000, title: 'Length of a step' },
  { key: 'stiffness', field: 'material.stiffness', label: 'K', unit: 'N/m', scale: 1, title: 'Stiffness of contacts' },
  { key: 'damping', field: 'material.damping', label: 'B', unit: 'N s/m', scale: 1, title: 'Damping of contacts' },
  { key: 'friction', field: 'material.friction', label: 'μ', unit: '', scale: 1, title: 'Friction coefficient' },
];

export class LivePanel {
  constructor(link) {
    this.stepper = h('select', {
      ariaLabel: 'Stepper',
      onchange: () => (link.ask(`set stepper.type ${this.stepper.value}`), this.stepper.blur()),
    });
    this.inputs = FIELDS.map(({ field, label, scale }) => {
      const input = h('input', {
        ariaLabel: label,
        inputMode: 'decimal',
        onchange: () => (link.ask(`set ${field} ${Number(input.value) / scale}`), input.blur()),
      });
      return input;
    });
    this.rate = h('output.rate', { title: 'How fast it runs, times real time' });
    this.words = h('p.words', { role: 'alert', hidden: true });
    // there it would hide the robot
    const isNarrow = typeof matchMedia === 'function' && matchMedia('(max-width: 640px)').matches;
    const fold = h(
      'details',
      { open: !isNarrow },
      h('summary', { title: 'How the scene runs; fold it away' }, h('span', { textContent: 'live' }), this.rate),
      h('label', { title: 'How it is stepped' }, h('span', { textContent: 'stepper' }), this.stepper),
      ...FIELDS.map(({ label, unit, title }, i) =>
        h('label', { title }, h('span', { textContent: label }), this.inputs[i], h('small', { textContent: unit })),
      ),
      h(
        'div.live-buttons',
        {},
        h('button', { title: 'One step (.)', textContent: 'step', onclick: () => link.ask('step') }),
        h('button', { title: 'Back to the start (Backspace)', textContent: 'reset', onclick: () => link.ask('reset') }),
      ),
      h('p.live-hint', { textContent: 'Shift and drag pushes the robot.' }),
    );
    this.element = h('div.live-panel', {}, fold, this.words);
    link.addEventListener('settings', ({ detail }) => this.show(detail));
    link.addEventListener('end', () => {
      this.element.querySelectorAll('select, input, button').forEach((control) => (control.disabled = true));
      this.rate.textContent = 'ended';
    });
    link.addEventListener('words', ({ detail }) => this.say(detail));
  }

  show(settings) {
    this.stepper.replaceChildren(...settings.steppers.map((name) => h('option', { value: name, textContent: name })));
    this.stepper.value = settings.stepper;
    FIELDS.forEach(({ key, scale }, i) => (this.inputs[i].value = Number((settings[key] * scale).toPrecision(6))));
  }

  showRate(rate, isPlaying) {
    this.rate.textContent = isPlaying ? `${figure(rate)}×` : 'paused';
  }

  say(text) {
    this.words.textContent = text;
    this.words.hidden = !text;
  }
}
