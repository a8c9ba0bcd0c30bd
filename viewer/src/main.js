// The page: reads its runs, builds its parts, and lets them follow one clock.
import { Camera } from './camera.js';
import { Contacts } from './contacts.js';
import { Crowd } from './crowd.js';
import { forPeople, h } from './dom.js';
import { firstPlots } from './first_plots.js';
import { Ground } from './ground.js';
import { Keyboard } from './keyboard.js';
import { Legend } from './legend.js';
import { LiveLink } from './live_link.js';
import { LivePanel } from './live_panel.js';
import { LivePlayback } from './live_playback.js';
import { LiveRecording } from './live_recording.js';
import { measure } from './measure.js';
import { Picker } from './pick.js';
import { Playback } from './playback.js';
import { PlotPanel } from './plot_panel.js';
import { Push } from './push.js';
import { Pushes } from './pushes.js';
import { COARSE, Recording, readRecordings, readRows } from './recording.js';
import { Robot } from './robot.js';
import { SignalList } from './signal_list.js';
import { Stage } from './stage.js';
import { Theme } from './theme.js';
import { Toolbar } from './toolbar.js';
import { Trail } from './trail.js';
import { Transport } from './transport.js';

const MOST_CONES = 40; // with more contacts than that at once cones are not shown unless asked for

const ICONS = {
  forces: 'M12 20V5M7 10l5-5 5 5',
  cones: 'M12 20 5 6h14zM5 6a7 2.4 0 0 0 14 0a7 2.4 0 0 0-14 0',
  trail: 'M4 18c5 0 4-11 9-11 4 0 3 5 7 5',
  follow: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v4M12 18v4M2 12h4M18 12h4',
  collision: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12 4 7.5',
  theme: 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9',
  home: 'M4 11l8-7 8 7M6 10v9h12v-9',
  help: 'M9 9a3 3 0 1 1 4 2.8c-.7.4-1 .9-1 2.2M12 17.5v.5',
};

const weighed = (mass) =>
  mass < 0.1 ? `${Number((1000 * mass).toPrecision(3))} g` : `${Number(mass.toPrecision(3))} kg`;

/** Of a run so long that there are few frames of it. */
function coarse({ frameTimes }) {
  const apart = frameTimes.length > 2 ? frameTimes[1] - frameTimes[0] : 0;
  return apart > COARSE ? `, a picture every ${Number(apart.toPrecision(2))} s` : '';
}

/** How many robots there are beside the one that is told about. */
const others = ({ crowd }) => (crowd ? `, and ${crowd.robots} more` : '');

/** What became of a run, if it did not simply reach its end. */
function outcome(run) {
  return [
    [`ended at ${Number(run.end.toPrecision(3))} s`, run.failure],
    ['to be noted', run.warning],
  ]
    .filter(([, why]) => why)
    .map(([what, why]) =>
      h('p.outcome', { title: why }, h('b', { textContent: what }), why.replace(/^\w+ at [\d.e+-]+ s: /, '')),
    );
}

const REFRESH = 150; // milliseconds between two looks at plots that grow

class Page {
  /** @param {LiveLink} [live] where a scene runs meanwhile */
  constructor(runs, live) {
    this.runs = runs;
    this.live = live;
    this.shown = runs.map(() => true);
    this.on = { forces: true, cones: true, trail: !live, collision: false };
    this.theme = new Theme();
    this.playback = live
      ? new LivePlayback(live, runs[0])
      : new Playback(Math.max(...runs.map((run) => run.end)), Math.min(...runs.map((run) => run.frameTimes[0] ?? 0)));
    this.robots = runs.map((run) => new Robot(run, this.theme));
    this.buildStage();
    this.buildPanels();
    this.buildKeys();
    if (live) this.goLive();
    this.playback.addEventListener('time', () => this.setTime());
    this.theme.addEventListener('change', () => this.setTime());
    this.setTime();
    requestAnimationFrame(() => this.begin().catch(complain));
  }

  buildStage() {
    const [run] = this.runs, { size, unit, weight, focus } = measure(this.robots[0], run);
    this.view = h('div.view');
    this.layout = h('main', {}, this.view);
    document.getElementById('app').replaceChildren(this.layout);
    this.stage = new Stage(this.view, this.theme, size);
    this.ground = new Ground(run, this.theme, size);
    this.contacts = this.runs.map((one) => new Contacts(one, this.theme, unit, weight));
    this.on.cones = run.mostContacts() <= MOST_CONES;
    this.trails = focus.link < 0 || this.live ? [] : this.runs.map((one) => new Trail(one, focus.link, this.theme));
    this.crowds = this.runs.filter(({ crowd }) => crowd).map((one) => new Crowd(one, this.theme));
    this.pushes = new Pushes(run, this.robots[0], this.theme, (force) => this.contacts[0].lengthOf(force), unit);
    this.stage.scene.add(this.ground.group, this.robots[0].group);
    this.camera = new Camera(this.stage, focus, this.ground.up);
    this.picker = new Picker(this.stage, this.robots[0], (link) => this.signals.showLink(link));
  }

