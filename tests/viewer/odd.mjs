// How long a page takes to open; pages of runs that are short, empty, odd or damaged, and browsers that cannot draw
// them; a model that runs live, and ends.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tab } from './browser.mjs';
import { check, expect } from './cases.mjs';

const quiet = (tab) => expect(tab.complaints.length === 0, `the console says: ${tab.complaints.join('\n')}`);
const text = (tab, selector) => tab.value(`document.querySelector('${selector}')?.innerText ?? ''`);

async function look(browser, url, body, { width = 480, height = 360, prelude } = {}) {
  const tab = await Tab.open(browser, width, height, prelude);
  await tab.go(url);
  await body(tab);
  await tab.close();
}

/** The best of three: others have the machine, too, and the browser itself starts with the first. */
export async function opening(browser, url, what, most) {
  await check(what, async () => {
    const times = [];
    for (let i = 0; i < 3; ++i) {
      const before = await browser.cpu();
      await look(browser, url, async (tab) => {
        await tab.until(`performance.getEntriesByName('ready').length`, 'it does not get ready');
        const [seen, ready] = await tab.value(
          `['first picture', 'ready'].map((name) => performance.getEntriesByName(name)[0].startTime)`,
        );
        times.push({ seen, ready });
        const processors = 1000 * ((await browser.cpu()) - before);
        console.log(
          `first picture after ${seen.toFixed(0)} ms, all there after ${ready.toFixed(0)} ms; ` +
            `${processors.toFixed(0)} ms of processors, those of drawing without a graphics card among them`,
        );
      }, { width: 1280, height: 800 });
    }
    const best = Math.min(...times.map(({ ready }) => ready));
    expect(times.every(({ seen, ready }) => seen <= ready) && best < most, `it took ${best} ms at best`);
  });
}

const NO_WEBGL = `{
  const all = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : all.call(this, kind, ...rest);
  };
}`;

