// A run as the command recorded it: a header and arrays of 32-bit floats. ../FORMAT.md says what is in them.

export const CONTACT_FLOATS = 12;
export const POSE_FLOATS = 7;
// seconds between frames beyond which steps of a robot are missed: then nothing is guessed between them
export const COARSE = 0.06;

/** Bytes of a base64 text. */
export function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Bytes of a text that was deflated. */
async function inflate(text) {
  const stream = new Blob([decode(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Columns of numbers, of which all first bytes come first, then all second ones: as columns, or as rows. */
export function assemble(bytes, [begin, count], width, isByRows) {
  const floats = new Float32Array(count / 4);
  const out = new Uint8Array(floats.buffer);
  const rows = width ? count / (4 * width) : 0;
  const alongRow = isByRows ? 4 : 4 * rows, alongColumn = isByRows ? 4 * width : 4;
  for (let column = 0, from = begin; column < width; ++column)
    for (let k = 0; k < 4; ++k)
      for (let row = 0, to = column * alongRow + k; row < rows; ++row, to += alongColumn) out[to] = bytes[from++];
  return floats;
}

/** The last index whose time is not after t; times ascend, and were rounded to 32 bits, which may be upwards. */
export function indexAt(times, time) {
  const t = Math.fround(time);
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
   * @param {Uint8Array} bytes what is drawn; what is plotted comes later
   * @param {number} number which of the page's runs it is; the first is the one that the others are compared with
   */
  constructor(header, bytes, number) {
    Object.assign(this, header);
    this.number = number;
    this.bytes = bytes;
    const arrays = header.arrays;
    this.frameTimes = assemble(bytes, arrays.frame_times, 1);
    this.poses = assemble(bytes, arrays.poses, this.links.length * POSE_FLOATS, true);
    this.contactStarts = assemble(bytes, arrays.contact_starts, 1);
    this.contacts = assemble(bytes, arrays.contacts, CONTACT_FLOATS, true);
    this.columns = new Map();
  }

  /** What is plotted has been read. */
  takeRows(bytes) {
    this.rowTimes = Float64Array.from(assemble(bytes, this.arrays.row_times, 1));
    this.values = assemble(bytes, this.arrays.rows, this.signals.length);
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
    const count = this.rowTimes.length;
    if (!this.columns.has(signal))
      this.columns.set(signal, Float64Array.from(this.values.subarray(signal * count, (signal + 1) * count)));
    return this.columns.get(signal);
  }

  valueAt(signal, time) {
    return this.values[signal * this.rowTimes.length + indexAt(this.rowTimes, time)];
  }

  /** The signal of this run that another run calls the same, -1 if there is none. */
  find(group, name) {
    return this.signals.findIndex((s) => s.group === group && s.name === name);
  }

  /** At any one time. */
  mostContacts() {
    let most = 0;
    for (let f = 0; f < this.frameTimes.length; ++f)
      most = Math.max(most, this.contactStarts[f + 1] - this.contactStarts[f]);
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

/** The texts of all elements of a class, which are not needed any more. */
function take(document, name) {
  return [...document.querySelectorAll(`script.${name}`)].map((element) => {
    element.remove();
    return element.textContent;
  });
}

/** All runs of the page, as far as they are drawn; `Kind` is a Recording or a kind of it. */
export async function readRecordings(document, Kind = Recording) {
  const headers = take(document, 'run-header').map((text) => JSON.parse(text));
  const bytes = await Promise.all(take(document, 'run-arrays').map(inflate));
  const runs = headers.map((header, i) => new Kind(header, bytes[i], i));
  nameRuns(runs);
  return runs;
}

/** The rest of them. */
export async function readRows(document, runs) {
  const bytes = await Promise.all(take(document, 'run-rows').map(inflate));
  runs.forEach((run, i) => run.takeRows(bytes[i]));
}

/** Short names that tell runs apart: by stepper if that does, else by step, else by file. */
function nameRuns(runs) {
  const step = (r) => `${r.stepper} ${Number((1000 * r.dt).toPrecision(4))} ms`;
  const file = (r) => r.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  for (const name of [
    (r) => r.stepper,
    step,
    file,
    (r) => `${file(r)} ${step(r)}`,
    (r) => `${r.number + 1}: ${step(r)}`,
  ]) {
    runs.forEach((r) => (r.label = name(r)));
    if (new Set(runs.map((r) => r.label)).size === runs.length) return;
  }
}
