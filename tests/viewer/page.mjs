// page.mjs CHROMIUM FOLDER ADDRESS FOOTFALL: FOLDER/one.html has one run, FOLDER/three.html three of which one fails,
// FOLDER/on.html half a second that goes on at 3 s, FOLDER/slope.html a slipping block, FOLDER/meshes.html a
// tetrahedron in three kinds of files; at ADDRESS a scene runs, and FOOTFALL is the command. Each is opened in a real
// browser, and looked at by its pixels. Pictures are left in FOLDER.
import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, Tab } from './browser.mjs';
import { check, expect, finish } from './cases.mjs';
import { liveModel, oddPages, opening } from './odd.mjs';
import { strangerPages } from './strangers.mjs';

const [program, folder, address, footfall] = process.argv.slice(2);
const WIDTH = 940, HEIGHT = 600;

// ---- Looking ----

/** In the page: draws the scene now, and how many pixels differ from `other`, a picture of the same kind. */
const LOOK = `
  window.look = () => {
    const { stage } = footfall, gl = stage.renderer.getContext();
    const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
    const pixels = new Uint8Array(4 * w * h);
    stage.render();
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  window.differing = (a, b) => {
    let count = 0;
    for (let i = 0; i < a.length; i += 4)
      count += Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24;
    return count;
  };
  window.colours = (a) => {
    const set = new Set();
    for (let i = 0; i < a.length; i += 4) set.add((a[i] >> 3) * 1024 + (a[i + 1] >> 3) * 32 + (a[i + 2] >> 3));
    return set.size;
  };
  window.inked = (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count;
  };
  undefined`;

const frame = (tab) =>
  tab.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))');

async function open(browser, name) {
  const tab = await Tab.open(browser, WIDTH, HEIGHT);
  await tab.go(name.startsWith('http:') ? name : pathToFileURL(join(folder, name)).href);
  await tab.until(`performance.getEntriesByName('ready').length`, 'it does not get ready');
  await tab.value(LOOK);
  return tab;
}

/** How many pixels of the scene a key changes while time stands still. */
async function changedByKey(tab, key) {
  await tab.value('window.before = look(), undefined');
  await tab.key(key);
  return tab.value('differing(before, look())');
}

async function atTime(tab, time) {
  await tab.value(
    `footfall.playback.play(false), footfall.playback.seek(${time}), footfall.camera.update(), undefined`,
  );
  await frame(tab);
}

async function picture(tab, name, width = WIDTH, height = HEIGHT) {
  await tab.resize(width, height);
  await frame(tab);
  writeFileSync(join(folder, name), await tab.screenshot());
  await tab.resize(WIDTH, HEIGHT);
}

function expectQuiet(tab) {
  expect(tab.complaints.length === 0, `the console says: ${tab.complaints.join('\n')}`);
  const outside = tab.requests.filter(
    (url) =>
      !url.startsWith(address) && !url.startsWith('file:') && !url.startsWith('data:') && !url.startsWith('blob:'),
  );
  expect(outside.length === 0, `it asks the network for ${outside}`);
}

// ---- One run ----

