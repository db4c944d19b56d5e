// Child process of the benchmarks: the product with a database on disk. Argument: a file with its environment.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { startTestServer } from '../support/test-server.ts';
import { syntheticLedger } from './synthetic-ledger.ts';

const LEDGER_SIZE = 5000;

const env = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>;
// Before it is served: then only the thread of the writer writes.
const ledger = await startTestServer({ env, background: false });
for (const unit of syntheticLedger(LEDGER_SIZE)) await ledger.services.mirror.ledger.commitUnit(unit);
await ledger.close();
const server = await startTestServer({ env, isServing: true });
process.stdout.write(`${server.url}\n`);

const commands = createInterface(process.stdin);
// Every line is answered with the highest memory so far, in KiB.
commands.on('line', () => process.stdout.write(`${process.resourceUsage().maxRSS}\n`));
await once(commands, 'close');
await server.close();
process.exit(0);
