// All signals, in groups that fold, with a search. A click plots one, with Shift in a plot of its own.
import { h } from './dom.js';

const MOST_OPEN = 12; // groups that a search opens

export class SignalList {
  constructor(run, panel) {
    this.run = run;
    this.panel = panel;
    this.link = -1;
    this.words = [];
    this.search = h('input', {
      type: 'search',
      placeholder: 'Search signals',
      ariaLabel: 'Search signals',
      title: 'Search (/)',
      oninput: () => this.filter(),
    });
    this.picked = h('button.picked', { hidden: true, title: 'Show all signals', onclick: () => this.showLink(-1) });
    this.groups = h('div.groups');
    this.element = h('div.signal-list', {}, h('div.search', {}, this.search, this.picked), this.groups);
    this.build();
    panel.addEventListener('change', () => this.mark());
  }

  build() {
    const groups = new Map();
    for (const signal of this.run.signals) {
      if (!groups.has(signal.group)) groups.set(signal.group, []);
      groups.get(signal.group).push(signal);
    }
    this.folds = [...groups].map(([name, signals]) => {
      const element = h('details', { ontoggle: () => this.fill(fold) }, h('summary', { textContent: name }));
      const fold = { name, signals, element, buttons: [] };
      return fold;
    });
    this.groups.replaceChildren(...this.folds.map(({ element }) => element));
  }

  /** Its signals that are searched for; only when it is opened, since there can be thousands. */
  fill(fold) {
    if (!fold.element.open) return;
    for (const { button } of fold.buttons) button.remove();
    fold.buttons = fold.signals.filter((signal) => this.isWanted(signal)).map((signal) => {
      const button = h(
        'button.signal',
        {
          title: 'Plot it (with Shift: in a plot of its own)',
          onclick: (event) => this.panel.toggle(signal, event.shiftKey),
        },
        h('span', { textContent: signal.name }),
        h('small', { textContent: signal.unit === '1' ? '' : signal.unit }),
      );
      return { signal, button };
    });
    fold.element.append(...fold.buttons.map(({ button }) => button));
    this.mark();
  }

  mark() {
    for (const { buttons } of this.folds)
      for (const { signal, button } of buttons) button.classList.toggle('is-on', this.panel.isPlotted(signal));
  }

  isWanted(signal) {
    const text = `${signal.group} ${signal.name}`.toLowerCase();
    return this.words.every((word) => text.includes(word)) && (this.link < 0 || signal.link === this.link);
  }

  /** Only those of one link; -1: all. */
  showLink(link) {
    this.link = link;
    this.picked.hidden = link < 0;
    this.picked.textContent = link < 0 ? '' : `${this.run.links[link].name} ×`;
    this.onLink?.(link);
    this.filter();
  }

  clear() {
    this.search.value = '';
    this.search.blur();
    this.showLink(-1);
  }

  filter() {
    this.words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isSearching = this.words.length > 0 || this.link >= 0;
    const found = this.folds.filter(({ signals }) => signals.some((signal) => this.isWanted(signal)));
    for (const fold of this.folds) {
      fold.element.hidden = !found.includes(fold);
      fold.element.open = isSearching && found.indexOf(fold) >= 0 && found.indexOf(fold) < MOST_OPEN;
      this.fill(fold);
    }
  }
}
