// All plots, one below the other, over the same times. One of them is active: signals that are picked go there.
import { h } from './dom.js';
import { Plot } from './plot.js';

const LOW = 84, HIGH = 260; // pixels of a plot
const ROOM = 70; // that the panel takes besides

export class PlotPanel extends EventTarget {
  constructor(runs, playback, theme, isRunShown) {
    super();
    Object.assign(this, { runs, playback, theme, isRunShown, plots: [], active: null, range: null });
    this.list = h('div.plots');
    this.element = h('div.plot-panel', {}, this.list,
      h('button.add', { title: 'An empty plot (N)', onclick: () => this.add([]) }, '+ plot'));
    this.height = LOW;
    new ResizeObserver(() => this.fit()).observe(this.element);
    playback.addEventListener('time', () => this.plots.forEach((plot) => plot.showTime()));
    theme.addEventListener('change', () => this.rebuild());
  }

  /** The runs have been read. */
  begin(lists) {
    this.isReady = true;
    lists.forEach((signals) => this.add(signals));
    this.fit();
    this.rebuild(); // those that were asked for before
  }

  /** Three plots fill the panel, if they are neither too low nor too high for that. */
  fit() {
    const heads = this.plots
      .slice(0, 3)
      .reduce((sum, { element, canvas }) => sum + element.offsetHeight - canvas.offsetHeight, 0);
    const height = Math.round(Math.min(HIGH, Math.max(LOW, (this.element.clientHeight - ROOM - heads) / 3)));
    if (height === this.height) return;
    this.height = height;
    for (const { uplot, canvas } of this.plots) uplot?.setSize({ width: canvas.clientWidth, height });
  }

  tell() {
    this.dispatchEvent(new Event('change'));
  }

  add(signals) {
    const plot = new Plot(this);
    plot.signals = [...signals];
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.build();
    this.activate(plot);
    if (signals.length === 0) plot.element.scrollIntoView({ block: 'nearest' });
    return plot;
  }

  remove(plot) {
    plot.uplot?.destroy();
    plot.element.remove();
    this.plots = this.plots.filter((other) => other !== plot);
    if (this.active === plot) this.activate(this.plots.at(-1) ?? null);
    this.tell();
  }

  activate(plot) {
    if (plot && !this.plots.includes(plot)) return;
    this.active = plot;
    this.plots.forEach((other) => other.element.classList.toggle('is-active', other === plot && this.plots.length > 1));
    this.tell();
  }

  /** Put a signal into the active plot, or take it out; or plot it anew. */
  toggle(signal, isNew) {
    if (isNew || !this.active) this.add([signal]);
    else this.active.toggle(signal);
    this.tell();
  }

  isPlotted(signal) {
    return this.plots.some((plot) => plot.has(signal));
  }

  zoom(range) {
    this.range = range;
    for (const { uplot } of this.plots)
      uplot?.setScale('x', {
        min: range?.[0] ?? this.playback.begin,
        max: range?.[1] ?? this.playback.begin + this.playback.span,
      });
    this.plots.forEach((plot) => plot.showTime());
  }

  /** The runs have become longer. */
  refresh() {
    this.plots.forEach((plot) => plot.refresh());
    this.zoom(this.range);
  }

  rebuild() {
    this.plots.forEach((plot) => plot.build());
  }
}
