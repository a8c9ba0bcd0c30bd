// What is plotted before anybody picks: how high the base is, what the feet carry, the energy.

const MOST_FEET = 6;

/** Vertical forces of the links that carry the most over the run. */
function feet(run) {
  const load = (signal) => run.column(run.signals.indexOf(signal)).reduce((sum, f) => sum + Math.abs(f), 0);
  return run.signals
    .filter((s) => s.group === 'contact forces' && s.name.endsWith(' z'))
    .map((signal) => ({ signal, load: load(signal) }))
    .filter(({ load: sum }) => sum > 0)
    .sort((a, b) => b.load - a.load)
    .slice(0, MOST_FEET)
    .map(({ signal }) => signal)
    .sort((a, b) => run.signals.indexOf(a) - run.signals.indexOf(b));
}

/** @returns lists of signals, one for each plot; of several runs one signal each, which is what can be told apart */
export function firstPlots(runs) {
  const [run] = runs;
  const named = (group, name) => run.signals.filter((s) => s.group === group && s.name === name);
  const places = run.signals.filter((s) => s.name === 'z' && s.unit === 'm' && s.group !== 'centre of mass');
  const height = places.length === 1 ? places : named('centre of mass', 'z');
  const joints = run.signals.filter((s) => s.group === 'joint positions').slice(0, 4);
  const lists =
    runs.length > 1
      ? [height, named('contacts', 'normal force'), named('energy', 'total')]
      : [
          height,
          feet(run),
          named('energy', 'total').concat(named('energy', 'kinetic')),
          places.length === 0 ? joints : [],
        ];
  return lists.filter((list) => list.length > 0).slice(0, 3);
}