async function oneRun(tab) {
  const size = statSync(join(folder, 'one.html')).size;
  await check('ten seconds of trotting are below 5 MB', () => expect(size < 5e6, `${size} bytes`));
  await check('it plays by itself, and pauses', async () => {
    const times = [];
    for (let i = 0; i < 2; ++i) {
      await frame(tab);
      times.push(await tab.value('footfall.playback.time'));
    }
    expect(times[1] > times[0], `time stands at ${times}`);
    await tab.key(' ');
    const held = await tab.value('footfall.playback.time');
    await frame(tab);
    expect((await tab.value('footfall.playback.time')) === held, 'it does not pause');
  });
  await check('keys go to the beginning, the end, and a frame on', async () => {
    await tab.key('End');
    expect(Math.abs((await tab.value('footfall.playback.time')) - 10) < 1e-6, 'not at the end');
    await tab.key('Home');
    await tab.key('ArrowRight');
    expect(Math.abs((await tab.value('footfall.playback.time')) - 0.01) < 1e-6, 'not a frame on');
  });
  await check('the robot is in the picture, and moves', async () => {
    await atTime(tab, 1.31);
    const many = await tab.value('colours(look())');
    expect(many > 50, `${many} colours in the picture`);
    await tab.value('window.before = look(), footfall.robots[0].group.visible = false, undefined');
    const robot = await tab.value('differing(before, look())');
    await tab.value('footfall.robots[0].group.visible = true, undefined');
    expect(robot > 0.02 * WIDTH * HEIGHT, `${robot} pixels are the robot`);
    await tab.value('window.before = look(), undefined');
    await atTime(tab, 1.5);
    expect((await tab.value('differing(before, look())')) > 500, 'it looks the same 0.2 s later');
  });
  await check('contacts, forces and cones are seen, and keys hide them', async () => {
    await atTime(tab, 1.31);
    expect((await tab.value('footfall.contacts[0].count')) >= 2, 'no contacts');
    const forces = await changedByKey(tab, 'a'), cones = await changedByKey(tab, 'c');
    expect(forces > 200 && cones > 500, `${forces} pixels of forces, ${cones} of cones`);
    await tab.key('a');
    await tab.key('c');
  });
  await check('plots have lines and values, and follow the time', async () => {
    expect((await tab.value(`document.querySelectorAll('.plot canvas').length`)) === 3, 'not three plots');
    const inked = await tab.value(`[...document.querySelectorAll('.plot canvas')].map(inked)`);
    expect(inked.every((count) => count > 500), `pixels in plots: ${inked}`);
    const head = () => tab.value(`document.querySelector('.plot .playhead').getBoundingClientRect().left`);
    await atTime(tab, 1);
    const early = await head(), value = await tab.value(`document.querySelector('.plot output').textContent`);
    await atTime(tab, 9);
    const late = await head(), over = await tab.value(`document.querySelector('.plot .u-over').clientWidth`);
    expect(Math.abs(late - early - 0.8 * over) < 3, `the line went from ${early} to ${late}`);
    expect(/^0\.21[0-9]$/.test(value), `the base is ${value} m high`);
  });
  await tab.value(`footfall.theme.set('dark')`);
  await atTime(tab, 1.31);
  await picture(tab, 'view.png', 1280, 760); // docs/images/view.png is one of these
  await check('a signal is searched and plotted', async () => {
    await tab.key('/');
    await tab.send('Input.insertText', { text: 'velocities fl_kfe' });
    const found = await tab.value(
      `[...document.querySelectorAll('.signal')].filter((b) => b.offsetParent).map((b) => b.innerText)`,
    );
    expect(found.length === 1, `found ${found}`);
    await tab.value(`document.querySelector('.signal').click()`);
    expect(
      await tab.value(`[...document.querySelectorAll('.plot')].at(-1).innerText.includes('FL_KFE')`),
      'it is not plotted',
    );
    await tab.key('Escape');
  });
  await check('a click on a link shows its signals', async () => {
    await atTime(tab, 1.31);
    const [x, y] = await tab.value(`(() => {
      const at = footfall.robots[0].links[0].position.clone().project(footfall.stage.camera);
      const box = footfall.stage.renderer.domElement.getBoundingClientRect();
      return [box.left + box.width * (at.x + 1) / 2, box.top + box.height * (1 - at.y) / 2];
    })()`);
    await tab.click(x, y);
    const picked = await tab.value(`document.querySelector('.picked').textContent`);
    expect(picked.startsWith('base_link'), `picked '${picked}'`);
    await tab.key('Escape');
  });
  await check('dark and light differ', async () => {
    await tab.value(`footfall.theme.set('light')`);
    const changed = await changedByKey(tab, 'd');
    expect(changed > 0.5 * WIDTH * HEIGHT * 0.6, `${changed} pixels differ`);
    expect((await tab.value('document.documentElement.dataset.theme')) === 'dark', 'it is not dark');
  });
  await check('help opens and closes', async () => {
    await tab.key('?');
    expect(await tab.value(`document.querySelector('.help').open`), 'no help');
    await picture(tab, 'help.png');
    await tab.key('?');
    expect(!(await tab.value(`document.querySelector('.help').open`)), 'it stays');
  });
  await check('what hardly changes, or not at all, has an axis', async () => {
    const ranges = await tab.value(`(async () => {
      const [run] = footfall.runs, index = run.find('energy', 'elastic'), list = [];
      const cases = [[1, 2 ** -23], [98.1, 2 ** -17], [0, 0], [0, 4e-8], [-3e5, 0], [0, 1e-30], [5, 2]];
      for (const [value, change] of cases) {
        run.columns.set(index, Float64Array.from(run.rowTimes, (t, k) => value + (k % 2) * change));
        const plot = footfall.plots.add([run.signals[index]]);
        await new Promise((done) => setTimeout(done));
        list.push([value, change, plot.uplot.scales.y.min, plot.uplot.scales.y.max]);
        footfall.plots.remove(plot);
      }
      return list;
    })()`);
    for (const [value, change, min, max] of ranges) {
      expect(
        min <= value && max >= value + change && max > min,
        `${value} to ${value + change} on an axis from ${min} to ${max}`,
      );
      expect(
        max - min < 4 * Math.max(change, 2e-5 * Math.abs(value), 1e-8),
        `${value} to ${value + change} on an axis from ${min} to ${max}`,
      );
    }
    await frame(tab);
  });
  await check('nothing was complained about, nothing asked for', () => expectQuiet(tab));
}

