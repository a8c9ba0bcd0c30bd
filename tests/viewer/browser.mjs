// A headless Chromium, spoken to over a pipe in its own protocol (https://chromedevtools.github.io/devtools-protocol):
// no package is needed for that.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--force-device-scale-factor=1',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--remote-debugging-pipe',
];

export class Browser {
  /** @param {string} program chromium's name or path */
  constructor(program) {
    this.folder = mkdtempSync(join(tmpdir(), 'footfall-browser-'));
    this.child = spawn(program, [...ARGUMENTS, `--user-data-dir=${this.folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.waiting = new Map();
    this.listeners = [];
    this.next = 1;
    let text = '';
    this.child.stdio[4].setEncoding('utf8').on('data', (chunk) => {
      const parts = (text + chunk).split('\0');
      text = parts.pop();
      parts.forEach((part) => this.hear(JSON.parse(part)));
    });
    this.child.on('exit', () => this.waiting.forEach(({ reject }) => reject(new Error('the browser has ended'))));
    this.child.on('error', (error) => this.waiting.forEach(({ reject }) => reject(error)));
  }

  hear(message) {
    const call = this.waiting.get(message.id);
    if (!call) return this.listeners.forEach((listener) => listener(message));
    this.waiting.delete(message.id);
    if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
    else call.resolve(message.result);
    return undefined;
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
  }

  /** Seconds of processors that all its processes have taken. */
  async cpu() {
    return (await this.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  }

  async close() {
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    await this.send('Browser.close').catch(() => {});
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export class Tab {
  /**
   * A new tab of so many pixels, in which every page runs `prelude` first. `complaints` collects errors and warnings
   * of its console, and everything it asks the network for.
   */
  static async open(browser, width, height, prelude) {
    const tab = new Tab();
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    Object.assign(tab, { browser, sessionId, targetId, complaints: [], requests: [] });
    browser.listeners.push((message) => message.sessionId === sessionId && tab.hear(message));
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    await tab.resize(width, height);
    if (prelude) await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: prelude });
    return tab;
  }

  resize(width, height) {
    return this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  close() {
    return this.browser.send('Target.closeTarget', { targetId: this.targetId });
  }

  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.complaints.push(params.args.map((a) => a.value ?? a.description).join(' '));
    if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
      this.complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Page.loadEventFired') this.onLoad?.();
  }

  async go(url) {
    const loaded = new Promise((resolve) => (this.onLoad = resolve));
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page; promises are waited for. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Wait until an expression is true, for five seconds and more where the machine is busy. */
  async until(expression, why) {
    for (let i = 0; i < 200; ++i, await new Promise((done) => setTimeout(done, 50)))
      if (await this.value(expression)) return;
    throw new Error(why);
  }

  async key(key) {
    const text = key.length === 1 ? key : undefined;
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async click(x, y) {
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button: 'left',
        buttons: type === 'mousePressed' ? 1 : 0,
        clickCount: 1,
      });
  }

  /** @returns {Promise<Buffer>} PNG */
  async screenshot() {
    return Buffer.from((await this.send('Page.captureScreenshot', { format: 'png' })).data, 'base64');
  }
}
