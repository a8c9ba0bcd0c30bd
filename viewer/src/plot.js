// One plot: signals of one or several runs over time, a line at the present time, and their values there. A run's lines
// are told apart by their dashes.
import uPlot from 'uplot';
import { figure, h } from './dom.js';

const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3]];
export const SYNC = uPlot.sync('runs');

/** Axis labels without needless digits; where they cannot be told apart, one in the middle. */
function axisValues(plot, splits) {
  const texts = splits.map((v) => {
    if (v === null) return '';
    const text = Math.abs(v) >= 1e5 ? Number(v.toPrecision(3)).toExponential() : Number(v.toPrecision(5)).toString();
    return text.replace('e+', 'e').replace('-', '−');
  });
  return new Set(texts).size === texts.length ? texts : texts.map((text, i) => (i === texts.length >> 1 ? text : ''));
}

// of a value: numbers are floats, and uPlot's marks have no end where an axis is much finer than those
const FINEST = 1e-5;

/**
 * The range of an axis: what there is, with some room, but never so little that it would show the digits that floats
 * do not have.
 */
export function axisRange(low, high) {
  if (low === null || high === null) return [0, 1];
  const least = Math.max(FINEST * Math.max(Math.abs(low), Math.abs(high)), 1e-9);
  const missing = Math.max(0, least - (high - low));
  return uPlot.rangeNum(low - missing / 2, high + missing / 2, 0.1, true);
}

const timeValues = (plot, splits) =>
  axisValues(plot, splits).map((text, i) => (i === splits.length - 1 ? `${text} s` : text));

export class Plot {
  /** @param {object} panel that it belongs to: runs, theme, playback, isRunShown(), activate(), remove(), zoom() */
  constructor(panel) {
    this.panel = panel;
    this.signals = []; // {group, name, unit}
    this.legend = h('div.plot-legend');
    this.head = h('div.playhead');
    this.canvas = h('div.plot-canvas');
    this.element = h(
      'section.plot',
      { onpointerdown: () => panel.activate(this) },
      h(
        'header',
        {},
        this.legend,
        h('button.close', {
          title: 'Remove this plot',
          ariaLabel: 'Remove this plot',
          textContent: '×',
          onclick: () => panel.remove(this),
        }),
      ),
      this.canvas,
    );
    new ResizeObserver(() => this.uplot?.setSize({ width: this.canvas.clientWidth, height: panel.height })).observe(
      this.canvas,
    );
  }

  has(signal) {
    return this.signals.some((s) => s.group === signal.group && s.name === signal.name);
  }

  toggle(signal) {
    if (this.has(signal)) this.signals = this.signals.filter((s) => s.group !== signal.group || s.name !== signal.name);
    else this.signals.push({ group: signal.group, name: signal.name, unit: signal.unit });
    this.build();
  }

  /**
   * The lines: each signal in each run that is shown and has it. One signal of many runs has the runs' colours, many
   * signals have their own.
   */
  lines() {
    if (!this.panel.isReady) return [];
    const { runs, theme } = this.panel, byRun = this.signals.length === 1 && runs.length > 1;
    return this.signals.flatMap((signal, i) =>
      runs.filter((run) => this.panel.isRunShown(run.number)).map((run) => ({
        run, signal, index: run.find(signal.group, signal.name),
        colour: !byRun ? theme.series(i) : run.number === 0 ? theme.css('text') : theme.ghost(run.number),
        dash: byRun ? 0 : run.number % DASHES.length,
      })))
      .filter(({ index }) => index >= 0);
  }

  build() {
    const lines = this.lines();
    this.uplot?.destroy();
    this.uplot = null;
    this.canvas.replaceChildren();
    this.showLegend(lines);
    if (lines.length === 0) {
      this.canvas.append(h('p.hint', { textContent: 'Pick a signal below, or click a part of the robot.' }));
      return;
    }
    lines.reverse(); // the first run is drawn over the others
    this.drawn = lines;
    const isAnyWhole = lines.some(({ run }) => !run.failure); // runs that ran away do not say how far the axis goes
    const series = lines.map(({ run, colour, dash }) => ({
      stroke: colour,
      width: run.number === 0 ? 1.7 : 1.3,
      dash: DASHES[dash],
      points: { show: run.rowTimes.length === 1 },
      spanGaps: true,
      auto: !run.failure || !isAnyWhole,
    }));
    this.uplot = new uPlot(this.options(series), this.data(), this.canvas);
    this.uplot.over.append(this.head);
    this.listen();
  }