// ---- Several runs ----

async function threeRuns(tab) {
  await check('other runs are drawn over the first', async () => {
    await atTime(tab, 0.04);
    const ghosts = await changedByKey(tab, 'g');
    expect(ghosts > 1000, `${ghosts} pixels are ghosts`);
    await tab.key('g');
  });
  await check('the legend names steppers, and says which run ended early', async () => {
    const text = await tab.value(`document.querySelector('.legend').innerText`);
    expect(/expo/.test(text) && /implicit/.test(text) && /euler[\s\S]*ended at 0\.0/.test(text), text);
  });
  await check('plots have a line for each run, and the one that ran away does not stretch them', async () => {
    expect((await tab.value('footfall.plots.plots[0].uplot.series.length')) === 4, 'not three lines');
    const [low, high] = await tab.value(
      '[footfall.plots.plots[2].uplot.scales.y.min, footfall.plots.plots[2].uplot.scales.y.max]',
    );
    expect(high - low < 20, `energies from ${low} to ${high} J`);
  });
  await picture(tab, 'three.png');
  await check('nothing was complained about, nothing asked for', () => expectQuiet(tab));
}

// ---- Slipping ----

async function goesOn(tab) {
  await check('a run that goes on begins where the other ended', async () => {
    const [begin, end] = await tab.value('[footfall.playback.begin, footfall.playback.end]');
    expect(Math.abs(begin - 3) < 1e-6 && Math.abs(end - 3.5) < 1e-6, `it goes from ${begin} to ${end} s`);
    await atTime(tab, 0);
    expect(Math.abs((await tab.value('footfall.playback.time')) - 3) < 1e-6, 'time goes back to where nothing is');
    await tab.key('End');
    await tab.key('Home');
    await tab.key('ArrowRight');
    const time = await tab.value('footfall.playback.time');
    expect(Math.abs(time - 3.01) < 1e-5, `a frame on is ${time} s`);
    const last = await tab.value(
      `footfall.playback.loop(true), footfall.playback.play(true),
       footfall.playback.advance(0.7 / footfall.playback.speed), footfall.playback.play(false), footfall.playback.time`,
    );
    expect(Math.abs(last - 3.21) < 1e-4, `0.7 s later it is at ${last} s`);
    expect(
      await tab.value('footfall.plots.plots.every(({ uplot }) => Math.abs(uplot.scales.x.min - 3) < 1e-6)'),
      'plots begin elsewhere',
    );
  });
  await check('what touches is of the instant that is shown', async () => {
    await atTime(tab, 3.2);
    const at = await tab.value(`(() => {
      const { run, count } = footfall.contacts[0], frame = run.frameTimes.findIndex((t) => Math.abs(t - 3.2) < 1e-5);
      const row = run.rowTimes.findIndex((t) => Math.abs(t - 3.2) < 1e-5);
      const contacts = run.contactStarts[frame + 1] - run.contactStarts[frame];
      return [count, contacts, footfall.runs[0].valueAt(0, 3.2), run.column(0)[row]];
    })()`);
    expect(at[0] === at[1] && at[2] === at[3], at.join());
  });
  await check('nothing was complained about, nothing asked for', () => expectQuiet(tab));
}

