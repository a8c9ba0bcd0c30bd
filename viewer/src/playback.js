// The clock of the page: everything that moves follows its time.

export const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

const SHORTEST = 1.5; // seconds that a run should be seen for, once

export class Playback extends EventTarget {
  /** A run that goes on where another ended does not begin at 0. */
  constructor(end, begin = 0) {
    super();
    this.begin = begin;
    this.end = end;
    this.time = begin;
    // what is short is shown slowly
    this.speed =
      SPEEDS.filter((speed) => speed <= 1)
        .reverse()
        .find((speed) => end === begin || (end - begin) / speed >= SHORTEST) ?? SPEEDS[0];
    this.isPlaying = false;
    this.isLooping = true;
  }

  /** Seconds from begin to end; not zero, for those who divide by it. */
  get span() {
    return this.end - this.begin || 1;
  }

  tell(type) {
    this.dispatchEvent(new Event(type));
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.begin, time));
    this.tell('time');
  }

  play(isPlaying) {
    if (isPlaying && !this.isLooping && this.time >= this.end) this.seek(this.begin);
    this.isPlaying = isPlaying;
    this.tell('mode');
  }

  toggle() {
    this.play(!this.isPlaying);
  }

  loop(isLooping) {
    this.isLooping = isLooping;
    this.tell('mode');
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell('mode');
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
  }

  /** So many seconds have passed outside. */
  advance(seconds) {
    if (!this.isPlaying || this.end === this.begin) return;
    let time = this.time + this.speed * seconds;
    if (time >= this.end) {
      if (this.isLooping) time = this.begin + ((time - this.begin) % this.span);
      else this.play(false);
    }
    this.seek(time);
  }
}
