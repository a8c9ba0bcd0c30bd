// Cases, reported as cmocka reports them.

const failed = [];
let passed = 0;

export async function check(what, body) {
  console.log(`[ RUN      ] ${what}`);
  try {
    await body();
    ++passed;
    console.log(`[       OK ] ${what}`);
  } catch (error) {
    failed.push(what);
    console.log(`${error.message}\n[  FAILED  ] ${what}`);
  }
}

export function expect(is, why) {
  if (!is) throw new Error(why);
}

/** Ends the program. */
export function finish() {
  console.log(`[  PASSED  ] ${passed} test(s).`);
  if (failed.length) {
    const list = failed.map((what) => `[  FAILED  ] ${what}`).join('\n');
    console.log(`[  FAILED  ] ${failed.length} test(s), listed below:\n${list}`);
  }
  process.exit(failed.length ? 1 : 0);
}