async function slippingBlock(tab) {
  await check('a contact that slips has another colour', async () => {
    await atTime(tab, 0.5);
    const modes = await tab.value(`(() => {
      const run = footfall.runs[0], modes = [];
      run.forEachContact(Math.round(0.5 / run.frameTimes[1]), (link, mode) => modes.push(mode));
      return modes;
    })()`);
    expect(modes.length > 0 && modes.every((mode) => mode === 2), `modes ${modes}`);
    const orange = await tab.value(`(() => {
      footfall.theme.set('light');
      const a = look();
      let count = 0;
      for (let i = 0; i < a.length; i += 4) count += a[i] > 1.6 * a[i + 1] && a[i + 1] > 1.2 * a[i + 2] && a[i] > 100;
      return count;
    })()`);
    expect(orange > 30, `${orange} pixels are orange`);
  });
  await check('what slips is told apart without colours: its bar is lower', async () => {
    const inked = await tab.value(`(() => {
      const { canvas } = footfall.transport.chart;
      const column = canvas.getContext('2d').getImageData(canvas.width >> 1, 0, 1, canvas.height).data;
      let count = 0;
      for (let i = 0; i < column.length; i += 4)
        count += column[i] === 0xd5 && column[i + 1] === 0x5e && column[i + 2] === 0;
      return count;
    })()`);
    expect(inked >= 4 && inked <= 7, `${inked} pixels of 12`);
  });
  await picture(tab, 'slope.png');
  await check('nothing was complained about, nothing asked for', () => expectQuiet(tab));
}

// ---- Meshes ----

async function meshes(tab) {
  await check('meshes have the size of their files, and normals', async () => {
    const boxes = await tab.value(`footfall.robots[0].links[0].children.map(({ geometry }) => {
      geometry.computeBoundingBox();
      const normals = geometry.getAttribute('normal'), { min, max } = geometry.boundingBox;
      let shortest = 1;
      for (let i = 0; i < normals.count; ++i)
        shortest = Math.min(shortest, Math.hypot(normals.getX(i), normals.getY(i), normals.getZ(i)));
      return [...min.toArray(), ...max.toArray(), shortest];
    })`);
    expect(boxes.length === 3, `${boxes.length} meshes`); // the fourth file is not there
    for (const box of boxes)
      [0, 0, 0, 1, 2, 1.5, 1].forEach((value, i) =>
        expect(Math.abs(box[i] - value) < 1e-5, `boxes ${JSON.stringify(boxes)}`),
      );
  });
  await check('nothing was complained about, nothing asked for', () => expectQuiet(tab));
}

// ---- A scene that runs meanwhile ----

/** What the server says first to some bytes. */
function say(text) {
  return new Promise((done) => {
    const socket = connect(new URL(address).port, '127.0.0.1');
    let got = '';
    socket
      .on('data', (data) => (got += data))
      .on('close', () => done(got.split('\r\n')[0]))
      .on('error', () => done(''));
    socket.write(text);
  });
}

async function server() {
  await check('requests that are none, or of others, are refused', async () => {
    const host = `Host: ${new URL(address).host}\r\n`;
    const cases = [
      ['hello\r\n\r\n', '400'],
      [`GET / HTTP/1.1\r\nHost: example.com\r\n\r\n`, '403'],
      ['GET / HTTP/1.1\r\n\r\n', '403'],
      [`POST /do HTTP/1.1\r\n${host}Origin: http://example.com\r\nContent-Length: 4\r\n\r\nstep`, '403'],
      [`PUT / HTTP/1.1\r\n${host}\r\n`, '405'],
      [`GET /events HTTP/1.1\r\n${host}Sec-Fetch-Site: cross-site\r\n\r\n`, '403'],
      [`GET / HTTP/1.1\r\n${host}Sec-Fetch-Site: cross-site\r\n\r\n`, '200'],
      [`GET /../etc/passwd HTTP/1.1\r\n${host}\r\n`, '404'],
      [`POST /do HTTP/1.1\r\n${host}Content-Length: 99999\r\n\r\nstep`, '413'],
      [`POST /do HTTP/1.1\r\n${host}Content-Length: 6\r\n\r\npush 0`, '409'],
      [`POST /do HTTP/1.1\r\n${host}Content-Length: 22\r\n\r\npush 0 nan 0 0 0 0 0 1`, '409'],
      [`GET /events HTTP/1.1\r\n${host}Origin: http://example.com\r\n\r\n`, '403'],
      [`GET / HTTP/1.1\r\nHost: 127.0.0.1.example.com\r\n\r\n`, '403'],
      [`POST /do HTTP/1.1\r\n${host}Origin: null\r\nContent-Length: 4\r\n\r\nstep`, '403'],
      [`GET / HTTP/1.1\r\n${host}\r\n`, '200'],
    ];
    for (const [text, status] of cases) {
      const first = await say(text);
      expect(first.startsWith(`HTTP/1.1 ${status} `), `'${first}' to ${JSON.stringify(text)}`);
    }
  });
}

