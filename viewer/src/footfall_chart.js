// Who touches when: a lane for each link that touches something, a bar while it does, in the colours of sticking and
// slipping. Dragging on it goes to a time.
import { h } from './dom.js';

const MOST_LANES = 8, LANE = 12, TOP = 4, BOTTOM = 18;

export const HEIGHTS = [2, LANE - 2, 6]; // of a bar whose contact parts, sticks, slips: told apart without colours, too

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

/** Round times, about so many. */
function ticks(begin, span, count) {
  const rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough), list = [];
  for (let i = Math.ceil(begin / step - 1e-9); i * step <= begin + span * (1 + 1e-9); ++i)
    list.push(Number((i * step).toPrecision(6)));
  return list;
}

export class FootfallChart {
  constructor(runs, playback, theme) {
    this.run = runs[0];
    this.playback = playback;
    this.theme = theme;
    this.canvas = h('canvas');
    this.head = h('div.playhead');
    this.names = h('div.lane-names');
    this.area = h('div.chart-area', { role: 'slider', ariaLabel: 'Time', tabIndex: 0 }, this.canvas, this.head);
    this.element = h('div.footfall-chart', {}, this.names, this.area);
    this.element.style.setProperty('--lane', `${LANE}px`);
    this.findLanes();
    this.listen();
  }

  findLanes() {
    this.lanes = lanesOf(this.run);
    this.height = TOP + LANE * Math.max(1, this.lanes.length) + BOTTOM;
    this.area.style.height = `${this.height}px`;
    this.names.replaceChildren(...this.lanes.map(({ name }) => h('span', { textContent: name, title: name })));
  }

  /** The run has become longer. */
  refresh() {
    this.findLanes();
    this.draw();
  }

  /** Where a time is. */
  x(time) {
    return (this.area.clientWidth * (time - this.playback.begin)) / this.playback.span;
  }

  listen() {
    const seek = (event) => {
      const box = this.area.getBoundingClientRect();
      this.playback.seek(
        this.playback.begin + (this.playback.span * Math.min(box.width, event.clientX - box.left)) / box.width,
      );
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
    this.head.style.left = `${(100 * (this.playback.time - this.playback.begin)) / this.playback.span}%`;
    this.area.setAttribute('aria-valuenow', this.playback.time.toFixed(3));
  }

  draw() {
    const ratio = window.devicePixelRatio, width = this.area.clientWidth, height = this.height;
    if (width === 0) return;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    const paint = this.canvas.getContext('2d');
    paint.scale(ratio, ratio);
    this.drawTimes(paint, width, height);
    this.lanes.forEach(({ lane }, i) => this.drawLane(paint, lane, TOP + i * LANE));
    this.drawPushes(paint, height);
    this.showTime();
  }

  drawTimes(paint, width, height) {
    const floor = height - BOTTOM;
    paint.fillStyle = this.theme.css('lane');
    for (let i = 0; i < Math.max(1, this.lanes.length); ++i) paint.fillRect(0, TOP + i * LANE + 1, width, LANE - 2);
    paint.font = '10.5px system-ui, sans-serif';
    paint.textBaseline = 'top';
    const times = ticks(this.playback.begin, this.playback.span, Math.max(2, width / 90));
    for (const time of times) {
      const x = this.x(time);
      paint.fillStyle = this.theme.css('faint');
      paint.fillRect(Math.round(x), TOP, 1, floor - TOP + 3);
      paint.fillStyle = this.theme.css('muted');
      paint.textAlign = x < 8 ? 'left' : x > width - 20 ? 'right' : 'center';
      paint.fillText(time === times.at(-1) ? `${time} s` : String(time), x, floor + 5);
    }
  }

  /** When the scene pushes: a line over the lanes, and a shade on them. */
  drawPushes(paint, height) {
    for (const { from, duration } of this.run.pushes ?? []) {
      const x = this.x(from), width = Math.max(2, this.x(from + duration) - x);
      paint.fillStyle = this.theme.push;
      paint.fillRect(x, TOP - 3, width, 3);
      paint.globalAlpha = 0.22;
      paint.fillRect(x, TOP, width, height - BOTTOM - TOP);
      paint.globalAlpha = 1;
    }
  }

  drawLane(paint, lane, y) {
    const times = this.run.frameTimes;
    for (let begin = 0; begin < lane.length; ) {
      let next = begin + 1;
      while (next < lane.length && lane[next] === lane[begin]) ++next;
      if (lane[begin] > 0) {
        const until = next < lane.length ? times[next] : this.run.end;
        const mode = lane[begin] - 1, height = HEIGHTS[mode];
        paint.fillStyle = this.theme.contact(mode);
        paint.fillRect(
          this.x(times[begin]),
          y + (LANE - height) / 2,
          Math.max(1, this.x(until) - this.x(times[begin])),
          height,
        );
      }
      begin = next;
    }
  }
}
