// Elements in one line. Texts are set as texts, never as markup: names come from files.

/** h('button.primary', { title: 'Play', onclick: f }, 'text', child, ...) */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An icon of strokes on a grid of 24, by the data of its path. */
export function icon(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** An error whose message the user reads as it is. */
export function forPeople(message) {
  return Object.assign(new Error(message), { isForPeople: true });
}

/** A number for people: four digits. */
export function figure(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5))
    return value.toExponential(2).replace('-', '−').replace('e−', 'e−');
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3).replace('-', '−');
}