  data() {
    return uPlot.join(this.drawn.map(({ run, index }) => [run.rowTimes, run.column(index)]));
  }

  /** The runs have become longer. */
  refresh() {
    this.uplot?.setData(this.data(), false);
  }

  options(series) {
    const { theme, playback, range } = this.panel;
    const axis = {
      stroke: theme.css('muted'),
      font: '10.5px system-ui, sans-serif',
      grid: { stroke: theme.css('faint'), width: 1 },
      ticks: { show: false },
      values: axisValues,
    };
    return {
      width: Math.max(80, this.canvas.clientWidth),
      height: this.panel.height,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, min: range?.[0] ?? playback.begin, max: range?.[1] ?? playback.begin + playback.span },
        y: { range: (plot, low, high) => axisRange(low, high) },
      },
      axes: [
        { ...axis, size: 22, gap: 5, values: timeValues },
        { ...axis, size: 46, gap: 4, space: 18 },
      ],
      series: [{}, ...series],
      cursor: {
        sync: { key: SYNC.key, setSeries: false },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        points: { size: 6 },
        y: false,
      },
      select: { show: true },
      hooks: { setSelect: [(plot) => this.onSelect(plot)], draw: [() => this.showTime()] },
    };
  }

  onSelect(plot) {
    if (plot.select.width < 6) return;
    this.panel.zoom([plot.posToVal(plot.select.left, 'x'), plot.posToVal(plot.select.left + plot.select.width, 'x')]);
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  /** A click goes to that time; two show all times again. */
  listen() {
    const { over } = this.uplot;
    let pressed = 0;
    over.addEventListener('pointerdown', (event) => (pressed = event.clientX));
    over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - pressed) < 5)
        this.panel.playback.seek(this.uplot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    });
    over.addEventListener('dblclick', () => this.panel.zoom(null));
  }

  /** A chip for each line; of many signals those of the first run only, since the others have the same colours. */
  showLegend(lines) {
    const isByRun = this.signals.length === 1 && this.panel.runs.length > 1, first = lines[0]?.run;
    const chips = lines.filter(({ run }) => isByRun || run === first).map((line) => this.chip(line, isByRun));
    const title =
      isByRun && lines.length
        ? h('span.plot-title', { textContent: `${label(this.signals[0])} [${this.signals[0].unit}]` })
        : null;
    this.values = chips.map(({ value }) => value);
    this.legend.replaceChildren(...[title].filter(Boolean), ...chips.map(({ element }) => element));
  }

  chip({ run, signal, colour, index }, isByRun) {
    const output = h('output'), swatch = h('i.swatch');
    swatch.style.color = colour;
    const element = h(
      'button.chip',
      {
        title: `${signal.group}: ${signal.name}, ${run.label}. Click to remove.`,
        onclick: () => this.toggleAndTell(signal),
      },
      swatch,
      h('span', { textContent: isByRun ? run.label : label(signal) }),
      output,
      h('small', { textContent: isByRun || signal.unit === '1' ? '' : signal.unit }),
    );
    return { element, value: { run, index, output } };
  }

  toggleAndTell(signal) {
    this.toggle(signal);
    this.panel.tell();
  }

  showTime() {
    const { time } = this.panel.playback;
    for (const { run, index, output } of this.values ?? [])
      output.textContent = time > run.end ? '–' : figure(run.valueAt(index, time));
    if (!this.uplot) return;
    const x = this.uplot.valToPos(time, 'x'), inside = x >= -1 && x <= this.uplot.over.clientWidth + 1;
    this.head.style.transform = `translateX(${x}px)`;
    this.head.hidden = !inside;
  }
}

/** Names that say what they are without their group. */
function label({ group, name }) {
  return ['joint positions', 'joint velocities', 'contact forces', 'contacts'].includes(group)
    ? name
    : `${group} ${name}`;
}