  /**
   * The robot on its ground has been drawn: now all that takes longer. The next picture comes after it, since drawing
   * would only delay it.
   */
  async addTheRest() {
    this.stage.scene.add(
      ...this.robots.slice(1).map(({ group }) => group),
      ...this.crowds.map(({ group }) => group),
      ...this.contacts.map(({ group }) => group),
      ...this.trails.map(({ line }) => line),
      this.pushes.group,
    );
    this.stage.touch();
    await readRows(document, this.runs);
    this.plots.begin(firstPlots(this.runs));
    performance.mark('ready');
  }

  buildPanels() {
    const [run] = this.runs, isShown = (number) => this.shown[number];
    this.plots = new PlotPanel(this.runs, this.playback, this.theme, isShown);
    this.signals = new SignalList(run, this.plots);
    this.signals.onLink = (link) => (this.robots[0].highlight(link), this.stage.touch());
    this.legend = new Legend(this.runs, this.theme, isShown, (number) => this.toggleRun(number), Boolean(this.live));
    this.transport = new Transport(this.playback, this.runs, this.theme);
    this.toolbar = new Toolbar(this.tools());
    this.view.append(
      h(
        'div.title',
        {},
        h('h1', { textContent: run.title }),
        h('p', { textContent: `${run.model}, ${weighed(run.mass)}${others(run)}${coarse(run)}` }),
        ...outcome(run),
      ),
      this.legend.element,
      this.toolbar.element,
    );
    this.layout.append(h('aside', {}, this.plots.element, this.signals.element), this.transport.element);
    document.title = `${run.title} · Footfall`;
  }

  /** Frames come from outside from now on. */
  goLive() {
    const [run] = this.runs, panel = new LivePanel(this.live);
    const stiffness = (8 * 9.81 * run.mass) / this.stage.size; // an eighth of the robot's size pulls with its weight
    this.push = new Push(this.stage, this.robots[0], this.camera.controls, this.live, this.theme, stiffness);
    this.view.append(panel.element);
    this.live.addEventListener('settings', ({ detail }) => {
      Object.assign(run, { stepper: detail.stepper, label: detail.stepper, dt: detail.dt });
      this.legend.draw();
    });
    this.live.addEventListener('frame', ({ detail }) => {
      const frame = run.read(detail);
      run.append(frame);
      panel.showRate(frame.rate, frame.isPlaying);
      this.playback.arrive(frame.isPlaying);
      this.push.show();
      if (performance.now() - (this.refreshed ?? 0) > REFRESH || !frame.isPlaying) this.refresh();
    });
    this.live.addEventListener('end', () => this.playback.arrive(false));
  }

  refresh() {
    this.refreshed = performance.now();
    this.plots.refresh();
    this.transport.chart.refresh();
  }

  tools() {
    const { on } = this;
    const flag = (name, title, key) => ({
      name: title,
      key,
      path: ICONS[name],
      get: () => on[name],
      set: (is) => ((on[name] = is), this.apply()),
    });
    return [
      flag('forces', 'Forces', 'a'),
      flag('cones', 'Friction cones', 'c'),
      flag('trail', 'Path of the base', 't'),
      flag('collision', 'Shapes that touch', 'k'),
      {
        name: 'Follow',
        key: 'f',
        path: ICONS.follow,
        get: () => this.camera.isFollowing,
        set: (is) => this.camera.follow(is, this.playback.time),
      },
      {
        name: 'First view',
        key: 'r',
        path: ICONS.home,
        isAction: true,
        get: () => false,
        set: () => this.camera.view('oblique', this.playback.time),
      },
      {
        name: 'Dark or light',
        key: 'd',
        path: ICONS.theme,
        isAction: true,
        get: () => false,
        set: () => this.theme.toggle(),
      },
      {
        name: 'Keys',
        key: '?',
        path: ICONS.help,
        isAction: true,
        get: () => false,
        set: () => this.keyboard.toggleHelp(),
      },
    ];
  }

