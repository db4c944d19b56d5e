import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';

/** Packages of tests are below `test`, the others above it. */
const require = createRequire(new URL('../../', import.meta.url));

/** A compiled contract as a deployment needs it. */
export interface TestArtifact {
  readonly abi: readonly unknown[];
  readonly bytecode: `0x${string}`;
  /** Runtime code with zeros in place of immutables. */
  readonly runtime: `0x${string}`;
  /** As the compiler printed it. */
  readonly metadata: string;
}

/**
 * Compiles on the calling thread, apart from the product's own path.
 *
 * @param compiler an installed package of solc; its contracts have no path below 0.4.9.
 */
export function compileForTest(
  input: object,
  path: string,
  name: string,
  compiler = 'solc-0.8.30',
): TestArtifact {
  const solc = require('solc/wrapper')(require(`${compiler}/soljson.js`));
  const settings = {
    ...(input as { settings?: object }).settings,
    outputSelection: {
      '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'metadata'] },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify({ ...input, settings })));
  const contract = (output.contracts?.[path] ?? output.contracts?.[''])?.[name];
  if (contract === undefined) throw new Error(JSON.stringify(output.errors));
  return {
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    runtime: `0x${contract.evm.deployedBytecode.object}`,
    metadata: contract.metadata,
  };
}

/** Reads a source of `@openzeppelin/contracts` and everything that it imports, keyed by import path. */
export function openZeppelinSources(path: string): Record<string, { readonly content: string }> {
  const root = dirname(require.resolve('@openzeppelin/contracts/package.json'));
  const sources: Record<string, { readonly content: string }> = {};
  const pending = [path];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (sources[next] !== undefined) continue;
    const content = readFileSync(join(root, next.replace('@openzeppelin/contracts/', '')), 'utf8');
    sources[next] = { content };
    for (const [, imported = ''] of content.matchAll(/^import [^;]*?"([^"]+)";/gm)) {
      pending.push(imported.startsWith('.') ? posix.join(posix.dirname(next), imported) : imported);
    }
  }
  return sources;
}
