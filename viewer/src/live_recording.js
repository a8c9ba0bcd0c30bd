// A run that goes on: frames come one by one, and the oldest are forgotten.
import { CONTACT_FLOATS, POSE_FLOATS, Recording, indexAt } from './recording.js';

const MOST_FRAMES = 2400;

export class LiveRecording extends Recording {
  constructor(header, bytes, number) {
    super(header, bytes, number);
    this.pose = this.links.length * POSE_FLOATS;
    this.store = {
      times: new Float64Array(MOST_FRAMES),
      poses: new Float32Array(MOST_FRAMES * this.pose),
      rows: new Float32Array(MOST_FRAMES * this.signals.length),
    };
    this.frameContacts = [];
    const first = {
      time: this.frameTimes[0],
      poses: this.poses,
      row: new Float32Array(this.signals.length),
      contacts: this.contacts,
    };
    this.count = 0;
    this.first = first.time;
    this.append(first);
  }

  /** Those of the first frame: all that is there of rows before the scene runs. */
  takeRows(bytes) {
    super.takeRows(bytes);
    if (this.store.times[0] === this.first) this.store.rows.set(this.values); // frames have come in the meantime
    this.show();
  }

  column(signal) {
    if (!this.columns.has(signal)) {
      const width = this.signals.length, values = new Float64Array(this.count);
      for (let row = 0; row < values.length; ++row) values[row] = this.rows[row * width + signal];
      this.columns.set(signal, values);
    }
    return this.columns.get(signal);
  }

  valueAt(signal, time) {
    return this.rows[indexAt(this.rowTimes, time) * this.signals.length + signal];
  }

  /** Numbers as a live scene sends them: rate, is it playing, time, how many contacts, poses, signals, contacts. */
  read(numbers) {
    const poses = 4 + this.pose, rows = poses + this.signals.length;
    return {
      rate: numbers[0],
      isPlaying: numbers[1] > 0,
      time: numbers[2],
      poses: numbers.subarray(4, poses),
      row: numbers.subarray(poses, rows),
      contacts: numbers.subarray(rows, rows + numbers[3] * CONTACT_FLOATS),
    };
  }

  /** A frame that is not later than the last one begins anew: the scene was reset, or it is the same. */
  append({ time, poses, row, contacts }) {
    const { store, pose } = this, width = this.signals.length;
    if (this.count > 0 && time < this.end) this.forget(this.count);
    if (this.count > 0 && time === this.end) this.forgetLast();
    if (this.count === MOST_FRAMES) this.forget(MOST_FRAMES / 4);
    store.times[this.count] = time;
    store.poses.set(poses, this.count * pose);
    store.rows.set(row, this.count * width);
    this.frameContacts.push(contacts.slice());
    ++this.count;
    this.show();
  }

  forget(frames) {
    const { store, pose } = this;
    store.times.copyWithin(0, frames);
    store.poses.copyWithin(0, frames * pose);
    store.rows.copyWithin(0, frames * this.signals.length);
    this.frameContacts.splice(0, frames);
    this.count -= frames;
  }

  forgetLast() {
    this.frameContacts.pop();
    --this.count;
  }

  /** What others look at. */
  show() {
    const { store, count, pose } = this;
    this.frameTimes = this.rowTimes = store.times.subarray(0, count);
    this.poses = store.poses.subarray(0, count * pose);
    this.rows = store.rows.subarray(0, count * this.signals.length);
    this.end = store.times[count - 1];
    this.columns.clear();
  }

  mostContacts() {
    return Math.max(...this.frameContacts.map((contacts) => contacts.length / CONTACT_FLOATS));
  }

  forEachContact(frame, visit) {
    const contacts = this.frameContacts[frame] ?? [];
    for (let at = 0; at < contacts.length; at += CONTACT_FLOATS) visit(contacts[at], contacts[at + 1], at, contacts);
  }
}