async function liveScene(tab) {
  const time = () => tab.value('footfall.runs[0].end');
  const until = (expression, what) => tab.until(expression, what);
  await check('a live scene runs, and pauses', async () => {
    await until('footfall.runs[0].end > 0.2', 'it does not run');
    await tab.key(' ');
    await until('!footfall.playback.isPlaying', 'it does not pause');
  });
  await check('a step is one step', async () => {
    const before = await time(), dt = await tab.value('footfall.runs[0].dt');
    await tab.key('.');
    await until(`footfall.runs[0].end > ${before}`, 'no step was taken');
    expect(Math.abs((await time()) - before - dt) < 1e-4, `${(await time()) - before} s instead of ${dt} s`);
  });
  await check('stepper, dt and friction change', async () => {
    const contactFriction = 'footfall.runs[0].frameContacts.at(-1)[11]';
    await tab.value(
      `(() => { const s = document.querySelector('.live-panel select'); s.value = 'implicit'; s.onchange(); })()`,
    );
    await until(`document.querySelector('.legend').innerText.includes('implicit')`, 'the stepper is as it was');
    await tab.value(
      `(() => {
        const [dt, , , mu] = document.querySelectorAll('.live-panel input');
        dt.value = '1';
        dt.onchange();
        mu.value = '0.7';
        mu.onchange();
      })()`,
    );
    await until('footfall.runs[0].dt === 0.001', 'dt is as it was');
    await until(`Math.abs(${contactFriction} - 0.7) < 1e-6`, 'friction is as it was');
  });
  await check('what cannot be is told', async () => {
    await tab.value(`footfall.live.ask('set dt nonsense')`);
    expect((await tab.value(`document.querySelector('.words').innerText`)).includes('nonsense'), 'nothing is said');
    await tab.value(`footfall.live.ask('set model /etc/passwd')`);
    expect(
      (await tab.value(`document.querySelector('.words').innerText`)).includes('cannot be changed while'),
      'a page may read files',
    );
  });
  await check('Shift and drag pushes the robot', async () => {
    const height = () => tab.value('footfall.runs[0].poses[footfall.runs[0].poses.length - footfall.runs[0].pose + 2]');
    const [x, y] = await tab.value(`(() => {
      const at = footfall.robots[0].links[0].position.clone().project(footfall.stage.camera);
      const box = footfall.stage.renderer.domElement.getBoundingClientRect();
      return [box.left + box.width * (at.x + 1) / 2, box.top + box.height * (1 - at.y) / 2];
    })()`);
    const mouse = (type, dy) =>
      tab.send('Input.dispatchMouseEvent', {
        type,
        x,
        y: y + dy,
        button: 'left',
        buttons: type === 'mouseReleased' ? 0 : 1,
        clickCount: 1,
        modifiers: 8,
      });
    await tab.key(' ');
    await until('footfall.playback.isPlaying', 'it does not go on');
    const before = await height();
    await mouse('mousePressed', 0);
    await mouse('mouseMoved', -60);
    await until('footfall.push.arrow.group.visible', 'there is no arrow');
    await tab.value('new Promise((done) => setTimeout(done, 50))');
    await mouse('mouseMoved', -150);
    await until(
      `footfall.runs[0].poses[footfall.runs[0].poses.length - footfall.runs[0].pose + 2] > ${before} + 0.02`,
      'the base does not rise',
    );
    writeFileSync(join(folder, 'live.png'), await tab.screenshot());
    await mouse('mouseReleased', -150);
    await until('!footfall.push.arrow.group.visible', 'it holds on');
  });
  await check('nothing was complained about, nothing else asked for', () => {
    tab.complaints = tab.complaints.filter((text) => !text.includes('409')); // what could not be
    expectQuiet(tab);
  });
}

await server();
const browser = new Browser(program);
const late = setTimeout(() => {
  console.log('[  FAILED  ] 1 test(s): the browser does not answer');
  browser.child.kill('SIGKILL');
  process.exit(1);
}, 240000);
await opening(
  browser,
  pathToFileURL(join(folder, 'one.html')).href,
  'a run is seen, and all of its page is there, in less than 2 s',
  2000,
);
for (const [page, part] of [
  ['one.html', oneRun],
  ['three.html', threeRuns],
  ['on.html', goesOn],
  ['slope.html', slippingBlock],
  ['meshes.html', meshes],
  [address, liveScene],
]) {
  const tab = await open(browser, page);
  await part(tab);
  await tab.close();
}
await oddPages(browser, folder);
await strangerPages(browser, folder);
await liveModel(browser, footfall);
console.log(`the browser took ${(await browser.cpu()).toFixed(0)} s of processors`);
await browser.close();
clearTimeout(late);
finish();
