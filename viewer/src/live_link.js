// The way to and from a scene that runs on this machine: frames and settings come as events, what is asked for goes out
// line by line.
import { decode } from './recording.js';

export class LiveLink extends EventTarget {
  constructor() {
    super();
    this.source = new EventSource('/events');
    this.source.onmessage = ({ data }) => this.tell('frame', new Float32Array(decode(data).buffer));
    this.source.addEventListener('settings', ({ data }) => this.tell('settings', JSON.parse(data)));
    this.source.addEventListener('words', ({ data }) => this.tell('words', JSON.parse(data).text));
    this.source.addEventListener('end', () => this.end('The simulation has ended.'));
    this.source.onerror = () => this.end('The simulation does not answer any more.');
    this.source.onopen = () => this.tell('words', '');
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Nothing more will come; what was seen last stays. */
  end(words) {
    this.isOver = true;
    this.source.close();
    this.tell('words', `${words} Start it again with footfall view --live, then load this page anew.`);
    this.tell('end');
  }

  /** One line, such as "set dt 1ms". What cannot be done is told as words. */
  async ask(line) {
    if (this.isOver) return;
    try {
      const reply = await fetch('/do', { method: 'POST', body: line });
      this.tell('words', reply.ok ? '' : await reply.text());
    } catch {
      this.tell('words', 'The simulation does not answer.');
    }
  }
}
