// A run as the command recorded it: a header and arrays of 32-bit floats. ../FORMAT.md says what is in them.

export const CONTACT_FLOATS = 12;
export const POSE_FLOATS = 7;

/** Bytes of a base64 text. */
export function decode(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The last index whose time is not after t; times ascend. */
export function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class Recording {
  /**
   * @param {object} header
   * @param {Uint8Array} bytes
   * @param {number} number which of the page's runs it is; the first is the one that the others are compared with
   */
  constructor(header, bytes, number) {
    Object.assign(this, header);
    this.number = number;
    this.bytes = bytes;
    const arrays = header.arrays;
    this.frameTimes = this.floats(arrays.frame_times);
    this.poses = this.floats(arrays.poses);
    this.contactStarts = this.floats(arrays.contact_starts);
    this.contacts = this.floats(arrays.contacts);
    this.rowTimes = Float64Array.from(this.floats(arrays.row_times));
    this.rows = this.floats(arrays.rows);
    this.columns = new Map();
  }

  /** The numbers of a piece [begin, bytes]. */
  floats([begin, count]) {
    return new Float32Array(this.bytes.buffer, this.bytes.byteOffset + begin, count / 4);
  }

  raw([begin, count]) {
    return this.bytes.slice(begin, begin + count).buffer;
  }

  /** All values of a signal. */
  column(signal) {
    if (!this.columns.has(signal)) {
      const width = this.signals.length, values = new Float64Array(this.rowTimes.length);
      for (let row = 0; row < values.length; ++row) values[row] = this.rows[row * width + signal];
      this.columns.set(signal, values);
    }
    return this.columns.get(signal);
  }

  valueAt(signal, time) {
    return this.rows[indexAt(this.rowTimes, time) * this.signals.length + signal];
  }

  /** The signal of this run that another run calls the same, -1 if there is none. */
  find(group, name) {
    return this.signals.findIndex((s) => s.group === group && s.name === name);
  }

  /** At any one time. */
  mostContacts() {
    let most = 0;
    for (let f = 0; f < this.frameTimes.length; ++f) most = Math.max(most, this.contactStarts[f + 1] - this.contactStarts[f]);
    return most;
  }

  /** Contacts of a frame: visit(link, mode, offset of the record, numbers that it is in). */
  forEachContact(frame, visit) {
    for (let c = this.contactStarts[frame]; c < this.contactStarts[frame + 1]; ++c) {
      const at = c * CONTACT_FLOATS;
      visit(this.contacts[at], this.contacts[at + 1], at, this.contacts);
    }
  }

  /** Position of a link, averaged over some seconds around a time: a smooth path to look at. */
  smoothPosition(link, time, window, out) {
    const stride = this.links.length * POSE_FLOATS;
    const from = indexAt(this.frameTimes, time - window), to = indexAt(this.frameTimes, time + window);
    let weights = 0;
    out.set(0, 0, 0);
    for (let f = from; f <= to; ++f) {
      const x = (this.frameTimes[f] - time) / window, at = f * stride + link * POSE_FLOATS;
      const weight = Math.max(1e-6, 1 - x * x);
      out.x += weight * this.poses[at];
      out.y += weight * this.poses[at + 1];
      out.z += weight * this.poses[at + 2];
      weights += weight;
    }
    return out.multiplyScalar(1 / weights);
  }
}

/** All runs of the page; `Kind` is a Recording or a kind of it. */
export function readRecordings(document, Kind = Recording) {
  const headers = [...document.querySelectorAll('script.run-header')];
  const arrays = [...document.querySelectorAll('script.run-arrays')];
  const runs = headers.map((element, i) => {
    const run = new Kind(JSON.parse(element.textContent), decode(arrays[i].textContent), i);
    arrays[i].remove(); // the text is not needed any more
    return run;
  });
  nameRuns(runs);
  return runs;
}

/** Short names that tell runs apart: by stepper if that does, else by step, else by file. */
function nameRuns(runs) {
  const step = (r) => `${r.stepper} ${Number((1000 * r.dt).toPrecision(4))} ms`;
  const file = (r) => r.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  for (const name of [(r) => r.stepper, step, file, (r) => `${file(r)} ${step(r)}`, (r) => `${r.number + 1}: ${step(r)}`]) {
    runs.forEach((r) => (r.label = name(r)));
    if (new Set(runs.map((r) => r.label)).size === runs.length) return;
  }
}
