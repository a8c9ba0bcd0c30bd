// The bar below: play, speed, time, and the footfall chart, which is also what one drags to go to another time.
import { FootfallChart } from './footfall_chart.js';
import { h, icon } from './dom.js';
import { SPEEDS } from './playback.js';

const PLAY = 'M8 5.5v13l10.5-6.5z';
const PAUSE = 'M8 5.5v13M16 5.5v13';
const LOOP = 'M17 3.5l3 3-3 3M20 6.5H8a4 4 0 0 0-4 4v1M7 20.5l-3-3 3-3M4 17.5h12a4 4 0 0 0 4-4v-1';

const asSpeed = (speed) => `${speed}×`;

export class Transport {
  constructor(playback, runs, theme) {
    this.playback = playback;
    this.play = h(
      'button.play',
      { title: 'Play or pause (space)', ariaLabel: 'Play or pause', onclick: () => playback.toggle() },
      icon(PLAY),
    );
    this.loop = h(
      'button.tool',
      { title: 'Begin again at the end (L)', ariaLabel: 'Loop', onclick: () => playback.loop(!playback.isLooping) },
      icon(LOOP),
    );
    this.speed = h(
      'select.speed',
      {
        title: 'Speed (− and +)',
        ariaLabel: 'Speed',
        onchange: () => (playback.setSpeed(Number(this.speed.value)), this.speed.blur()),
      },
      ...SPEEDS.map((speed) => h('option', { value: speed, textContent: asSpeed(speed) })),
    );
    this.clock = h('output.clock');
    this.chart = new FootfallChart(runs, playback, theme);
    this.element = h(
      'footer.transport',
      {},
      h('div.buttons', {}, this.play, this.speed, this.loop, this.clock),
      this.chart.element,
    );
    this.loop.hidden = Boolean(playback.isLive);
    playback.addEventListener('time', () => this.showTime());
    playback.addEventListener('mode', () => this.showMode());
    this.showTime();
    this.showMode();
  }

  showTime() {
    const digits = this.playback.end < 1 && !this.playback.isLive ? 4 : 2;
    this.clock.replaceChildren(
      h('b', { textContent: this.playback.time.toFixed(digits) }),
      ` / ${this.playback.end.toFixed(digits)} s`,
    );
  }

  showMode() {
    this.play.replaceChildren(icon(this.playback.isPlaying ? PAUSE : PLAY));
    this.play.classList.toggle('is-playing', this.playback.isPlaying);
    this.loop.setAttribute('aria-pressed', this.playback.isLooping);
    this.speed.value = this.playback.speed;
  }
}
