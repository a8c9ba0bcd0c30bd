// build.mjs FOLDER: src/ becomes FOLDER/viewer.html, one file that needs no other, and FOLDER/view_text.c, the same as
// an array for the command.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

/** Text that a script element can hold: nothing in it may end the element. */
const inScript = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

function asArray(text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  for (let i = 0; i < bytes.length; i += 64) lines.push([...bytes.subarray(i, i + 64)].join(','));
  return `// Made by viewer/build.mjs from viewer/src.
#include <stddef.h>

const char *ffi_view_text(size_t *length);

static const unsigned char text[] = {
${lines.join(',\n')}};

const char *ffi_view_text(size_t *length)
{
  *length = sizeof text;
  return (const char *)text;
}
`;
}

const [script, style] = await Promise.all([bundle('main.js'), bundle('style/main.css')]);
const page = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replace('/* style */', () => style)
  .replace('/* script */', () => inScript(script));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'viewer.html'), page);
writeFileSync(join(out, 'view_text.c'), asArray(page));
