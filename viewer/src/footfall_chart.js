// Who touches when: a lane for each link that touches something, a bar while it does, in the colours of sticking and slipping. Dragging on it goes to a time.
import { h } from './dom.js';

const MOST_LANES = 8, LANE = 9, TOP = 4, BOTTOM = 18;

/** Links by how long they touch; those that never do are left out. In the order of the model. */
function lanesOf(run) {
  const frames = run.frameTimes.length, modes = new Map();
  for (let frame = 0; frame < frames; ++frame)
    run.forEachContact(frame, (link, mode) => {
      if (link < 0) return;
      if (!modes.has(link)) modes.set(link, new Uint8Array(frames));
      const lane = modes.get(link);
      lane[frame] = Math.max(lane[frame], mode + 1); // 0: does not touch
    });
  const busy = ([, lane]) => lane.reduce((sum, mode) => sum + (mode > 0), 0);
  return [...modes].sort((a, b) => busy(b) - busy(a)).slice(0, MOST_LANES).sort((a, b) => a[0] - b[0])
    .map(([link, lane]) => ({ name: run.links[link].name, lane }));
}

/** Round steps, about so many. */
export function ticks(end, count) {
  const rough = end / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
  const list = [];
  for (let i = 0; i * step <= end * (1 + 1e-9); ++i) list.push(Number((i * step).toPrecision(6)));
  return list;
}

export class FootfallChart {
  constructor(runs, playback, theme) {
    this.run = runs[0];
    this.playback = playback;
    this.theme = theme;
    this.lanes = lanesOf(this.run);
    this.canvas = h('canvas');
    this.head = h('div.playhead');
    this.names = h('div.lane-names', {}, ...this.lanes.map(({ name }) => h('span', { textContent: name, title: name })));
    this.area = h('div.chart-area', { role: 'slider', ariaLabel: 'Time', tabIndex: 0 }, this.canvas, this.head);
    this.element = h('div.footfall-chart', {}, this.names, this.area);
    this.height = TOP + LANE * Math.max(1, this.lanes.length) + BOTTOM;
    this.element.style.setProperty('--lane', `${LANE}px`);
    this.area.style.height = `${this.height}px`;
    this.listen();
  }

  listen() {
    const seek = (event) => {
      const box = this.area.getBoundingClientRect();
      this.playback.seek((this.playback.end * (event.clientX - box.left)) / box.width);
    };
    this.area.addEventListener('pointerdown', (event) => {
      this.area.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.area.addEventListener('pointermove', (event) => event.buttons & 1 && seek(event));
    this.playback.addEventListener('time', () => this.showTime());
    this.theme.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.area);
  }

  showTime() {
    this.head.style.left = `${(100 * this.playback.time) / (this.playback.end || 1)}%`;
    this.area.setAttribute('aria-valuenow', this.playback.time.toFixed(3));
  }

  draw() {
    const ratio = window.devicePixelRatio, width = this.area.clientWidth, height = this.height;
    if (width === 0) return;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    const paint = this.canvas.getContext('2d');
    paint.scale(ratio, ratio);
    this.drawTimes(paint, width, height);
    this.lanes.forEach(({ lane }, i) => this.drawLane(paint, lane, TOP + i * LANE, width));
    this.showTime();
  }

  drawTimes(paint, width, height) {
    const x = (time) => (width * time) / (this.playback.end || 1), floor = height - BOTTOM;
    paint.fillStyle = this.theme.css('lane');
    for (let i = 0; i < Math.max(1, this.lanes.length); ++i) paint.fillRect(0, TOP + i * LANE + 1, width, LANE - 2);
    paint.font = '10.5px system-ui, sans-serif';
    paint.textBaseline = 'top';
    for (const time of ticks(this.playback.end || 1, Math.max(2, width / 90))) {
      paint.fillStyle = this.theme.css('faint');
      paint.fillRect(Math.round(x(time)), TOP, 1, floor - TOP + 3);
      paint.fillStyle = this.theme.css('muted');
      paint.textAlign = time === 0 ? 'left' : x(time) > width - 16 ? 'right' : 'center';
      paint.fillText(String(time), x(time), floor + 5);
    }
  }

  drawLane(paint, lane, y, width) {
    const times = this.run.frameTimes, x = (time) => (width * time) / (this.playback.end || 1);
    for (let begin = 0; begin < lane.length; ) {
      let next = begin + 1;
      while (next < lane.length && lane[next] === lane[begin]) ++next;
      if (lane[begin] > 0) {
        const until = next < lane.length ? times[next] : this.run.end;
        paint.fillStyle = this.theme.contact(lane[begin] - 1);
        paint.fillRect(x(times[begin]), y + 1, Math.max(1, x(until) - x(times[begin])), LANE - 2);
      }
      begin = next;
    }
  }
}