  buildKeys() {
    const { playback, camera } = this, [first, second = first + 0.01] = this.runs[0].frameTimes, frame = second - first;
    const tool = (key) => () => this.toolbar.press(key);
    const view = (name) => () => camera.view(name, playback.time);
    this.keyboard = new Keyboard([
      { keys: [' '], shown: 'space', does: 'play or pause', act: () => playback.toggle() },
      {
        keys: ['ArrowLeft', 'ArrowRight'],
        shown: '← →',
        does: 'a frame back or on; with Shift half a second',
        act: (e) => playback.seek(playback.time + (e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 0.5 : frame)),
      },
      {
        keys: ['Home', 'End'],
        shown: 'Home End',
        does: 'to the beginning, to the end',
        act: (e) => playback.seek(e.key === 'Home' ? playback.begin : playback.end),
      },
      {
        keys: ['-', '+', '='],
        shown: '− +',
        does: 'slower, faster',
        act: (e) => playback.faster(e.key === '-' ? -1 : 1),
      },
      { keys: ['l'], does: 'begin again at the end', act: () => playback.loop(!playback.isLooping) },
      ...(this.live
        ? [
            { keys: ['.'], does: 'one step of the scene', act: () => this.live.ask('step') },
            {
              keys: ['Backspace'],
              shown: 'Backspace',
              does: 'the scene from its start',
              act: () => this.live.ask('reset'),
            },
          ]
        : []),
      { keys: ['a'], does: 'forces', act: tool('a') },
      { keys: ['c'], does: 'friction cones', act: tool('c') },
      { keys: ['t'], does: 'path of the base', act: tool('t') },
      { keys: ['k'], does: 'shapes that touch, in place of those that are drawn', act: tool('k') },
      ...(this.runs.length > 1 || this.crowds.length > 0
        ? [{ keys: ['g'], does: 'other runs', act: () => this.toggleGhosts() }]
        : []),
      { keys: ['f'], does: 'follow the robot', act: tool('f') },
      {
        keys: ['1', '2', '3', '4'],
        shown: '1 2 3 4',
        does: 'look from obliquely, the side, the front, above',
        act: (e) => view(['oblique', 'side', 'front', 'top'][Number(e.key) - 1])(),
      },
      { keys: ['r'], does: 'first view', act: tool('r') },
      { keys: ['n'], does: 'an empty plot', act: () => this.plots.add([]) },
      { keys: ['/'], does: 'search signals', act: () => this.signals.search.focus() },
      { keys: ['d'], does: 'dark or light', act: tool('d') },
      {
        keys: ['Escape'],
        does: '',
        act: () => (this.keyboard.help.open ? this.keyboard.toggleHelp() : this.signals.clear()),
      },
      { keys: ['?', 'h'], does: 'this page', act: () => this.keyboard.toggleHelp() },
    ]);
    document.body.append(this.keyboard.help);
  }

  toggleRun(number) {
    this.shown[number] = !this.shown[number];
    this.legend.draw();
    this.plots.rebuild();
    this.apply();
  }

  toggleGhosts() {
    const isShown = this.runs.length > 1 ? !this.shown[1] : Boolean(this.isAlone);
    this.isAlone = !isShown;
    this.shown.fill(isShown, 1);
    this.legend.draw();
    this.plots.rebuild();
    this.apply();
  }

  /** What is switched on is seen. */
  apply() {
    this.robots.forEach((robot, i) => {
      robot.group.visible = this.shown[i];
      robot.showCollision(this.on.collision);
    });
    this.crowds.forEach((crowd) => {
      crowd.group.visible = this.shown[crowd.run.number] && !this.isAlone;
      crowd.showCollision(this.on.collision);
    });
    this.pushes.group.visible = this.shown[0] && this.on.forces;
    this.contacts.forEach((contacts, i) => {
      contacts.group.visible = this.shown[i] && (this.on.forces || this.on.cones);
      contacts.showForces(this.on.forces);
      contacts.showCones(this.on.cones && i === 0);
    });
    this.trails.forEach(({ line }, i) => (line.visible = this.on.trail && this.shown[i]));
    this.stage.touch();
  }

  setTime() {
    const { time } = this.playback;
    this.robots.forEach((robot) => robot.setTime(time));
    this.crowds.forEach((crowd) => crowd.setTime(time));
    this.contacts.forEach((contacts) => contacts.setTime(time));
    this.pushes.setTime(time);
    this.ground.setTime(time);
    this.camera.setTime(time);
    this.apply();
  }

  async begin() {
    this.render(this.camera.update());
    performance.mark('first picture');
    await this.addTheRest();
    requestAnimationFrame((now) => this.tick(now, now));
  }

  render(point) {
    this.ground.centreOn(point);
    this.ground.setDepth(this.camera.last);
    this.stage.lightAround(point);
    this.stage.render();
  }

  tick(before, now) {
    this.playback.advance(Math.min(0.1, (now - before) / 1000));
    const point = this.camera.update();
    if (this.stage.isStale) this.render(point);
    requestAnimationFrame((next) => this.tick(now, next));
  }
}

/** In place of the page: what is wrong, and what can be done. */
function complain(error) {
  const told = error.isForPeople
    ? error.message
    : `This page is damaged, perhaps cut off on its way: ${error.message}. ` +
      `Ask for it again, or make it anew with footfall view.`;
  document
    .getElementById('app')
    .replaceChildren(
      h(
        'div.nothing',
        { role: 'alert' },
        h('h1', { textContent: 'There is nothing to see' }),
        h('p', { textContent: told }),
      ),
    );
}

async function start() {
  const isLive = document.getElementById('live') !== null;
  if (typeof DecompressionStream === 'undefined')
    throw forPeople('This browser is too old for this page, which needs one of 2023 or later.');
  const runs = await readRecordings(document, isLive ? LiveRecording : Recording);
  if (runs.length === 0) throw forPeople('There is no run in this page. footfall view puts one there.');
  window.footfall = new Page(runs, isLive ? new LiveLink() : null);
  const time = Number.parseFloat(location.hash.slice(1)); // page.html#1.31 is paused there
  if (!isLive && Number.isFinite(time)) window.footfall.playback.seek(time);
  else if (!isLive) window.footfall.playback.play(true);
  performance.mark('built');
}

start().catch(complain);
