// The way to and from a scene that runs on this machine: frames and settings come as events, what is asked for goes out line by line.
import { decode } from './recording.js';

export class LiveLink extends EventTarget {
  constructor() {
    super();
    this.source = new EventSource('/events');
    this.source.onmessage = ({ data }) => this.tell('frame', new Float32Array(decode(data).buffer));
    this.source.addEventListener('settings', ({ data }) => this.tell('settings', JSON.parse(data)));
    this.source.addEventListener('words', ({ data }) => this.tell('words', JSON.parse(data).text));
    this.source.onerror = () => this.tell('words', 'The simulation has ended, or does not answer.');
    this.source.onopen = () => this.tell('words', '');
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** One line, such as "set dt 1ms". What cannot be done is told as words. */
  async ask(line) {
    try {
      const reply = await fetch('/do', { method: 'POST', body: line });
      this.tell('words', reply.ok ? '' : await reply.text());
    } catch {
      this.tell('words', 'The simulation does not answer.');
    }
  }
}
