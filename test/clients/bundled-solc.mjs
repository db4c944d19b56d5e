#!/usr/bin/env node
// What forge expects of a solc executable, answered by the solc that the product brings.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js'));

if (process.argv.includes('--version')) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`);
} else {
  const input = JSON.parse(readFileSync(0, 'utf8'));
  // Executables run the model checker, or say that they have no solver; this build ends.
  delete input.settings?.modelChecker;
  process.stdout.write(solc.compile(JSON.stringify(input)));
}
