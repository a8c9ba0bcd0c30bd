// Colours. Those that mean something are Okabe and Ito's, which people with any kind of colour vision can tell apart;
// brightness differs too.

const MEANINGS = {
  dark: { stick: '#56b4e9', slip: '#f0a030', parting: '#8a94a3', push: '#e58fc0' },
  light: { stick: '#0072b2', slip: '#d55e00', parting: '#8a94a3', push: '#b0307f' },
};

const SERIES = {
  dark: ['#56b4e9', '#f0a030', '#2cc295', '#e58fc0', '#f0e442', '#ff7f50', '#9fb4ff', '#c8d0da'],
  light: ['#0072b2', '#d55e00', '#009e73', '#b4538f', '#8f7f00', '#a63d00', '#3f51b5', '#404854'],
};

/** Of the second run and those after it: none of those that mean sticking and slipping. */
const GHOSTS = {
  dark: ['#2cc295', '#b48cff', '#f0e442', '#ff7a9c', '#7fd6d6', '#d9b38c', '#c8d0da'],
  light: ['#009e73', '#6a3fc8', '#a08a00', '#c2185b', '#00838f', '#8d5a2b', '#404854'],
};

const STAGES = {
  dark: {
    sky: '#1b222c',
    horizon: '#11161d',
    ground: '#151b23',
    solid: '#56667e',
    line: '#46556a',
    shadow: 0.55,
    light: 2.5,
    ambient: 1.15,
    fill: 0.7,
  },
  light: {
    sky: '#f4f7fa',
    horizon: '#e3e9ef',
    ground: '#eef2f6',
    solid: '#c6d0dc',
    line: '#8fa0b3',
    shadow: 0.28,
    light: 2.1,
    ambient: 1.9,
    fill: 0.5,
  },
};

export class Theme extends EventTarget {
  constructor() {
    super();
    const prefersLight = typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: light)').matches;
    this.set(prefersLight ? 'light' : 'dark');
  }

  set(name) {
    this.name = name;
    document.documentElement.dataset.theme = name;
    this.dispatchEvent(new Event('change'));
  }

  toggle() {
    this.set(this.name === 'dark' ? 'light' : 'dark');
  }

  get stage() {
    return STAGES[this.name];
  }

  /** Colour of a contact by its mode: 0 parts, 1 sticks, 2 slips. */
  contact(mode) {
    const colours = MEANINGS[this.name];
    return mode === 2 ? colours.slip : mode === 1 ? colours.stick : colours.parting;
  }

  /** Colour of pushes from outside. */
  get push() {
    return MEANINGS[this.name].push;
  }

  series(number) {
    return SERIES[this.name][number % SERIES[this.name].length];
  }

  ghost(run) {
    const colours = GHOSTS[this.name];
    return colours[(run - 1) % colours.length];
  }

  /** A colour of the page's style sheet. */
  css(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }
}
