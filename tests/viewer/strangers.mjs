// Pages of robots from elsewhere: 46 MB of meshes, colours of COLLADA, links that are fixed to the world, a robot below
// the floor.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tab } from './browser.mjs';
import { check, expect } from './cases.mjs';
import { opening } from './odd.mjs';

/** In the page: draws it, and counts pixels that are red, green, and orange. */
const COUNT = `(() => {
  const { stage } = footfall, gl = stage.renderer.getContext();
  const { drawingBufferWidth: w, drawingBufferHeight: h } = gl, pixels = new Uint8Array(4 * w * h);
  stage.render();
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const found = { red: 0, green: 0, orange: 0 };
  for (let i = 0; i < pixels.length; i += 4) {
    const [r, g, b] = pixels.subarray(i, i + 3);
    if (r > 90 && g < 0.3 * r && b < 0.3 * r) ++found.red;
    else if (g > 90 && r < 0.3 * g && b < 0.3 * g) ++found.green;
    else if (r > 90 && g > 0.5 * r && g < 0.85 * r && b < 0.3 * r) ++found.orange;
  }
  return found;
})()`;

async function count(browser, url) {
  const tab = await Tab.open(browser, 940, 600);
  await tab.go(url);
  await tab.until(`performance.getEntriesByName('ready').length`, 'it does not get ready');
  await tab.value(`footfall.playback.play(false), undefined`);
  const found = await tab.value(COUNT);
  await tab.close();
  return found;
}

export async function strangerPages(browser, folder) {
  const at = (name) => pathToFileURL(join(folder, name)).href;
  await check('46 MB of meshes take less than 8 MB', () => {
    const { size } = statSync(join(folder, 'big.html'));
    expect(size < 8e6, `${size} bytes`);
  });
  await opening(browser, at('big.html'), '46 MB of meshes are there in less than 3 s', 3000);
  await check('what is fixed to the world keeps its colour, links and what is none', async () => {
    const { red, green, orange } = await count(browser, at('fixed.html'));
    expect(red > 500 && green > 500 && orange > 500, `${red} red pixels, ${green} green, ${orange} orange`);
  });
  await check('colours of COLLADA show where the robot has none of its own', async () => {
    const { red, green, orange } = await count(browser, at('painted.html'));
    expect(red > 500 && green > 500 && orange > 500, `${red} red pixels, ${green} green, ${orange} orange`);
  });
  await check('a robot below the floor is seen', async () => {
    const { red, green } = await count(browser, at('below.html'));
    expect(red > 500 && green > 500, `${red} red pixels, ${green} green`);
  });
}
