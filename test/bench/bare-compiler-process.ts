// Child process of the benchmarks: a solc and nothing else. Answers each input text with time and output.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js')) as { compile(input: string): string };

process.on('message', (input: string) => {
  const startedAt = performance.now();
  const output = solc.compile(input);
  process.send?.({ milliseconds: performance.now() - startedAt, output });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
