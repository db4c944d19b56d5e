/**
 * Writes src/mirror/fees/schedule/bundled-schedule.json: the prices that estimates use before a ledger is imported.
 *
 * Usage: tsx scripts/write-bundled-fee-schedule.ts SCHEDULE.json
 * SCHEDULE.json is a fee schedule in the JSON spelling of the network's genesis file (the shared folder has one
 * in contracts/data/simple-fee-schedule.json). Services that the released protobuf does not know are left out.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Schedule {
  readonly services: readonly { readonly name: string; readonly schedule: readonly unknown[] }[];
}

/** Belong to features that no released network has. */
const UNRELEASED_SERVICES = new Set(['Clpr']);

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('usage: tsx scripts/write-bundled-fee-schedule.ts SCHEDULE.json');
  process.exit(2);
}

const schedule = JSON.parse(readFileSync(source, 'utf8')) as Schedule;
const services = schedule.services.filter(({ name }) => !UNRELEASED_SERVICES.has(name));
const about = 'Prices in tinycents, written by scripts/write-bundled-fee-schedule.ts';

const target = fileURLToPath(new URL('../src/mirror/fees/schedule/bundled-schedule.json', import.meta.url));
writeFileSync(target, `${JSON.stringify({ about, ...schedule, services }, null, 2)}\n`);
const count = services.reduce((sum, service) => sum + service.schedule.length, 0);
console.log(`bundled-schedule.json: ${count} definitions written; format it with biome`);
