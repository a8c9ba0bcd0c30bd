// look.mjs CHROMIUM PAGE PICTURE: opens a page and prints as JSON what it complained of, what it asked the network for,
// its red and green pixels, and the columns of the red ones. It waits until there are some. The picture is left.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Browser, Tab } from '../../tests/viewer/browser.mjs';

const [program, page, picture] = process.argv.slice(2);
const WIDTH = 1000, HEIGHT = 640, PATIENCE = 40;

/** Columns of the red pixels of a PNG, and the number of green ones, found in a page of the browser. */
const coloured = (base64) => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${base64}';
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height), red = [];
  let green = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > 70 && data[i] > 3 * data[i + 1] && data[i] > 3 * data[i + 2]) red.push((i / 4) % image.width);
    green += data[i + 1] > 1.15 * data[i] && data[i + 1] > data[i + 2];
  }
  return { red, green };
})()`;

const browser = new Browser(program);
try {
  const counter = await Tab.open(browser, 100, 100), tab = await Tab.open(browser, WIDTH, HEIGHT);
  let png, green = 0, red = [], before = -1;
  await tab.go(pathToFileURL(page).href);
  for (let i = 0; i < PATIENCE && !(red.length > 0 && red.length === before); ++i) {
    await new Promise((done) => setTimeout(done, 500));
    before = red.length;
    png = await tab.screenshot();
    ({ red, green } = await counter.value(coloured(png.toString('base64'))));
  }
  writeFileSync(picture, png);
  const columns = new Array(WIDTH).fill(0);
  red.forEach((column) => ++columns[column]);
  const asked = tab.requests.filter((url) => !/^(file|data|blob|about):/.test(url));
  console.log(JSON.stringify({ complaints: tab.complaints, asked, red: red.length, green, columns }));
} finally {
  await browser.close();
}
