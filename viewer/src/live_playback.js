// The clock of a page whose scene runs meanwhile: it shows the last frame while that runs, and looks back while it is
// paused.
import { Playback } from './playback.js';

const WINDOW = 10; // seconds that are shown

export class LivePlayback extends Playback {
  constructor(link, run) {
    super(run.end);
    this.speed = 1;
    this.link = link;
    this.run = run;
    this.isLive = true;
  }

  play(isPlaying) {
    this.link.ask(isPlaying ? 'play' : 'pause');
  }

  loop() {}

  setSpeed(speed) {
    super.setSpeed(speed);
    this.link.ask(`speed ${speed}`);
  }

  /** A step back in what was seen; a step on of the scene itself, at the end of it. */
  seek(time) {
    if (time > this.end && !this.isPlaying) this.link.ask('step');
    super.seek(Math.max(this.begin, time));
  }

  advance() {}

  arrive(isPlaying) {
    const wasPlaying = this.isPlaying;
    this.end = this.run.end;
    this.begin = Math.max(this.run.frameTimes[0], this.end - WINDOW);
    this.isPlaying = isPlaying;
    if (wasPlaying !== isPlaying) this.tell('mode');
    super.seek(this.end);
  }
}
