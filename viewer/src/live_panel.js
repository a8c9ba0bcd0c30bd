// What can be changed while a scene runs.
import { figure, h } from './dom.js';

const FIELDS = [
  { key: 'dt', field: 'dt', label: 'dt', unit: 'ms', scale: 1000 },
  { key: 'stiffness', field: 'material.stiffness', label: 'K', unit: 'N/m', scale: 1 },
  { key: 'damping', field: 'material.damping', label: 'B', unit: 'N s/m', scale: 1 },
  { key: 'friction', field: 'material.friction', label: 'μ', unit: '', scale: 1 },
];

export class LivePanel {
  constructor(link) {
    this.stepper = h('select', { ariaLabel: 'Stepper', onchange: () => link.ask(`set stepper.type ${this.stepper.value}`) });
    this.inputs = FIELDS.map(({ field, label, scale }) => {
      const input = h('input', { ariaLabel: label, inputMode: 'decimal', onchange: () => link.ask(`set ${field} ${Number(input.value) / scale}`) });
      return input;
    });
    this.rate = h('output.rate', { title: 'How fast it runs, times real time' });
    this.words = h('p.words', { role: 'alert', hidden: true });
    this.element = h('div.live-panel', {},
      h('label', {}, h('span', { textContent: 'stepper' }), this.stepper),
      ...FIELDS.map(({ label, unit }, i) => h('label', {}, h('span', { textContent: label }), this.inputs[i], h('small', { textContent: unit }))),
      h('div.live-buttons', {}, h('button', { title: 'One step (.)', textContent: 'step', onclick: () => link.ask('step') }),
        h('button', { title: 'Back to the start (Backspace)', textContent: 'reset', onclick: () => link.ask('reset') }), this.rate),
      h('p.live-hint', { textContent: 'Shift and drag pushes the robot.' }), this.words);
    link.addEventListener('settings', ({ detail }) => this.show(detail));
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