/** Pages that FOLDER has. */
export async function oddPages(browser, folder) {
  const at = (name) => `${pathToFileURL(join(folder, name)).href}#0`; // paused
  const ready = (tab) => tab.until(`performance.getEntriesByName('ready').length`, 'it does not get ready');
  await check('a push is drawn while it acts, and marked', () => look(browser, at('push.html'), async (tab) => {
    await ready(tab);
    const seen = (time) =>
      tab.value(
        `footfall.playback.seek(${time}), footfall.pushes.pushes.filter(({ arrow }) => arrow.group.visible).length`,
      );
    expect(
      (await seen(0.1)) === 0 && (await seen(0.25)) === 1 && (await seen(0.35)) === 0,
      'it is seen at other times',
    );
    await seen(0.25);
    await tab.value('footfall.stage.render()');
    // 20 N s in 0.1 s on a side of the base, 0.185 m from its middle
    const [length, away] = await tab.value(`(() => {
      const { arrow } = footfall.pushes.pushes[0];
      const tip = arrow.heads[0].localToWorld(arrow.group.position.clone().set(0, 1, 0));
      return [arrow.length / footfall.contacts[0].lengthOf(200), tip.distanceTo(footfall.robots[0].links[0].position)];
    })()`);
    expect(
      Math.abs(length - 1) < 1e-3 && Math.abs(away - Math.hypot(0.185, 0.05)) < 1e-3,
      `${length} of its length, ${away} m from the middle`,
    );
    expect((await text(tab, '.legend')).includes('push'), 'the legend does not tell');
    quiet(tab);
  }));
  await check('a page opens at the time that its address has', () =>
    look(browser, at('push.html').replace('#0', '#0.25'), async (tab) => {
      await ready(tab);
      expect(await tab.value('footfall.playback.time === 0.25 && !footfall.playback.isPlaying'), 'it does not');
    }),
  );
  await check('time waits while nobody can see it, and does not jump afterwards', () =>
    look(browser, at('push.html').replace('#0', ''), async (tab) => {
      await ready(tab);
      await tab.until('footfall.playback.time > 0', 'it does not play');
      const { windowId } = await browser.send('Browser.getWindowForTarget', { targetId: tab.targetId });
      const show = async (windowState, isHidden) => {
        await browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState } });
        await tab.until(`document.hidden === ${isHidden}`, `it is not ${windowState}`);
      };
      await show('minimized', true);
      await new Promise((done) => setTimeout(done, 100)); // a frame may be under way
      const before = await tab.value('footfall.playback.time');
      await new Promise((done) => setTimeout(done, 600));
      expect((await tab.value('footfall.playback.time')) === before, 'it goes on unseen');
      const first = tab.value(
        `new Promise((done) =>
          footfall.playback.addEventListener('time', () => done(footfall.playback.time), { once: true }))`,
      );
      await show('normal', false);
      expect(
        (await first) - before < 0.11 * (await tab.value('footfall.playback.speed')),
        `it jumps from ${before} to ${await first}`,
      );
    }),
  );
  await check('how a run ended is said', async () => {
    await look(browser, at('euler.html'), async (tab) => {
      await ready(tab);
      const said = await text(tab, '.title');
      expect(/ended at 0\.0\d+ s/.test(said) && said.includes('euler'), said);
      quiet(tab);
    });
    await look(browser, at('through.html'), async (tab) => {
      await ready(tab);
      const said = await text(tab, '.title');
      expect(said.includes('passed through'), said);
      expect(await tab.value('footfall.playback.speed <= 0.02'), 'twenty milliseconds are over in no time');
      quiet(tab);
    });
  });
  await check('one row, nothing that touches, a thousand things: nothing is complained about', async () => {
    for (const name of ['any.html', 'still.html', 'many.html'])
      await look(browser, at(name), async (tab) => {
        await ready(tab);
        for (const key of name === 'many.html'
          ? ['End', 'k']
          : ['End', 'ArrowLeft', ' ', 'a', 'c', 't', 'k', 'f', 'r', '4', 'Escape'])
          await tab.key(key);
        expect(await tab.value('Number.isFinite(footfall.playback.time)'), `${name}: no time`);
        quiet(tab);
      });
  });
  await check('on a telephone nothing lies over anything', () => look(browser, at('three.html'), async (tab) => {
    await ready(tab);
    const overlaps = await tab.value(`(() => {
      const boxes = ['.title', '.toolbar', '.legend', 'aside', '.transport']
        .map((name) => [name, document.querySelector(name).getBoundingClientRect()]);
      const overlap = (p, q) => p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom;
      return boxes.flatMap(([a, p], i) =>
        boxes.slice(i + 1).filter(([, q]) => overlap(p, q)).map(([b]) => a + ' ' + b));
    })()`);
    expect(overlaps.length === 0, `${overlaps}`);
    expect(await tab.value('document.documentElement.scrollWidth <= innerWidth'), 'it is too wide');
    writeFileSync(join(folder, 'phone.png'), await tab.screenshot());
  }, { width: 400, height: 800 }));
  await check('after a click on a button space plays; Esc closes the help', () =>
    look(browser, at('any.html'), async (tab) => {
      await ready(tab);
      const [x, y] = await tab.value(
        `(({ left, top }) => [left + 9, top + 9])(document.querySelector('.toolbar button').getBoundingClientRect())`,
      );
      await tab.click(x, y);
      const was = await tab.value('footfall.playback.isPlaying');
      const forces = await tab.value('footfall.on.forces');
      await tab.key(' ');
      expect(
        (await tab.value('footfall.playback.isPlaying')) !== was && (await tab.value('footfall.on.forces')) === forces,
        'the button takes it',
      );
      await tab.key('?');
      await tab.key('Escape');
      expect(!(await tab.value(`document.querySelector('.help').open`)), 'the help stays');
    }),
  );
  await check('a browser without WebGL is told so, and a damaged page says so', async () => {
    await look(browser, at('any.html'), async (tab) => {
      await tab.until(`document.querySelector('.nothing:not(.waiting)')`, 'nothing is said');
      expect((await text(tab, '.nothing')).includes('WebGL'), await text(tab, '.nothing'));
      quiet(tab);
    }, { prelude: NO_WEBGL });
    const page = readFileSync(join(folder, 'any.html'), 'utf8');
    const place = page.indexOf('class="run-arrays">') + 'class="run-arrays">'.length;
    writeFileSync(join(folder, 'damaged.html'), page.slice(0, place + 40) + page.slice(place + 44));
    await look(browser, at('damaged.html'), async (tab) => {
      await tab.until(`document.querySelector('.nothing:not(.waiting)')`, 'nothing is said');
      expect((await text(tab, '.nothing')).includes('damaged'), await text(tab, '.nothing'));
    });
  });
}

/** A model that runs live, seen by two; one goes, the command ends, the other says so. */
export async function liveModel(browser, footfall) {
  await check('a model runs live, for two browsers; they say when it has ended', async () => {
    const child = spawn(footfall, ['view', '--live', 'models/solo12.urdf', '--no-open'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    try {
      const [address] = (
        await new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data))))
      ).split(' ');
      const tabs = [await Tab.open(browser, 500, 400), await Tab.open(browser, 500, 400)];
      for (const tab of tabs) await tab.go(address);
      for (const tab of tabs) await tab.until('window.footfall?.runs[0].end > 0.1', 'it does not run');
      await tabs[0].value(`footfall.live.ask('set material.friction 0.3')`);
      await tabs[1].until(
        `document.querySelectorAll('.live-panel input')[3].value === '0.3'`,
        'the other page does not know',
      );
      await tabs[0].close();
      const before = await tabs[1].value('footfall.runs[0].end');
      await tabs[1].until(`footfall.runs[0].end > ${before}`, 'it stands still');
      child.kill('SIGINT');
      expect((await ended) === 0, 'it did not end in order');
      await tabs[1].until(
        `document.querySelector('.words').innerText.includes('has ended')`,
        'the page does not say so',
      );
      await tabs[1].key(' ');
      quiet(tabs[1]);
      await tabs[1].close();
    } finally {
      child.kill('SIGKILL');
    }
  });
}
