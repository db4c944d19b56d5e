import { parseArgs } from 'node:util';
import { BENCHMARKS } from './benchmarks.ts';

/**
 * `npm run bench -- [name …] [--json]`: the product and its ceiling back to back in one run.
 *
 * The ratio is what counts; absolute numbers belong to the machine and its other users.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !BENCHMARKS.some((each) => each.name === name));
  if (values.help === true || unknown.length > 0) {
    const rows = BENCHMARKS.map(({ name, what }) => `  ${name.padEnd(16)} ${what}`);
    console.log(['Usage: npm run bench -- [name ...] [--json]', '', ...rows].join('\n'));
    return unknown.length > 0 ? 2 : 0;
  }
  const results = [];
  for (const each of BENCHMARKS) {
    if (positionals.length > 0 && !positionals.includes(each.name)) continue;
    const result = { name: each.name, ...(await each.run()) };
    results.push(result);
    if (values.json !== true) {
      console.log(`${result.name}: ${result.what}`);
      console.log(`  ceiling ${result.ceiling}`);
      console.log(`  product ${result.product}`);
      console.log(`  ratio   ${result.ratio.toFixed(2)} (target ${result.target})`);
      if (result.bar !== undefined) console.log(`  bar     ${result.bar}`);
    }
  }
  if (values.json === true) console.log(JSON.stringify(results, null, 2));
  return 0;
}

process.exitCode = await main();
